// SPDX-License-Identifier: Apache-2.0
// What only a plan for torchwright has: target_data of its plan file (torchwright.md 14, "In the plan file"). The graph
// that was scheduled stands here too, so that the validator can recompute every claimed figure.
#pragma once

#include "engine/plan/plan.h"
#include "engine/plan/target_data.h"
#include "engine/torchwright/graph/node_graph.h"
#include "engine/torchwright/schedule/schedule.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace memplan::torchwright {
struct AdviceReport;
struct Transformer;  // torchwright/weights/transformer.h
}  // namespace memplan::torchwright

namespace memplan {

/// Columns or shares by annotation, in the order of the names.
using TorchwrightShares = std::vector<std::pair<std::string, double>>;

/// A maximal stretch of one annotation on the example path.
struct TorchwrightRun {
    std::string annotation;
    int start = 0;  ///< position of its first node on the path
    int nodes = 0;
    int realOps = 0;  ///< without Concatenates
    int reach = 0;    ///< layers by which the bound falls when its nodes take no time
    friend bool operator==(const TorchwrightRun&, const TorchwrightRun&) = default;
};

/// Longest paths of the graph as it was given, before fusion: nodes are numbers of the file.
struct TorchwrightPath {
    int lengthEdges = 0;
    std::vector<std::int64_t> example;
    int realOps = 0;
    std::vector<TorchwrightRun> runs;  ///< most real ops first, then earlier ones
    int tiedPaths = 0;                 ///< at most 1 000 000
    int nodesOnSome = 0;               ///< nodes on at least one of them
    int upstreamFigure = 0;            ///< the original's figure: the largest of the shortest ways
    int asapLayers = 0;                ///< lower bound of the layers under the routing in force
    int asapAlways = 0, asapNever = 0;
    int ruleOfThumb = 0;  ///< layers by the rules of the original's guide
    int slack = 0;        ///< layers of the schedule above the bound of the graph that was scheduled
    friend bool operator==(const TorchwrightPath&, const TorchwrightPath&) = default;
};

struct TorchwrightAnnotation {
    std::string annotation;  ///< "(none)" without one, "(cancel)" for the heads that clear columns
    int nodes = 0;
    std::int64_t neurons = 0;           ///< sum of the widths of its ReLUs
    std::int64_t heads = 0;             ///< by the original's estimate
    std::int64_t graphParams = 0;       ///< dense sizes
    std::int64_t nonZeros = 0;          ///< entries of its weights that are not zero
    std::int64_t upstreamEstimate = 0;  ///< allocated parameters by the original's estimate
    std::int64_t scheduledHeads = 0, scheduledSlots = 0, scheduledParams = 0;
    std::vector<int> layerSpan;  ///< first layer, last layer, number of layers; empty = none
    double share = 0;            ///< of the allocated parameters
    double density = 0;          ///< graph parameters for each allocated one
    std::string spanVerdict;     ///< "bound by depth", "bound by scheduling"; empty without layers
    int asapSpan = 0;            ///< layers that its nodes span at their earliest
    int reach = 0;               ///< layers by which the bound falls when its nodes take no time
    friend bool operator==(const TorchwrightAnnotation&, const TorchwrightAnnotation&) = default;
};

struct TorchwrightPlateau {
    int first = 0, last = 0;  ///< layers, both included
    TorchwrightShares averageColumns, share;
    double meanOpsInside = 0, meanOpsOutside = 0;
    friend bool operator==(const TorchwrightPlateau&, const TorchwrightPlateau&) = default;
};

struct TorchwrightChain {
    std::int64_t terminal = 0;
    torchwright::Columns peakWidth = 0;
    std::vector<std::int64_t> nodes;
    friend bool operator==(const TorchwrightChain&, const TorchwrightChain&) = default;
};

/// Parallel chains that meet in one Concatenate.
struct TorchwrightCluster {
    std::int64_t join = 0;
    torchwright::Columns peakWidth = 0;
    std::vector<TorchwrightChain> chains;
    std::vector<int> inFlight;  ///< chains at the end of each layer
    int natural = 0;            ///< largest of them in this schedule
    friend bool operator==(const TorchwrightCluster&, const TorchwrightCluster&) = default;
};

/// One node of the numeric probe: what the transformer's columns hold against what the graph gives.
struct TorchwrightProbedNode {
    std::int64_t node = 0;
    int layer = 0;   ///< after which the columns were compared
    std::string op;  ///< that computes it
    double maxError = 0;
    double expected = 0, got = 0;  ///< at the place of the largest difference
    double expectedLow = 0, expectedHigh = 0, expectedMean = 0;
    double gotLow = 0, gotHigh = 0, gotMean = 0;
    friend bool operator==(const TorchwrightProbedNode&, const TorchwrightProbedNode&) = default;
};

/// The numeric probe of torchwright.md 10 on sample inputs; the compile ended well, so nothing is above the tolerance.
struct TorchwrightProbe {
    int positions = 0;
    std::int64_t seed = 0;
    double tolerance = 0;
    int compared = 0;            ///< nodes
    double maxError = 0;         ///< over nodes and outputs
    double garbageMaxError = 0;  ///< with 7.25 in the free columns at the start; 0 where the stream starts as zeros
    std::vector<TorchwrightProbedNode> worst;                     ///< at most 10, the largest difference first
    std::vector<std::pair<std::string, std::int64_t>> notProbed;  ///< reason and number of nodes, by reason
    friend bool operator==(const TorchwrightProbe&, const TorchwrightProbe&) = default;
};

struct TorchwrightData final : TargetData {
    /// That was scheduled. A plan file holds it without weights.
    std::shared_ptr<const torchwright::NodeGraph> graph;
    /// The same before Linears were fused, which `path` speaks about; null where nothing was fused.
    std::shared_ptr<const torchwright::NodeGraph> unfused;
    torchwright::Schedule schedule;
    /// After each layer: columns by annotation of their owner, by name.
    std::vector<std::vector<std::pair<std::string, std::int32_t>>> occupancy;
    TorchwrightPath path;
    std::vector<TorchwrightAnnotation> annotations;
    std::vector<TorchwrightPlateau> plateaus;
    std::vector<TorchwrightCluster> clusters;
    bool isReported = false;  ///< the figures above are there
    /// With what was tried without gain and the rewritten graphs; null without advice and for a plan that was read.
    std::shared_ptr<const torchwright::AdviceReport> advice;
    std::optional<TorchwrightProbe> probe;
    /// Of this compile; null without tensors and in a plan that was read from a file.
    std::shared_ptr<const torchwright::Transformer> weights;
    bool isFresh = false;  ///< of this compile, with the weights of the graph; not read from a file

    [[nodiscard]] bool hasArtefacts() const override { return isFresh && isScheduled() && schedule.ok(); }
    [[nodiscard]] bool isScheduled() const { return graph != nullptr; }
    /// ASAP of the graph that was scheduled: no schedule of it has fewer layers. Needs isReported.
    [[nodiscard]] int layerBound() const { return schedule.layerCount() - path.slack; }
    /// Layers for each layer of the bound, "inflation by scheduling" (torchwright.md 14); 0 without layers.
    [[nodiscard]] double inflation() const {
        return layerBound() > 0 ? static_cast<double>(schedule.layerCount()) / layerBound() : 0;
    }
};

/// Of a plan of another machine: empty.
[[nodiscard]] const TorchwrightData& torchwrightData(const Plan& plan);

}  // namespace memplan

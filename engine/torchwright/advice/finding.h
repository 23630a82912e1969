// SPDX-License-Identifier: Apache-2.0
// A finding of the advice (torchwright.md 19): what is there, why it costs and what to write instead, as statements;
// and what became of the compile that tried it.
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/plan/statement.h"
#include "engine/torchwright/advice/codes.h"
#include "engine/torchwright/advice/graph_edit.h"
#include "engine/torchwright/analysis/clusters.h"
#include "engine/torchwright/schedule/schedule.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace memplan::torchwright {

/// Writes one place anew. Places of one finding are rewritten one after the other in the same copy.
using Rewrite = std::function<void(GraphEdit&)>;

/// What a trial compiles: at most one of the three is there.
struct Proposal {
    std::vector<Rewrite> rewrites;                ///< one a place
    std::pair<std::string, std::string> setting;  ///< key and value; empty key = none
    std::vector<ClusterChain> chains;             ///< to be limited by a concurrency hint with the best K

    [[nodiscard]] bool isEmpty() const { return rewrites.empty() && setting.first.empty() && chains.empty(); }
};

/// The figures of a schedule that a trial compares.
struct PlanFigures {
    ScheduleResult result = ScheduleResult::Ok;
    int layers = 0;  ///< completed ones where it failed
    int heads = 0;
    Slots slotCount = 0;
    Columns peakColumns = 0;
    std::int64_t allocated = 0;  ///< parameters
    friend bool operator==(const PlanFigures&, const PlanFigures&) = default;

    /// Compiles, and has fewer layers or, with as many, fewer allocated parameters.
    [[nodiscard]] bool isBetterThan(const PlanFigures& other) const;
};

enum class TrialOutcome { NotTried, Better, NoGain };

struct Trial {
    TrialOutcome outcome = TrialOutcome::NotTried;
    PlanFigures before, after;
    bool areValuesCompared = false;              ///< the rewritten graph gives the same values
    int k = 0;                                   ///< the best K of the chains, else 0
    std::shared_ptr<const NodeGraph> rewritten;  ///< null for a setting or a hint

    /// Layers that it gains; 0 unless better.
    [[nodiscard]] int gain() const { return outcome == TrialOutcome::Better ? before.layers - after.layers : 0; }
};

struct Finding {
    int code = 0;  ///< 101 for TW-101
    Severity severity = Severity::Note;
    std::vector<NodeId> nodes;  ///< subjects, those of the first place first
    int places = 1;             ///< alike ones that are one row: "x n"
    Statement what, why, instead;
    std::string shape;             ///< findings of one code and shape are alike; empty = like no other
    std::int64_t paramsSaved = 0;  ///< predicted
    bool isOnLongestPath = false;
    Proposal proposal;
    /// A node that could start later, and the layer: hint `layer_min`. Not tried.
    std::optional<std::pair<NodeId, int>> startLater;
    Trial trial;
};

struct AdviceReport {
    std::shared_ptr<const NodeGraph> graph;  ///< whose nodes the findings name
    /// In the order of torchwright.md 19.1; also those that were tried without gain.
    std::vector<Finding> findings;
    std::vector<std::pair<int, int>> left;  ///< code and number of further rows beyond 50
    std::vector<int> skipped;               ///< codes that need tensors, which the graph does not have
    int compiles = 0;                       ///< spent on trials
    int dropped = 0;                        ///< findings whose rewritten graph gave other values
};

}  // namespace memplan::torchwright

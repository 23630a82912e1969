// SPDX-License-Identifier: Apache-2.0
// The critical path: one example of it, how many are as long, its runs of one annotation (torchwright.md 14).
#pragma once

#include "engine/torchwright/analysis/relations.h"

namespace memplan::torchwright {

/// Name of an annotation in tables: "(none)" where there is none.
[[nodiscard]] std::string_view annotationName(const Node& node);

/// A maximal stretch of one annotation on the path.
struct PathRun {
    std::string annotation;
    int start = 0;  ///< position of its first node on the path
    int nodes = 0;
    int realOps = 0;  ///< without Concatenates
    friend bool operator==(const PathRun&, const PathRun&) = default;
};

struct CriticalPath {
    static constexpr int kMostTied = 1'000'000;

    int lengthEdges = 0;
    std::vector<NodeId> example;  ///< from a node without inputs to an output
    int realOps = 0;              ///< of the example
    std::vector<PathRun> runs;    ///< most real ops first, then earlier ones
    int tiedPaths = 0;            ///< distinct paths of that length, at most kMostTied
    int nodesOnSome = 0;          ///< nodes on at least one of them
    int upstreamFigure = 0;       ///< the original's figure: the largest of the shortest ways
    friend bool operator==(const CriticalPath&, const CriticalPath&) = default;
};

[[nodiscard]] CriticalPath criticalPathOf(const NodeGraph& graph, const Relations& relations);
/// Runs worth a look: at least 3 real ops, at most 10 of them.
[[nodiscard]] std::vector<PathRun> targetRuns(const CriticalPath& path);

}  // namespace memplan::torchwright

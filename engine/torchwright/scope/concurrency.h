// SPDX-License-Identifier: Apache-2.0
// sequential_scope(factories, K): at most K iterations of a loop are computed at a time (torchwright.md 12). Written
// into the graph as `after` edges; values never change.
#pragma once

#include "engine/base/result.h"
#include "engine/torchwright/analysis/clusters.h"

namespace memplan::torchwright {

/// Iterations in order. The nodes of each are its own.
struct ConcurrencyScope {
    int k = 1;
    std::vector<NodeId> terminals;             ///< results of the iterations
    std::vector<std::vector<NodeId>> members;  ///< one list for each terminal
    friend bool operator==(const ConcurrencyScope&, const ConcurrencyScope&) = default;
};

/// Entries of iteration i (members that read no member) wait for the terminal of iteration i - K. Errors: HNT-003 for
/// K < 1, an iteration without nodes, and edges that would make a cycle.
[[nodiscard]] Result<NodeGraph> withScope(const NodeGraph& graph, const ConcurrencyScope& scope);
/// The iterations of a cluster.
[[nodiscard]] ConcurrencyScope scopeOf(const Cluster& cluster, int k);
/// Iterations that end in these nodes, with their exclusive members (hint without `members`). Error: HNT-003 where one
/// has none.
[[nodiscard]] Result<ConcurrencyScope> scopeEndingIn(const NodeGraph& graph, const std::vector<NodeId>& terminals,
                                                     int k);

/// The node waits for these too (hint `after`). Error: HNT-003 for a cycle.
[[nodiscard]] Result<NodeGraph> withAfter(const NodeGraph& graph, NodeId node, const std::vector<NodeId>& before);

}  // namespace memplan::torchwright

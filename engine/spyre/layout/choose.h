// SPDX-License-Identifier: Apache-2.0
// Commits one layout per operation so that few elements are restickified
// (spyre-layouts-and-work-division 5.3, 5.4).
#pragma once

#include "engine/base/result.h"
#include "engine/base/run_control.h"
#include "engine/spyre/layout/candidates.h"
#include "engine/spyre/layout/layout_graph.h"
#include "engine/spyre/layout/restickify.h"

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace memplan::spyre {

/// A read whose tensor has to be restickified first.
struct RestickifyEdge {
    int node = 0;
    int argument = 0;  ///< position in Op::reads
    StickLayout target;
    EdgeCost cost = 0;
};

struct LayoutChoice {
    std::vector<OpCandidatesPtr> candidates;  ///< parallel to nodes; null for mutations
    std::vector<int> chosen;                  ///< parallel to nodes; -1 for mutations
    /// Per node with several candidates: cost of each one with the inputs as chosen; else empty.
    std::vector<std::vector<EdgeCost>> scores;
    std::vector<RestickifyEdge> edges;  ///< in node, then argument order
    EdgeCost totalCost = 0;
};

/// Asked when a node has no candidates or no finite one (LAY-003 .. LAY-009). True: the node runs as a
/// fallback kernel that accepts anything and the search goes on; false: the search ends with the error.
using FallbackQuestion = std::function<bool(std::size_t node, const Error& error)>;

inline constexpr std::size_t kBeamWidth = 64;
inline constexpr std::size_t kGreedyWidth = 1;

/// Candidates of every node in order (null for mutations), written to graph.values. The first error ends it unless
/// `fallback` accepts the node.
[[nodiscard]] Result<std::vector<OpCandidatesPtr>>
propagateCandidates(LayoutGraph& graph, const FallbackQuestion& fallback, const RunControl& control = {});

/// The choice; `width` states are kept (kBeamWidth, or kGreedyWidth for the greedy rule, which is the same
/// search with one state). Candidates are derived again on the way, since a fallback changes those of
/// later nodes. Error LAY-007 (NotImplementedError) when no candidate of a node is reachable.
[[nodiscard]] Result<LayoutChoice> chooseLayouts(LayoutGraph& graph, std::size_t width,
                                                 const FallbackQuestion& fallback, const RunControl& control = {});

}  // namespace memplan::spyre

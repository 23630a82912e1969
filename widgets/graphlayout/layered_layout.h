// SPDX-License-Identifier: Apache-2.0
// The built-in layered layout (user-experience appendix B), used when the layout program is missing,
// fails or passes its deadline. Deterministic: the same graph gives the same picture everywhere.
//  1. Rank = longest path from any source; edges that close a cycle are turned round first.
//  2. An edge over more than one rank gets a chain of invisible points.
//  3. Order inside a rank by id; eight barycentre sweeps, downward and upward in turn; the order with
//     the fewest crossings seen is kept.
//  4. x = index times 200 px, each rank centred, then three passes towards the median x of the
//     neighbours, never closer than 200 px. y = rank times 90 px.
#pragma once

#include "widgets/graphlayout/layout_graph.h"

#include <cstdint>

namespace memplan::graphlayout {

inline constexpr double kNodePitch = 200;     ///< px between neighbours of a rank, for boxes up to 160 wide
inline constexpr double kRankPitch = 90;      ///< px between ranks, for boxes up to 56 high
inline constexpr double kClusterMargin = 12;  ///< px between a cluster's border and its content
inline constexpr double kClusterHead = 20;    ///< further px at its top, for the name

/// Positions, polylines and cluster boxes. The graph must be free of faults (faultOf).
/// 2 000 nodes take less than 300 ms.
[[nodiscard]] LayoutResult layeredLayout(const LayoutGraph& graph);

/// Rank of every node: longest path from any source, at least its minRank (appendix B.1).
[[nodiscard]] std::vector<int> longestPathRanks(const LayoutGraph& graph);

/// Number of pairs of straight edge pieces between neighbouring ranks that cross, for tests.
[[nodiscard]] std::int64_t crossingsOf(const LayoutGraph& graph, const LayoutResult& result);

}  // namespace memplan::graphlayout

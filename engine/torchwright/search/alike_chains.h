// SPDX-License-Identifier: Apache-2.0
// Units by parallel chains that are alike: the same kinds, widths, costs and edges in the same places. Swapping two of
// them changes nothing, so that a proof need not look at both orders (torchwright.md 17).
#pragma once

#include "engine/torchwright/analysis/clusters.h"
#include "engine/torchwright/search/units.h"

#include <optional>

namespace memplan::torchwright {

/// Chains with the same units: `units[i][j]` is the j-th unit of the i-th.
struct ChainClass {
    std::vector<std::vector<int>> units;

    [[nodiscard]] std::size_t size() const { return units.front().size(); }
};

/// The alike chains of the clusters, and the rest as one chain of its own; every unit stands in one. Nothing where a
/// chain has more than 64 units.
[[nodiscard]] std::optional<std::vector<ChainClass>> alikeChainsOf(const NodeGraph& graph, const UnitModel& model,
                                                                   const ClusterRule& rule);

}  // namespace memplan::torchwright

// SPDX-License-Identifier: Apache-2.0
// Which cluster fills the stream, and the K that suits each cluster (torchwright.md 12, 17): clusters are found as in
// chapter 13 and ranked by the plateau that they cause; K is tuned over each alone, then over several together.
#pragma once

#include "engine/torchwright/scope/in_flight.h"
#include "engine/torchwright/trial/k_search.h"

#include <cstdint>

namespace memplan::torchwright {

struct RankedCluster {
    Cluster cluster;
    ScopeConditions conditions;
    std::int64_t weight = 0;  ///< peak width times chains

    /// The one culprit of a plateau, where a scope is worth a try.
    [[nodiscard]] bool isCulprit() const { return conditions.allHold(); }
};

/// By the share of the longest plateau that they hold, then by weight, then by join.
[[nodiscard]] std::vector<RankedCluster> rankedClusters(const NodeGraph& graph, const Schedule& schedule,
                                                        const ClusterRule& rule, const PlateauRule& plateaus);

struct ChosenScope {
    Cluster cluster;
    int k = 0;
};

struct ScopeSearchResult {
    std::vector<ChosenScope> scopes;   ///< in the order in which they were found; empty = none helps
    std::optional<Schedule> schedule;  ///< with them: also one of the graph without scopes
    int compiles = 0;
};

/// Rounds over the ranked clusters: each is tuned with the scopes chosen so far, the one that brings most layers down
/// is chosen, until none does; then each chosen K is tuned again beside the others. At most `mostClusters` are looked
/// at.
[[nodiscard]] ScopeSearchResult searchScopes(const NodeGraph& graph, const Schedule& withoutScope,
                                             const std::vector<RankedCluster>& ranked, std::size_t mostClusters,
                                             const RunControl& control);

}  // namespace memplan::torchwright

// SPDX-License-Identifier: Apache-2.0
// Sibling clusters: parallel chains of nodes that meet in one Concatenate (torchwright.md 13).
#pragma once

#include "engine/torchwright/analysis/relations.h"
#include "engine/torchwright/schedule/options.h"

namespace memplan::torchwright {

struct ClusterChain {
    NodeId terminal;
    Columns peakWidth = 0;      ///< widest member, ReLUs inside chains left out, exclusive first Linears counted
    std::vector<NodeId> nodes;  ///< ascending; no Concatenates
    friend bool operator==(const ClusterChain&, const ClusterChain&) = default;
};

struct Cluster {
    NodeId join;            ///< invalid for chains that were named by their terminals
    Columns peakWidth = 0;  ///< largest of its chains
    std::vector<ClusterChain> chains;
    friend bool operator==(const Cluster&, const Cluster&) = default;
};

struct ClusterRule {
    int minChains = 4;
    Columns minPeakWidth = 32;
};
/// That of the options, for the admission of chains and for whoever looks at the same clusters.
[[nodiscard]] ClusterRule clusterRuleOf(const ScheduleOptions& options);

/// By ascending join. A node belongs to the first cluster that claims it.
[[nodiscard]] std::vector<Cluster> clustersOf(const NodeGraph& graph, const Relations& relations, ClusterRule rule);

/// The exclusive chains of these nodes, in their order; one that shares all its nodes with others has no chain.
[[nodiscard]] Cluster clusterEndingIn(const NodeGraph& graph, const Relations& relations,
                                      const std::vector<NodeId>& terminals);

}  // namespace memplan::torchwright

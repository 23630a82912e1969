// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/scheduler/admission.h"

#include <algorithm>

namespace memplan::torchwright {

Admission::Admission(const NodeGraph& graph, const Relations& relations, const ScheduleOptions& options) {
    if (!options.admissionControl) return;
    budget_ = static_cast<Columns>(options.admissionBudgetFraction * options.d);
    chainOf_.assign(graph.size(), -1);
    const auto clusters = clustersOf(graph, relations, clusterRuleOf(options));
    for (std::size_t i = 0; i < clusters.size(); ++i)
        claim(clusters[i], i);
}

/// A node stays with the first cluster that claims it.
void Admission::claim(const Cluster& cluster, std::size_t index) {
    clusters_.push_back({cluster.peakWidth, 0});
    for (const ClusterChain& chain : cluster.chains) {
        for (const NodeId id : chain.nodes)
            if (chainOf_[id.at()] < 0) chainOf_[id.at()] = static_cast<int>(chains_.size());
        chains_.push_back({index, chain.terminal, false});
    }
}

bool Admission::admits(NodeId id) const {
    if (isBypassed_ || chainOf_.empty() || chainOf_[id.at()] < 0) return true;
    const Chain& chain = chains_[static_cast<std::size_t>(chainOf_[id.at()])];
    if (chain.isInFlight) return true;
    const Budget& cluster = clusters_[chain.cluster];
    return std::int64_t{cluster.inFlight + 1} * cluster.peakWidth <= budget_;
}

void Admission::schedule(NodeId id) {
    if (chainOf_.empty() || chainOf_[id.at()] < 0) return;
    Chain& chain = chains_[static_cast<std::size_t>(chainOf_[id.at()])];
    const bool isInFlight = id != chain.terminal;
    if (chain.isInFlight == isInFlight) return;
    clusters_[chain.cluster].inFlight += isInFlight ? 1 : -1;
    chain.isInFlight = isInFlight;
}

}  // namespace memplan::torchwright

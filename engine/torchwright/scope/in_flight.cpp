// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/scope/in_flight.h"

#include "engine/torchwright/analysis/paths.h"

#include <algorithm>
#include <map>

namespace memplan::torchwright {
namespace {

Plateau longestOf(const std::vector<Plateau>& plateaus) {
    return *std::ranges::max_element(plateaus, {}, [](const Plateau& p) { return p.last - p.first; });
}

std::vector<bool> membersOf(const NodeGraph& graph, const Cluster& cluster) {
    std::vector<bool> is(graph.size(), false);
    for (const ClusterChain& chain : cluster.chains)
        for (const NodeId id : chain.nodes)
            is[id.at()] = true;
    return is;
}

/// Column-layers that a holding spends in [first, last].
std::int64_t heldWithin(const Holding& holding, int first, int last) {
    const int begin = std::max(first, holding.firstLayer), end = std::min(last, holding.lastLayer);
    return end < begin ? 0 : std::int64_t{end - begin + 1} * holding.columns.size();
}

std::vector<std::pair<std::string, double>> threeLargest(const std::map<std::string, double>& columns) {
    std::vector<std::pair<std::string, double>> list(columns.begin(), columns.end());
    std::ranges::stable_sort(list, std::ranges::greater{}, &std::pair<std::string, double>::second);
    if (list.size() > 3) list.resize(3);
    return list;
}

}  // namespace

std::vector<int> inFlightOf(const Cluster& cluster, const Schedule& schedule) {
    std::vector<int> counts(schedule.layers.size(), 0);
    for (const ClusterChain& chain : cluster.chains) {
        int first = schedule.layerCount();
        for (const NodeId id : chain.nodes) {
            const int layer = schedule.nodeLayer[id.at()];
            if (layer >= 0) first = std::min(first, layer);
        }
        const int end = schedule.nodeLayer[chain.terminal.at()];
        const int last = end < 0 ? schedule.layerCount() - 1 : end;
        for (int layer = first; layer <= last; ++layer)
            ++counts[static_cast<std::size_t>(layer)];
    }
    return counts;
}

int naturalInFlight(const Cluster& cluster, const Schedule& withoutHint) {
    const std::vector<int> counts = inFlightOf(cluster, withoutHint);
    return counts.empty() ? 0 : std::ranges::max(counts);
}

Columns residualPeakWidth(const NodeGraph& graph, const std::vector<Chain>& chains, const Cluster& cluster) {
    std::vector<bool> ownsNothing(graph.size(), false);
    for (const Chain& chain : chains) {
        ownsNothing[chain.relu.at()] = true;
        if (chain.isExclusive) ownsNothing[chain.first.at()] = true;
    }
    Columns peak = 0;
    for (const ClusterChain& chain : cluster.chains)
        for (const NodeId id : chain.nodes)
            if (!ownsNothing[id.at()]) peak = std::max(peak, graph.at(id).width);
    return peak;
}

int kByFormula(Columns d, Columns peakWidth, int factor) {
    if (peakWidth <= 0) return 1;
    const std::int64_t width = peakWidth;
    return static_cast<int>(std::max<std::int64_t>(1, (std::int64_t{factor} * d + 2 * width) / (4 * width)));
}

ScopeConditions conditionsOf(const NodeGraph& graph, const Schedule& schedule, const Cluster& cluster,
                             const std::vector<Plateau>& plateaus) {
    ScopeConditions out;
    out.chains = static_cast<int>(cluster.chains.size());
    out.peakWidth = residualPeakWidth(graph, chainsOf(graph, relationsOf(graph)), cluster);
    out.hasPlateau = !plateaus.empty();
    const int first = out.hasPlateau ? longestOf(plateaus).first : 0;
    const int last = out.hasPlateau ? longestOf(plateaus).last : schedule.layerCount() - 1;
    const double layers = std::max(1, last - first + 1);
    const std::vector<bool> isMember = membersOf(graph, cluster);
    double inside = 0, outside = 0;
    std::map<std::string, double> others;
    for (const Holding& holding : schedule.holdings) {
        const double columns = static_cast<double>(heldWithin(holding, first, last)) / layers;
        if (isMember[holding.owner.at()]) {
            inside += columns;
        } else {
            outside += columns;
            others[std::string(annotationName(graph.at(holding.owner)))] += columns;
        }
    }
    out.freeColumns = schedule.options.d - outside;
    out.plateauShare = inside + outside > 0 ? inside / (inside + outside) : 0;
    out.largestFittingK = out.peakWidth > 0 ? static_cast<int>(out.freeColumns) / out.peakWidth : 0;
    out.others = threeLargest(others);
    return out;
}

KConcern concernOf(int k, int natural, int chains) {
    if (k >= natural || k >= chains) return KConcern::GatesNothing;
    if (k == 1 && chains >= 2) return KConcern::IsOne;
    return 2 * k > natural ? KConcern::NearNatural : KConcern::None;
}

}  // namespace memplan::torchwright

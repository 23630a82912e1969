// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/compile/failures.h"

#include "engine/base/text.h"
#include "engine/torchwright/analysis/chains.h"
#include "engine/torchwright/scope/in_flight.h"
#include "engine/torchwright/search/units.h"

#include <algorithm>

namespace memplan::torchwright {
namespace {

std::string ownersText(const NodeGraph& graph, const Schedule& schedule) {
    std::vector<std::string> owners;
    for (const WideOwner& owner : schedule.widestOwners) {
        const std::string& annotation = graph.at(owner.owner).annotation;
        owners.push_back(graph.label(owner.owner) + (annotation.empty() ? "" : " of " + annotation) + " " +
                         std::to_string(owner.width));
    }
    return text::join(owners, ", ");
}

std::string nodesText(const NodeGraph& graph, const std::vector<NodeId>& nodes) {
    std::vector<std::string> names;
    for (const NodeId id : nodes)
        names.push_back("node " + graph.label(id));
    return text::join(names, ", ");
}

/// The chains that want most columns, and the values of K that a sweep begins with (torchwright.md 12).
std::string whereToBegin(const NodeGraph& graph, const Schedule& s) {
    const Relations relations = relationsOf(graph);
    const std::vector<Chain> chains = chainsOf(graph, relations);
    const Cluster* largest = nullptr;
    std::int64_t most = 0;
    const auto clusters = clustersOf(graph, relations, clusterRuleOf(s.options));
    for (const Cluster& cluster : clusters) {
        const auto count = static_cast<std::int64_t>(cluster.chains.size());
        const std::int64_t wanted = count * residualPeakWidth(graph, chains, cluster);
        if (wanted <= most) continue;
        largest = &cluster;
        most = wanted;
    }
    if (largest == nullptr) return {};
    const Columns peak = residualPeakWidth(graph, chains, *largest);
    return ": the " + std::to_string(largest->chains.size()) + " chains into node " + graph.label(largest->join) +
           " want " + text::grouped(most) + " columns; begin a sweep of K at " +
           std::to_string(kByFormula(s.options.d, peak, 1)) + " and " +
           std::to_string(kByFormula(s.options.d, peak, 3));
}

/// Slots that a node needs in one layer, in whatever way it is computed; a Linear beside a ReLU may be one of a chain.
Slots leastSlots(const NodeGraph& graph, const Relations& relations, NodeId id, LocalRouting routing) {
    const Node& node = graph.at(id);
    const auto isRelu = [&graph](NodeId other) { return graph.at(other).is(NodeKind::ReLU); };
    if (node.is(NodeKind::ReLU)) return node.width;
    if (!node.is(NodeKind::Linear) || routing != LocalRouting::Never) return 0;
    const bool mayBeChained = std::ranges::any_of(relations.reads[id.at()], isRelu) ||
                              std::ranges::any_of(relations.effective[id.at()], isRelu);
    return mayBeChained ? 0 : 2 * node.width;
}

/// More columns do not help an operation that needs more slots than a layer has.
std::string howToGetSlots(const NodeGraph& graph, const Schedule& s) {
    const Relations relations = relationsOf(graph);
    NodeId largest;
    Slots most = s.options.slotsPerLayer();
    for (std::size_t i = 0; i < graph.size(); ++i) {
        const NodeId id = NodeId::of(i);
        const Slots slots = s.nodeLayer[i] < 0 ? leastSlots(graph, relations, id, s.options.localInAttention) : 0;
        if (slots <= most) continue;
        largest = id;
        most = slots;
    }
    if (!largest.isValid()) return {};
    return "raise torchwright.d_hidden to " + text::grouped(most) + " at least: node " + graph.label(largest) +
           " needs so many slots of one layer, which has " + text::grouped(s.options.slotsPerLayer());
}

std::string howToProgress(const NodeGraph& graph, const Schedule& s, bool isSearched) {
    if (std::string slots = howToGetSlots(graph, s); !slots.empty()) return slots;
    // The search knows no admission control.
    const bool maySearch = !isSearched && !s.options.admissionControl && unitModelOf(graph, s.options).has_value();
    return std::string("raise torchwright.d, ") +
           (maySearch ? "let a search look for a schedule that fits (torchwright.optimize = 1), " : "") +
           "or hold parallel chains back with a concurrency hint" + whereToBegin(graph, s);
}

}  // namespace

Error failureOf(const NodeGraph& graph, const Schedule& s, bool isSearched) {
    const std::string layers = " (after " + std::to_string(s.layerCount()) + " layers)";
    switch (s.result) {
    case ScheduleResult::NoProgress:
        return makeError("TW-014", "layer " + std::to_string(s.layerCount()),
                         s.error + layers + "; widest owners of columns: " + ownersText(graph, s),
                         howToProgress(graph, s, isSearched));
    case ScheduleResult::InputsDoNotFit:
        return makeError("TW-015", "torchwright.d", s.error, "raise torchwright.d");
    case ScheduleResult::DHeadTooSmall:
        return makeError("TW-016", nodesText(graph, s.blamed), s.error, "raise torchwright.d_head");
    case ScheduleResult::AfterNeverMet:
        return makeError("TW-013", nodesText(graph, s.blamed), s.error,
                         "remove the edges that name nodes which nothing computes, or the hints that wait in a circle");
    case ScheduleResult::NotConverged:
    case ScheduleResult::Ok:
        break;
    }
    return makeError("TW-017", "torchwright.max_layers", s.error, "raise torchwright.max_layers");
}

}  // namespace memplan::torchwright

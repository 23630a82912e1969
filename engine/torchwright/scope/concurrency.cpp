// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/scope/concurrency.h"

#include <algorithm>
#include <utility>

namespace memplan::torchwright {
namespace {

Error scopeError(std::string message, std::string hint = {}) {
    return makeError("HNT-003", "concurrency", std::move(message), std::move(hint));
}

/// Some node waits for itself: with `after` counted as inputs, the graph has a cycle.
bool waitsForItself(const NodeGraph& graph) {
    NodeGraph all = graph;
    for (Node& node : all.nodes)
        node.inputs.insert(node.inputs.end(), node.after.begin(), node.after.end());
    return topologicalOrder(all).size() < all.size();
}

void addAfter(Node& node, NodeId before) {
    const auto at = std::ranges::lower_bound(node.after, before);
    if (at == node.after.end() || *at != before) node.after.insert(at, before);
}

/// Members that read no member, Concatenates walked through.
std::vector<NodeId> entriesOf(const NodeGraph& graph, const std::vector<NodeId>& members) {
    std::vector<bool> isMember(graph.size(), false);
    for (const NodeId id : members)
        isMember[id.at()] = true;
    const auto readsMember = [&](NodeId input) {
        return std::ranges::any_of(leavesOf(graph, input), [&](NodeId leaf) { return isMember[leaf.at()]; });
    };
    std::vector<NodeId> entries;
    for (const NodeId id : members) {
        const Node& node = graph.at(id);
        if (!node.is(NodeKind::Concatenate) && std::ranges::none_of(node.inputs, readsMember)) entries.push_back(id);
    }
    return entries;
}

}  // namespace

Result<NodeGraph> withScope(const NodeGraph& graph, const ConcurrencyScope& scope) {
    if (scope.k < 1)
        return scopeError("K is " + std::to_string(scope.k) + ", at least 1 is needed", "set k to 1 or more");
    if (scope.members.size() != scope.terminals.size())
        return scopeError(std::to_string(scope.terminals.size()) + " terminals but " +
                          std::to_string(scope.members.size()) + " lists of members");
    NodeGraph out = graph;
    const auto k = static_cast<std::size_t>(scope.k);
    for (std::size_t i = 0; i < scope.terminals.size(); ++i) {
        const std::vector<NodeId> entries = entriesOf(graph, scope.members[i]);
        if (entries.empty()) return scopeError("iteration " + std::to_string(i) + " has no node to begin with");
        for (const NodeId entry : entries)
            if (i >= k) addAfter(out.at(entry), scope.terminals[i - k]);
    }
    if (waitsForItself(out)) return scopeError("an iteration feeds an earlier one: it would wait for itself");
    return out;
}

ConcurrencyScope scopeOf(const Cluster& cluster, int k) {
    ConcurrencyScope scope;
    scope.k = k;
    for (const ClusterChain& chain : cluster.chains) {
        scope.terminals.push_back(chain.terminal);
        scope.members.push_back(chain.nodes);
    }
    return scope;
}

Result<ConcurrencyScope> scopeEndingIn(const NodeGraph& graph, const std::vector<NodeId>& terminals, int k) {
    const Cluster cluster = clusterEndingIn(graph, relationsOf(graph), terminals);
    if (cluster.chains.size() == terminals.size()) return scopeOf(cluster, k);
    return scopeError(std::to_string(terminals.size() - cluster.chains.size()) +
                          " terminals share all their nodes with others",
                      "give the members of each iteration");
}

Result<NodeGraph> withAfter(const NodeGraph& graph, NodeId node, const std::vector<NodeId>& before) {
    NodeGraph out = graph;
    for (const NodeId id : before)
        addAfter(out.at(node), id);
    if (!waitsForItself(out)) return out;
    return makeError("HNT-003", "after", "node " + graph.label(node) + " would wait for itself");
}

}  // namespace memplan::torchwright

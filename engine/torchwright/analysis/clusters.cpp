// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/analysis/clusters.h"

#include "engine/torchwright/analysis/chains.h"

#include <algorithm>
#include <ranges>

namespace memplan::torchwright {
namespace {

constexpr int kNone = -1;    ///< no input of the join needs the node
constexpr int kShared = -2;  ///< more than one does

class ClusterFinder {
public:
    ClusterFinder(const NodeGraph& graph, const Relations& relations)
        : graph_(graph), r_(relations), order_(topologicalOrder(graph)), isInsideChain_(graph.size(), false) {
        for (const Chain& chain : chainsOf(graph, relations))
            isInsideChain_[chain.relu.at()] = true;
        std::ranges::reverse(order_);
    }

    [[nodiscard]] Cluster at(NodeId join) {
        join_ = join;
        inputs_ = graph_.at(join).inputs;
        markInputs();
        keepExclusive();
        return collect();
    }

    /// The chains of nodes that meet nowhere in particular: what else reads a terminal does not matter.
    [[nodiscard]] Cluster endingIn(const std::vector<NodeId>& terminals) {
        join_ = {};
        inputs_ = terminals;
        markInputs();
        keepExclusive();
        return collect();
    }

private:
    void mark(NodeId id, int input) {
        int& own = input_[id.at()];
        if (own == kNone || own == input) {
            own = input;
        } else {
            own = kShared;
        }
    }

    /// Which input of the join needs each node.
    void markInputs() {
        input_.assign(graph_.size(), kNone);
        isEnd_.assign(graph_.size(), false);
        for (std::size_t i = 0; i < inputs_.size(); ++i) {
            mark(inputs_[i], static_cast<int>(i));
            isEnd_[inputs_[i].at()] = !join_.isValid();
        }
        for (const NodeId id : order_)
            for (const NodeId input : graph_.at(id).inputs)
                if (input_[id.at()] != kNone) mark(input, input_[id.at()]);
    }

    /// Readers are decided before what they read, so that one walk drops all that feeds something outside.
    void keepExclusive() {
        for (const NodeId id : order_) {
            int& own = input_[id.at()];
            if (graph_.at(id).is(NodeKind::Concatenate)) continue;
            if (own >= 0 && (isInputLike(graph_.at(id).kind) || !allInside(id, own))) own = kShared;
        }
    }

    [[nodiscard]] bool allInside(NodeId id, int input) const {
        if (isEnd_[id.at()]) return true;
        return std::ranges::all_of(r_.consumers[id.at()], [&](NodeId consumer) {
            if (consumer == join_) return true;
            if (graph_.at(consumer).is(NodeKind::Concatenate)) return allInside(consumer, input);
            return input_[consumer.at()] == input;
        });
    }

    [[nodiscard]] Cluster collect() const {
        std::vector<ClusterChain> chains(inputs_.size());
        for (std::size_t i = 0; i < graph_.size(); ++i)
            if (input_[i] >= 0 && !graph_.nodes[i].is(NodeKind::Concatenate))
                chains[static_cast<std::size_t>(input_[i])].nodes.push_back(NodeId::of(i));
        Cluster cluster;
        cluster.join = join_;
        for (std::size_t i = 0; i < chains.size(); ++i) {
            if (chains[i].nodes.empty()) continue;
            finish(chains[i], inputs_[i]);
            cluster.peakWidth = std::max(cluster.peakWidth, chains[i].peakWidth);
            cluster.chains.push_back(std::move(chains[i]));
        }
        return cluster;
    }

    void finish(ClusterChain& chain, NodeId input) const {
        for (const NodeId id : chain.nodes)
            if (!isInsideChain_[id.at()]) chain.peakWidth = std::max(chain.peakWidth, graph_.at(id).width);
        const auto widest =
            std::ranges::max_element(chain.nodes, {}, [this](NodeId id) { return graph_.at(id).width; });
        chain.terminal = std::ranges::binary_search(chain.nodes, input) ? input : *widest;
    }

    const NodeGraph& graph_;
    const Relations& r_;
    std::vector<NodeId> order_;  ///< readers before what they read
    std::vector<bool> isInsideChain_;
    NodeId join_;
    std::vector<NodeId> inputs_;
    std::vector<int> input_;   ///< by node: input of the join that alone needs it
    std::vector<bool> isEnd_;  ///< by node: a terminal whose readers do not matter
};

}  // namespace

Cluster clusterEndingIn(const NodeGraph& graph, const Relations& relations, const std::vector<NodeId>& terminals) {
    return ClusterFinder(graph, relations).endingIn(terminals);
}

ClusterRule clusterRuleOf(const ScheduleOptions& options) {
    return {options.admissionMinChains, options.admissionMinPeakWidth};
}

std::vector<Cluster> clustersOf(const NodeGraph& graph, const Relations& relations, ClusterRule rule) {
    std::vector<Cluster> clusters;
    ClusterFinder finder(graph, relations);
    for (std::size_t i = 0; i < graph.size(); ++i) {
        const Node& node = graph.nodes[i];
        const auto least = static_cast<std::size_t>(rule.minChains);
        if (!node.is(NodeKind::Concatenate) || node.inputs.size() < least) continue;
        Cluster cluster = finder.at(NodeId::of(i));
        if (cluster.chains.size() >= least && cluster.peakWidth >= rule.minPeakWidth)
            clusters.push_back(std::move(cluster));
    }
    return clusters;
}

}  // namespace memplan::torchwright

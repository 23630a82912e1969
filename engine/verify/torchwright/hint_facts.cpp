// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/torchwright/hint_facts.h"

#include "engine/json/json_value.h"

#include <algorithm>

namespace memplan::verify::torchwright {
namespace {

using namespace memplan::torchwright;

constexpr std::string_view kOperation = "op:";

/// A node by its number; of a lowered graph by the id of its operation.
NodeId nodeNamed(const NodeGraph& graph, std::string_view id) {
    const auto number = text::parseInt(id);
    if (const NodeId node = number ? graph.find(*number) : NodeId{}; node.isValid()) return node;
    const auto it = std::ranges::find(graph.nodes, id, &Node::name);
    if (it == graph.nodes.end() || id.empty()) return {};
    return NodeId::of(static_cast<std::size_t>(it - graph.nodes.begin()));
}

class HintFacts {
public:
    HintFacts(const Plan& plan, const TorchwrightData& data, Report& report)
        : plan_(plan), g_(*data.graph), s_(data.schedule), report_(report) {}

    void run() {
        for (std::size_t i = 0; i < std::min(plan_.hints.size(), plan_.hintStates.size()); ++i) {
            if (plan_.hintStates[i] != "applied" || !plan_.hints[i].enabled) continue;
            for (const std::string& scope : plan_.hints[i].scopes)
                if (scope.starts_with(kOperation)) check(i, scope.substr(kOperation.size()));
        }
    }

private:
    const Plan& plan_;
    const NodeGraph& g_;
    const Schedule& s_;
    Report& report_;

    /// A first Linear that its chains alone read is computed inside of them: in the layer of the first.
    [[nodiscard]] int layerOf(NodeId node) const {
        int layer = s_.nodeLayer[node.at()];
        if (layer >= 0 || !g_.at(node).is(NodeKind::Linear)) return layer;
        for (std::size_t i = 0; i < g_.size(); ++i) {
            const bool isRelu = g_.nodes[i].is(NodeKind::ReLU) && g_.nodes[i].inputs.front() == node;
            if (isRelu && s_.nodeLayer[i] >= 0) layer = layer < 0 ? s_.nodeLayer[i] : std::min(layer, s_.nodeLayer[i]);
        }
        return layer;
    }

    void fault(std::size_t hint, std::string what) {
        report_.add("VER-013", "/hints/" + std::to_string(hint), "is called applied, and " + std::move(what));
    }

    void check(std::size_t i, const std::string& subject) {
        const Hint& hint = plan_.hints[i];
        const io::JsonValue& value = hint.value.tree();
        const NodeId node = nodeNamed(g_, subject);
        if (hint.key == "fuse") {
            // A fused pair leaves its second Linear.
            if (value.boolean == node.isValid())
                fault(i, value.boolean ? "the Linear is still there" : "the Linear is gone");
            return;
        }
        if (!node.isValid()) return fault(i, "node " + subject + " is not in the graph that was scheduled");
        if (hint.key == "layer_min" && s_.ok() && layerOf(node) < value.integer)
            fault(i, "node " + subject + " is computed in layer " + std::to_string(layerOf(node)));
        if (hint.key == "after") checkWaits(i, node, value);
    }

    /// An edge of the graph is not enough: the nodes of a chain are computed together with its first Linear.
    void checkWaits(std::size_t i, NodeId node, const io::JsonValue& list) {
        for (const io::JsonValue& item : list.items) {
            const std::string id = item.is(io::JsonType::Integer) ? std::to_string(item.integer) : item.string;
            const NodeId before = nodeNamed(g_, id);
            const auto& after = g_.at(node).after;
            if (!before.isValid() || std::ranges::find(after, before) == after.end() || isTooEarly(node, before))
                fault(i, "node " + g_.label(node) + " does not wait for node " + id);
        }
    }

    [[nodiscard]] bool isInAttention(NodeId node) const {
        const auto layer = static_cast<std::size_t>(layerOf(node));
        return layer < s_.layers.size() && std::ranges::find(s_.layers[layer].attention, node, &AttentionOp::node) !=
                                               s_.layers[layer].attention.end();
    }

    /// An input is there before layer 0, so that nobody needs to wait for it; parts of a Concatenate make it complete
    /// after their layer.
    [[nodiscard]] bool isTooEarly(NodeId node, NodeId before) const {
        if (!s_.ok()) return false;
        const int layer = layerOf(node);
        const Node& other = g_.at(before);
        if (other.is(NodeKind::Concatenate))
            return std::ranges::any_of(other.inputs, [&](NodeId part) {
                return g_.at(part).is(NodeKind::Concatenate) ? isTooEarly(node, part) : layerOf(part) >= layer;
            });
        const int done = layerOf(before);
        if (isInputLike(other.kind) || done < layer) return false;
        return done > layer || !isInAttention(before) || isInAttention(node);
    }
};

}  // namespace

void checkHints(const Plan& plan, const TorchwrightData& data, Report& report) {
    HintFacts(plan, data, report).run();
}

std::optional<std::vector<int>> layerMinOf(const Plan& plan, const NodeGraph& graph) {
    std::vector<int> first;
    if (plan.hintStates.size() < plan.hints.size()) return std::nullopt;
    for (std::size_t i = 0; i < plan.hints.size(); ++i) {
        const Hint& hint = plan.hints[i];
        if (!hint.enabled || hint.key != "layer_min") continue;
        if (plan.hintStates[i] == "partly_applied") return std::nullopt;
        // One that could not be kept stands inside of a chain, which waits as its first Linear does.
        if (plan.hintStates[i] != "applied") continue;
        for (const std::string& scope : hint.scopes) {
            const NodeId node =
                scope.starts_with(kOperation) ? nodeNamed(graph, scope.substr(kOperation.size())) : NodeId{};
            if (!node.isValid()) continue;
            first.resize(graph.size(), 0);
            first[node.at()] = static_cast<int>(hint.value.tree().integer);
        }
    }
    return first;
}

}  // namespace memplan::verify::torchwright

// SPDX-License-Identifier: Apache-2.0
// Cycles and widths of a graph that was read (torchwright.md 2, 3).
#include "engine/base/numeric.h"
#include "engine/base/text.h"
#include "engine/torchwright/graph/raw_graph.h"

#include <algorithm>

namespace memplan::torchwright {
namespace {

constexpr std::int64_t kMaxFlattened = 4'000'000;  ///< edges of all nodes after Concatenates are flattened
constexpr std::size_t kListed = 12;

/// A cycle among nodes of which each has an input that is not computed.
std::vector<NodeId> cycleAmong(const NodeGraph& graph, const std::vector<bool>& computed) {
    const auto stuckInput = [&](NodeId id) {
        return *std::ranges::find_if(graph.at(id).inputs, [&](NodeId input) { return !computed[input.at()]; });
    };
    NodeId at = NodeId::of(static_cast<std::size_t>(std::ranges::find(computed, false) - computed.begin()));
    for (std::size_t i = 0; i < graph.size(); ++i)
        at = stuckInput(at);  // surely on a cycle now
    std::vector<NodeId> cycle{at};
    for (NodeId next = stuckInput(at); next != at; next = stuckInput(next))
        cycle.push_back(next);
    std::ranges::reverse(cycle);
    std::rotate(cycle.begin(), std::ranges::min_element(cycle), cycle.end());
    return cycle;
}

class WidthCheck {
public:
    WidthCheck(const NodeGraph& graph, const Places& places, JsonFields& in)
        : graph_(graph), places_(places), in_(in), isReported_(graph.size(), false) {}

    /// Asked for inputs before what reads them: what reads a node that was reported is not judged.
    void check(NodeId id) {
        const Node& node = graph_.at(id);
        if (std::ranges::any_of(node.inputs, [this](NodeId input) { return isReported_[input.at()]; })) return;
        checkPlaceholders(id);
        switch (node.kind) {
        case NodeKind::LiteralValue:
            return equal(id, "value has", static_cast<std::int64_t>(node.literal().value.size()), node.width);
        case NodeKind::Linear:
            return equal(id, "its input has", inputWidth(id, 0), node.linear().inputWidth);
        case NodeKind::ReLU:
        case NodeKind::Assert:
        case NodeKind::DebugWatch:
            return equal(id, "its input has", inputWidth(id, 0), node.width);
        case NodeKind::Add:
            return checkAdd(id);
        case NodeKind::Attn:
            return checkAttn(id);
        case NodeKind::Concatenate:
            return checkConcatenate(id);
        default:
            return;
        }
    }

private:
    [[nodiscard]] std::int64_t inputWidth(NodeId id, std::size_t i) const {
        return graph_.at(graph_.at(id).inputs[i]).width;
    }

    void equal(NodeId id, std::string_view what, std::int64_t found, std::int64_t wanted) {
        if (found == wanted) return;
        report("TW-006", id,
               std::string(what) + " " + std::to_string(found) + " columns, wanted " + std::to_string(wanted));
    }

    void report(std::string_view code, NodeId id, const std::string& what) {
        isReported_[id.at()] = true;
        in_.error(code, places_[id.at()],
                  std::string(kindName(graph_.at(id).kind)) + " node " + graph_.label(id) + ": " + what);
    }

    void checkAdd(NodeId id) {
        if (inputWidth(id, 0) == inputWidth(id, 1))
            return equal(id, "its addends have", inputWidth(id, 0), graph_.at(id).width);
        report("TW-012", id,
               "its addends have " + std::to_string(inputWidth(id, 0)) + " and " + std::to_string(inputWidth(id, 1)) +
                   " columns");
    }

    void checkAttn(NodeId id) {
        const AttnData& attn = graph_.at(id).attn();
        equal(id, "its query input has", inputWidth(id, 0), attn.queryWidth);
        equal(id, "its key input has", inputWidth(id, 1), attn.keyWidth);
        equal(id, "its value input has", inputWidth(id, 2), attn.valueWidth);
    }

    void checkConcatenate(NodeId id) {
        std::int64_t sum = 0;
        for (const NodeId input : graph_.at(id).inputs)
            sum += graph_.at(input).width;
        equal(id, "its inputs have together", sum, graph_.at(id).width);
    }

    void checkPlaceholders(NodeId id) {
        if (graph_.at(id).is(NodeKind::Concatenate)) return;
        for (const NodeId input : graph_.at(id).inputs)
            if (graph_.at(input).is(NodeKind::Placeholder))
                report("TW-012", id,
                       "it reads the Placeholder node " + graph_.label(input) + ", which a Concatenate alone can");
    }

    const NodeGraph& graph_;
    const Places& places_;
    JsonFields& in_;
    std::vector<bool> isReported_;
};

/// Edges that are walked when every node flattens its inputs: Concatenates of Concatenates double them with few bytes.
std::int64_t flattenedEdges(const NodeGraph& graph) {
    std::vector<std::int64_t> walked(graph.size(), 1);
    std::int64_t total = 0;
    for (const NodeId id : topologicalOrder(graph)) {
        const Node& node = graph.at(id);
        std::int64_t sum = 1;
        for (const NodeId input : node.inputs)
            sum = saturatedAdd(sum, walked[input.at()]);
        if (node.is(NodeKind::Concatenate)) walked[id.at()] = sum;
        total = saturatedAdd(total, sum);
    }
    return total;
}

}  // namespace

void checkCycles(const NodeGraph& graph, const Places& places, JsonFields& in) {
    const std::vector<NodeId> order = topologicalOrder(graph);
    if (order.size() == graph.size()) return;
    std::vector<bool> computed(graph.size(), false);
    for (const NodeId id : order)
        computed[id.at()] = true;
    const std::vector<NodeId> cycle = cycleAmong(graph, computed);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min(cycle.size(), kListed); ++i)
        names.push_back(std::to_string(graph.at(cycle[i]).number));
    if (cycle.size() > kListed) names.emplace_back("...");
    names.push_back(std::to_string(graph.at(cycle.front()).number));
    in.error("TW-005", places[cycle.front().at()],
             "the graph has a cycle of " + std::to_string(cycle.size()) + " nodes: " + text::join(names, " -> "));
}

void checkWidths(const NodeGraph& graph, const Places& places, JsonFields& in) {
    WidthCheck check(graph, places, in);
    for (const NodeId id : topologicalOrder(graph))
        check.check(id);
    for (const NodeId output : graph.outputs())
        if (graph.at(output).is(NodeKind::Placeholder))
            in.error("TW-012", places[output.at()], "the output is the Placeholder node " + graph.label(output));
    const std::int64_t edges = flattenedEdges(graph);
    if (edges <= kMaxFlattened) return;
    in.error("MPG-110", 0,
             "flattened Concatenates make " + text::grouped(edges) + " edges, the limit is " +
                 text::grouped(kMaxFlattened));
}

}  // namespace memplan::torchwright

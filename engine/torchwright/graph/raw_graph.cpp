// SPDX-License-Identifier: Apache-2.0
// Numbers become ids (torchwright.md 3: TW-003, TW-004, TW-007, TW-008, TW-011).
#include "engine/torchwright/graph/raw_graph.h"

#include "engine/base/text.h"

#include <algorithm>

namespace memplan::torchwright {
namespace {

using io::JsonType;
using io::TapeIndex;

std::string numberText(std::int64_t number) {
    return "node " + std::to_string(number);
}

/// Entries by ascending number, of twins the first.
void sortNodes(RawGraph& raw, JsonFields& in) {
    std::ranges::stable_sort(raw.nodes, {}, [](const RawNode& n) { return n.node.number; });
    for (std::size_t i = 1; i < raw.nodes.size(); ++i) {
        const std::int64_t number = raw.nodes[i].node.number;
        if (number != raw.nodes[i - 1].node.number) continue;
        in.error("TW-003", raw.nodes[i].at, "the id " + std::to_string(number) + " is given twice",
                 "give each node an id of its own");
    }
}

/// A position encoding that nothing reads is named beside `nodes` alone; it becomes a node like the others.
void insertPosition(RawGraph& raw, JsonFields& in) {
    if (raw.position == 0 || in.tape.type(raw.position) == JsonType::Null) return;
    if (!in.expect(raw.position, JsonType::Object)) return;
    RawNode own;
    own.node.number = in.integer(raw.position, "id", 0, kMaxNumber);
    own.node.kind = NodeKind::PosEncoding;
    own.node.width = static_cast<Columns>(in.integer(raw.position, "d_pos", 1, kMaxWidth));
    const auto same =
        std::ranges::lower_bound(raw.nodes, own.node.number, {}, [](const RawNode& n) { return n.node.number; });
    if (same == raw.nodes.end() || same->node.number != own.node.number) {
        raw.nodes.insert(same, own);
        return;
    }
    if (same->node.is(NodeKind::PosEncoding) && same->node.width == own.node.width) return;
    in.error("TW-006", raw.position,
             numberText(own.node.number) + " is no position encoding of " + std::to_string(own.node.width) +
                 " columns");
}

std::vector<NodeId> inputsOf(const NodeGraph& graph, const RawNode& raw, JsonFields& in) {
    std::vector<NodeId> ids;
    ids.reserve(raw.inputs.size());
    for (const std::int64_t number : raw.inputs) {
        ids.push_back(graph.find(number));
        if (ids.back().isValid()) continue;
        in.error("TW-004", raw.at,
                 numberText(raw.node.number) + " reads node " + std::to_string(number) + ", which is not there");
    }
    return ids;
}

void checkInputCount(const RawNode& raw, JsonFields& in) {
    const auto wanted = inputCount(raw.node.kind);
    const std::size_t found = raw.inputs.size();
    if (wanted ? found == *wanted : found > 0) return;
    const std::string count = wanted ? std::to_string(*wanted) : "1 or more";
    in.error("TW-007", raw.at,
             std::string(kindName(raw.node.kind)) + " node " + std::to_string(raw.node.number) + " has " +
                 std::to_string(found) + " inputs, wanted " + count);
}

void setAfter(NodeGraph& graph, NodeId id, const RawNode& raw) {
    Node& node = graph.at(id);
    for (const std::int64_t number : raw.after) {
        const NodeId before = graph.find(number);
        if (before.isValid()) {
            node.after.push_back(before);
        } else {
            node.afterMissing.push_back(number);
        }
    }
}

NodeId outputAt(const NodeGraph& graph, TapeIndex at, JsonFields& in) {
    const auto number = in.integer(at, 0, kMaxNumber);
    if (!number) return {};
    const NodeId id = graph.find(*number);
    if (!id.isValid()) in.error("TW-008", at, "the output, node " + std::to_string(*number) + ", is not there");
    return id;
}

void setOutputs(NodeGraph& graph, const RawGraph& raw, JsonFields& in) {
    if (raw.output == 0) {
        in.error("TW-008", 0, "the required key \"output\" is missing", "name the node that the graph computes");
        return;
    }
    graph.output = outputAt(graph, raw.output, in);
    if (raw.extraOutputs == 0 || !in.expect(raw.extraOutputs, JsonType::Array)) return;
    for (const TapeIndex at : in.tape.children(raw.extraOutputs)) {
        const NodeId id = outputAt(graph, at, in);
        const bool isKnown =
            id == graph.output || std::ranges::find(graph.extraOutputs, id) != graph.extraOutputs.end();
        if (id.isValid() && !isKnown) graph.extraOutputs.push_back(id);
    }
}

}  // namespace

NodeGraph resolveGraph(RawGraph& raw, JsonFields& in) {
    NodeGraph graph;
    sortNodes(raw, in);
    if (in.findings.hasErrors()) return graph;
    insertPosition(raw, in);
    graph.name = raw.name;
    for (const RawNode& entry : raw.nodes)
        graph.nodes.push_back(entry.node);
    for (std::size_t i = 0; i < raw.nodes.size(); ++i) {
        checkInputCount(raw.nodes[i], in);
        graph.nodes[i].inputs = inputsOf(graph, raw.nodes[i], in);
        setAfter(graph, NodeId::of(i), raw.nodes[i]);
    }
    setOutputs(graph, raw, in);
    if (raw.position != 0 && in.tape.type(raw.position) == JsonType::Object) {
        const TapeIndex id = in.tape.find(raw.position, "id");
        if (id != 0) graph.position = graph.find(in.tape.at(id).integer);
    }
    return graph;
}

Places placesOf(const RawGraph& raw, const NodeGraph& graph) {
    Places places(graph.size(), 0);
    for (std::size_t i = 0; i < raw.nodes.size(); ++i)
        places[i] = raw.nodes[i].at;
    return places;
}

}  // namespace memplan::torchwright

// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/graph/graph_json.h"

#include "engine/base/text.h"
#include "engine/json/json_sax.h"
#include "engine/torchwright/graph/raw_graph.h"

#include <algorithm>
#include <array>
#include <utility>

namespace memplan::torchwright {
namespace {

using io::JsonType;
using io::TapeIndex;

constexpr std::array<std::string_view, 8> kTopKeys{"format",       "version", "name",    "output",
                                                   "pos_encoding", "nodes",   "tensors", "extra_outputs"};

/// What is not ours is not judged further.
bool isOurs(JsonFields& in) {
    if (!in.expect(0, JsonType::Object)) return false;
    const TapeIndex format = in.tape.find(0, "format");
    if (format == 0 || in.tape.type(format) != JsonType::String || in.tape.text(format) != kGraphFormat) {
        in.error("TW-002", format, "the format is not \"" + std::string(kGraphFormat) + "\"");
        return false;
    }
    const TapeIndex version = in.tape.find(0, "version");
    if (version != 0 && in.tape.type(version) == JsonType::Integer && in.tape.at(version).integer == 1) return true;
    in.error("TW-002", version, "the version is not 1, the one that this program reads");
    return false;
}

RawGraph readFields(JsonFields& in, const io::Limits& limits) {
    RawGraph raw;
    in.warnAboutOthers(0, kTopKeys);
    raw.name = in.text(0, "name", static_cast<std::size_t>(limits.nameBytes));
    raw.output = in.tape.find(0, "output");
    raw.extraOutputs = in.tape.find(0, "extra_outputs");
    raw.position = in.tape.find(0, "pos_encoding");
    raw.tensors = in.tape.find(0, "tensors");
    const TapeIndex nodes = in.required(0, "nodes");
    if (nodes == 0 || !in.expect(nodes, JsonType::Array)) return raw;
    if (static_cast<std::int64_t>(in.tape.count(nodes)) > limits.nodes) {
        in.error("MPG-110", nodes,
                 text::grouped(in.tape.count(nodes)) + " nodes, the limit is " + text::grouped(limits.nodes),
                 "raise limits.nodes");
        return raw;
    }
    raw.nodes.reserve(in.tape.count(nodes));
    for (const TapeIndex at : in.tape.children(nodes))
        raw.nodes.push_back(readNode(in, at, limits));
    return raw;
}

/// What helps against a finding that does not say so itself.
std::string_view fixOf(std::string_view code) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kFixes{
        {{"TW-002", "export the graph again with the exporter of this version"},
         {"TW-003", "give each node a number of its own"},
         {"TW-004", "list that node too, or take the input out"},
         {"TW-005", "take one of these edges out: a node cannot wait for itself"},
         {"TW-006", "make both widths equal"},
         {"TW-007", "give the node as many inputs as its type has"},
         {"TW-008", "name a node of the list as output"},
         {"TW-009", "use one of the types of torchwright"},
         {"TW-010", "export the graph again, or leave \"tensors\" out to plan without weights"},
         {"TW-012", "change the program that builds this node"}}};
    const auto it = std::ranges::find(kFixes, code, &std::pair<std::string_view, std::string_view>::first);
    return it == kFixes.end() ? std::string_view() : it->second;
}

Error failure(const Diagnostics& findings) {
    std::vector<Diagnostic> list = findings.list();
    for (Diagnostic& d : list)
        if (d.hint.empty()) d.hint = fixOf(d.code);
    std::stable_partition(list.begin(), list.end(), [](const Diagnostic& d) { return d.severity == Severity::Error; });
    return Error(std::move(list));
}

/// Edges to nodes that nothing computes stay known: the node that waits for one can never be scheduled.
void noteMissingAfter(NodeGraph& graph) {
    std::vector<bool> isThere = neededNodes(graph);
    if (graph.position.isValid()) isThere[graph.position.at()] = true;
    for (Node& node : graph.nodes)
        for (const NodeId before : node.after)
            if (!isThere[before.at()]) node.afterMissing.push_back(graph.at(before).number);
}

void warnAboutAfter(const NodeGraph& graph, Diagnostics& findings) {
    for (std::size_t i = 0; i < graph.size(); ++i) {
        for (const std::int64_t number : graph.nodes[i].afterMissing) {
            findings.warning("TW-011", "node " + graph.label(NodeId::of(i)),
                             "it waits for node " + std::to_string(number) +
                                 ", which no output needs: it can never be scheduled",
                             "remove that `after`");
        }
    }
}

}  // namespace

Result<ReadGraph> readGraph(std::string_view bytes, const io::Limits& limits, const RunControl& control) {
    auto tape = io::readTape(bytes, io::kGraphCodes, limits, control);
    if (!tape) return std::move(tape).error();
    Diagnostics findings;
    JsonFields in(tape.value(), findings);
    if (!isOurs(in)) return failure(findings);
    RawGraph raw = readFields(in, limits);
    if (findings.hasErrors()) return failure(findings);

    NodeGraph graph = resolveGraph(raw, in);
    if (findings.hasErrors()) return failure(findings);
    const Places places = placesOf(raw, graph);
    checkCycles(graph, places, in);
    if (findings.hasErrors()) return failure(findings);
    checkWidths(graph, places, in);
    if (findings.hasErrors()) return failure(findings);
    attachTensors(graph, places, raw.tensors, in);
    if (findings.hasErrors()) return failure(findings);
    if (graph.hasTensors) checkDeadChildren(graph, places, in);
    if (findings.hasErrors()) return failure(findings);

    noteMissingAfter(graph);
    ReadGraph out;
    out.graph = withoutUnneeded(graph);
    warnAboutAfter(out.graph, findings);
    out.warnings = findings.list();
    return out;
}

}  // namespace memplan::torchwright

// SPDX-License-Identifier: Apache-2.0
#include "engine/io/onnx/read/gate.h"

#include "engine/base/numeric.h"
#include "engine/base/text.h"
#include "engine/io/onnx/read/tensor_value.h"

#include <algorithm>
#include <map>

namespace memplan::io::onnx {

namespace {

constexpr std::int64_t kFirstIr = 3, kLastIr = 13;

std::string_view domainName(std::string_view domain) {
    return domain.empty() ? "ai.onnx" : domain;
}

void checkDefaultOpset(std::int64_t version, Diagnostics& findings) {
    const std::string found = std::to_string(version);
    if (version < kFirstOpset) {
        findings.error("ONNX-006", "opset_import",
                       "opset " + found + " of ai.onnx is older than 7: its broadcast rules are not supported",
                       "convert the model to opset 7 or newer, for instance with onnx.version_converter");
    } else if (version > kLastOpset) {
        findings.warning("ONNX-007", "opset_import",
                         "opset " + found + " of ai.onnx is newer than 28, the newest known: its rules are used",
                         "check the shapes of operators that changed since");
    }
}

void checkOpsets(const std::vector<std::pair<std::string_view, std::int64_t>>& opsets, bool needDefault,
                 Diagnostics& findings) {
    std::map<std::string_view, std::int64_t> seen;
    for (const auto& [domain, version] : opsets) {
        const auto [at, fresh] = seen.emplace(domain, version);
        if (fresh || at->second == version) continue;
        findings.error("ONNX-008", "opset_import",
                       "domain \"" + shown(domainName(domain)) + "\" is imported in versions " +
                           std::to_string(at->second) + " and " + std::to_string(version),
                       "keep one version of each domain");
    }
    const auto standard = seen.find(std::string_view{});
    if (standard != seen.end())
        checkDefaultOpset(standard->second, findings);
    else if (needDefault) {
        findings.error("ONNX-005", "opset_import", "the opset of the default domain (ai.onnx) is missing",
                       "add an opset_import without a domain");
    }
}

class ContentCheck {
public:
    ContentCheck(const Document& document, const char* begin, const Limits& limits, Diagnostics& findings)
        : document_(document), begin_(begin), limits_(limits), findings_(findings) {}
    void run();

private:
    void name(std::string_view text);
    void graph(std::size_t index);
    void node(const NodeProto& node);
    void tensor(const TensorProto& tensor, const std::string& where);
    void inputs(const GraphProto& graph, const std::string& path);
    void unsupported(int elemType, const std::string& where);

    const Document& document_;
    const char* begin_;
    const Limits& limits_;
    Diagnostics& findings_;
    std::int64_t external_ = 0;
};

bool plainAscii(std::string_view s) {
    return std::all_of(s.begin(), s.end(), [](char c) { return c >= 0x20 && c < 0x7f; });
}

void ContentCheck::name(std::string_view s) {
    if (s.empty()) return;
    const auto offset = static_cast<std::uint64_t>(s.data() - begin_);
    const std::string where = "byte " + std::to_string(offset);
    if (static_cast<std::int64_t>(s.size()) > limits_.nameBytes) {
        findings_.error("ONNX-020", where,
                        "a name of " + text::grouped(static_cast<std::int64_t>(s.size())) + " bytes, more than " +
                            text::grouped(limits_.nameBytes) + " (setting limits.name_bytes)");
    } else if (!plainAscii(s) && text::escaped(s) != s) {
        findings_.error("ONNX-020", where,
                        "the name \"" + shown(s) + "\" has control characters or is not valid UTF-8");
    }
}

void ContentCheck::unsupported(int elemType, const std::string& where) {
    if (dtypeOf(elemType)) return;
    findings_.error("ONNX-044", where,
                    std::string("element type ") + std::to_string(elemType) + " (" + elemTypeName(elemType) +
                        ") is not supported",
                    "complex and two-bit tensors cannot be planned");
}

void ContentCheck::tensor(const TensorProto& tensor, const std::string& where) {
    name(tensor.name);
    if (tensor.external) ++external_;
    const std::string label = where + ":" + shown(tensor.name);
    unsupported(tensor.dataType, label);
    if (std::any_of(tensor.dims.begin(), tensor.dims.end(), [](std::int64_t d) { return d < 0; })) {
        findings_.error("ONNX-025", label, "a negative dimension in " + text::shapeText(tensor.dims));
        return;
    }
    const std::optional<std::int64_t> elements = elementCount(tensor.dims);
    if (!elements || *elements > limits_.tensorElements) {
        findings_.error("ONNX-026", label,
                        "a tensor of " + text::shapeText(tensor.dims) + " has more than 2^48 elements");
        return;
    }
    if (!payloadMismatch(tensor, *elements)) return;
    const auto bytes =
        tensor.hasRaw ? std::to_string(tensor.raw.size()) + " bytes" : std::to_string(tensor.typedCount) + " numbers";
    findings_.warning("ONNX-027", label,
                      "the data has " + bytes + ", " + text::shapeText(tensor.dims) + " of " +
                          elemTypeName(tensor.dataType) + " needs another length",
                      "the value is treated as unknown");
}

void ContentCheck::inputs(const GraphProto& graph, const std::string& path) {
    const auto index = [&](const ValueInfoProto& v) { return std::to_string(&v - graph.inputs.data()); };
    for (const ValueInfoProto& input : graph.inputs) {
        const std::string where = path + "/input[" + index(input) + "]:" + shown(input.name);
        for (const DimProto& dim : input.type.dims) {
            name(dim.symbol);
            if (dim.kind != DimProto::Kind::Fixed || dim.value >= 0) continue;
            if (dim.value == -1)
                findings_.warning("ONNX-028", where, "dimension -1 is read as a dimension without a name");
            else
                findings_.error("ONNX-025", where, "the negative dimension " + std::to_string(dim.value));
        }
    }
}

void ContentCheck::node(const NodeProto& node) {
    for (const std::string_view s : node.inputs)
        name(s);
    for (const std::string_view s : node.outputs)
        name(s);
    for (const std::string_view s : {node.name, node.opType, node.domain, node.overload})
        name(s);
    for (const AttributeProto& attribute : node.attributes) {
        name(attribute.name);
        if (attribute.lists) name(attribute.lists->refName);
    }
}

void ContentCheck::graph(std::size_t index) {
    const GraphProto& graph = document_.graphs[index];
    const std::string path = graphPath(document_, static_cast<std::int32_t>(index));
    name(graph.name);
    for (const NodeProto& n : graph.nodes)
        node(n);
    for (const auto* list : {&graph.inputs, &graph.outputs, &graph.valueInfo})
        for (const ValueInfoProto& v : *list)
            name(v.name);
    std::size_t position = 0;
    for (const TensorProto& t : graph.initializers)
        tensor(t, path + "/initializer[" + std::to_string(position++) + "]");
    inputs(graph, path);
}

void ContentCheck::run() {
    for (std::size_t i = 0; i < document_.graphs.size(); ++i)
        graph(i);
    for (const FunctionProto& f : document_.functions) {
        for (const std::string_view s : {f.name, f.domain, f.overload})
            name(s);
    }
    for (const TensorProto& t : document_.tensors)
        tensor(t, "attribute at byte " + std::to_string(t.offset));
    if (external_ == 0) return;
    findings_.note(
        "ONNX-040", "graph",
        (external_ == 1 ? std::string("1 tensor keeps its") : text::grouped(external_) + " tensors keep their") +
            " data in another file; the planner does not need it");
}

}  // namespace

std::string shown(std::string_view name) {
    constexpr std::size_t kShown = 120;
    if (name.size() <= kShown) return text::escaped(name);
    return text::escaped(name.substr(0, kShown)) + "...";
}

std::string nodeStep(const NodeProto& node, std::int32_t position) {
    const std::string step = "node[" + std::to_string(position) + "]";
    return node.name.empty() ? step : step + ":" + shown(node.name);
}

std::string graphPath(const Document& document, std::int32_t graph) {
    std::string tail;
    std::int32_t at = graph;
    while (document.graphs[static_cast<std::size_t>(at)].parent >= 0) {
        const GraphProto& inner = document.graphs[static_cast<std::size_t>(at)];
        const GraphProto& outer = document.graphs[static_cast<std::size_t>(inner.parent)];
        const bool known = inner.parentNode >= 0 && static_cast<std::size_t>(inner.parentNode) < outer.nodes.size();
        std::string step = "/default";
        if (known) {
            const NodeProto& node = outer.nodes[static_cast<std::size_t>(inner.parentNode)];
            const auto holds = [&](const AttributeProto& a) { return a.graph == at; };
            const auto attribute = std::find_if(node.attributes.begin(), node.attributes.end(), holds);
            step = "/" + nodeStep(node, inner.parentNode);
            step += attribute == node.attributes.end() ? "/graph" : "/attribute[" + shown(attribute->name) + "]";
        }
        tail = step + tail;
        at = inner.parent;
    }
    if (at == document.graph) return "graph" + tail;
    return "function[" + shown(document.graphs[static_cast<std::size_t>(at)].name) + "]" + tail;
}

void checkVersions(const Document& document, Diagnostics& findings) {
    const GraphProto* graph = document.graph < 0 ? nullptr : &document.graphs[static_cast<std::size_t>(document.graph)];
    if (graph == nullptr || (graph->nodes.empty() && graph->outputs.empty())) {
        findings.error("ONNX-002", "graph", "not an ONNX model: it has no graph, or a graph without nodes and outputs");
        return;
    }
    if (graph->outputs.empty()) {
        findings.error("ONNX-002", "graph/output", "not a whole ONNX model: no output is named, so nothing is computed",
                       "export the model with its outputs");
        return;
    }
    if (!document.hasIrVersion || document.irVersion < kFirstIr) {
        findings.error("ONNX-003", "ir_version",
                       document.hasIrVersion ? "IR version " + std::to_string(document.irVersion) + " is older than 3"
                                             : "the IR version is missing",
                       "export the model again with a current exporter");
    } else if (document.irVersion > kLastIr) {
        findings.warning("ONNX-004", "ir_version",
                         "IR version " + std::to_string(document.irVersion) + " is newer than 13, the newest known");
    }
    checkOpsets(document.opsets, true, findings);
    for (const FunctionProto& f : document.functions)
        checkOpsets(f.opsets, false, findings);
}

void checkContents(const Document& document, const char* fileBegin, const Limits& limits, Diagnostics& findings) {
    ContentCheck(document, fileBegin, limits, findings).run();
}

}  // namespace memplan::io::onnx

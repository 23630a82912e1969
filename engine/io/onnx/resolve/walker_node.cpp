// SPDX-License-Identifier: Apache-2.0
// One node of the walk: shapes by rule, by value_info or by the user's word, then folding
// (inputs-and-interchange 3.2 rule 10, 3.4).
#include "engine/base/text.h"
#include "engine/io/onnx/fold/fold.h"
#include "engine/io/onnx/read/failure.h"
#include "engine/io/onnx/read/gate.h"
#include "engine/io/onnx/resolve/walker.h"

#include <algorithm>
#include <array>

namespace memplan::io::onnx {

namespace {

bool isSequenceOp(std::string_view op) {
    static constexpr std::array<std::string_view, 12> kOps{"ConcatFromSequence", "Optional",      "OptionalGetElement",
                                                           "OptionalHasElement", "SequenceAt",    "SequenceConstruct",
                                                           "SequenceEmpty",      "SequenceErase", "SequenceInsert",
                                                           "SequenceLength",     "SequenceMap",   "SplitToSequence"};
    return std::find(kOps.begin(), kOps.end(), op) != kOps.end();
}

/// Fallbacks whose declared shape counts before that of the first input.
bool isDeclaredFirst(std::string_view op) {
    return op == "CumProd" || op == "LinearAttention" || op == "CausalConvWithState" || op == "SwiGLU";
}

bool isLoop(const Node& node) {
    return node.domain.empty() && (node.op == "Loop" || node.op == "Scan");
}

std::string opText(const Node& node) {
    return node.domain.empty() ? node.op : node.domain + "::" + node.op;
}

/// A declared shape with numbers only; symbols count when they are bound.
std::optional<Shape> completeShape(const TypeProto& type, const std::vector<DimSymbol>& dims) {
    if (type.kind != TypeProto::Kind::Tensor || !type.hasShape) return std::nullopt;
    Shape shape;
    for (const DimProto& d : type.dims) {
        if (d.kind == DimProto::Kind::Fixed && d.value >= 0) {
            shape.push_back(d.value);
            continue;
        }
        const auto bound = std::find_if(dims.begin(), dims.end(), [&](const DimSymbol& s) {
            return d.kind == DimProto::Kind::Symbol && s.name == d.symbol;
        });
        if (bound == dims.end()) return std::nullopt;
        shape.push_back(bound->value);
    }
    return shape;
}

}  // namespace

Node ModelWalker::buildNode(const NodeProto& proto, std::string where) {
    Frame& frame = stack_.back();
    Node node;
    node.op = std::string(proto.opType);
    node.domain = proto.domain == "ai.onnx" ? std::string() : std::string(proto.domain);
    node.name = proto.name.empty() ? std::string() : frame.prefix + std::string(proto.name);
    node.where = std::move(where);
    node.index = static_cast<int>(model_.nodes.size());
    for (const std::string_view input : proto.inputs)
        node.inputs.push_back(input.empty() ? -1 : lookUp(input, frame.scope));
    const bool constant = node.op == "Constant" && node.domain.empty();
    for (const AttributeProto& a : proto.attributes) {
        if (const AttributeProto* actual = resolved(a))
            node.attributes[std::string(a.name)] = convert(*actual, !constant);
    }
    for (const std::string_view output : proto.outputs) {
        const int index = output.empty() ? -1 : addValue(output, frame);
        node.outputs.push_back(index);
        if (index >= 0) producer_[static_cast<std::size_t>(index)] = node.index;
    }
    return node;
}

bool ModelWalker::useDeclared(NodeContext& c, const NodeProto& proto, std::size_t output, bool outputsToo) {
    const Frame& frame = stack_.back();
    const auto at = frame.declared->find(proto.outputs[output]);
    if (at == frame.declared->end()) return false;
    const auto& outputs = frame.graph->outputs;
    const bool isOutput =
        !outputs.empty() && at->second >= outputs.data() && at->second < outputs.data() + outputs.size();
    if (isOutput && !outputsToo) return false;
    const std::optional<Shape> shape = completeShape(at->second->type, model_.dims);
    if (!shape) return false;
    c.out(output, *shape, at->second->type.elemType);
    return true;
}

// --bind VALUE:AXIS=N for every axis from 0 on.
bool ModelWalker::useTyped(NodeContext& c, std::size_t output) {
    const auto typed = bound_.typed.find(c.output(output).name);
    if (typed == bound_.typed.end()) return false;
    Shape shape;
    for (const auto& [axis, extent] : typed->second) {
        if (axis != static_cast<std::int64_t>(shape.size())) return false;
        shape.push_back(extent);
    }
    usedShapes_.insert(typed->first);
    c.out(output, shape, c.has(0) ? c.type(0) : static_cast<int>(kFloat));
    return true;
}

bool ModelWalker::useKnownShapes(NodeContext& c, const NodeProto& proto, bool declared) {
    bool all = true;
    for (std::size_t i = 0; i < c.outputCount(); ++i) {
        if (!c.wants(i) || c.written(i)) continue;
        all = (useTyped(c, i) || (declared && useDeclared(c, proto, i, true))) && all;
    }
    return all;
}

void ModelWalker::checkAttributes(const ShapeRule& rule, const Node& node, std::int64_t opset) {
    if (opset <= kLastOpset || !node.domain.empty()) return;
    for (const auto& [name, value] : node.attributes) {
        if (knowsAttribute(rule, name)) continue;
        findings_.warning("ONNX-031", node.where + "/attribute[" + shown(name) + "]",
                          node.op + ": the attribute \"" + shown(name) + "\" is not known and was ignored");
    }
}

void ModelWalker::inferShapes(NodeContext& c, Node& node, const NodeProto& proto) {
    const bool map =
        node.domain == "ai.onnx.ml" && (node.op == "ZipMap" || node.op == "CastMap" || node.op == "DictVectorizer");
    if (map || (node.domain.empty() && isSequenceOp(node.op))) {
        failImport("ONNX-044", node.where, node.op + ": sequences, maps and optional values are not supported",
                   "replace them by tensors and export again");
    }
    const ShapeRule* rule = findRule(node.domain, node.op);
    if (isLoop(node)) {
        node.fallback = true;
        inferLoop(c, proto);
        captureOuter(node, proto);
    } else if (rule != nullptr) {
        checkAttributes(*rule, node, c.opset());
        checkAttributeTypes(node);
        node.fallback = isDeclaredFirst(node.op);
        const bool declared = node.fallback && useKnownShapes(c, proto, true);
        try {
            if (!declared) rule->infer(c);
        } catch (const ImportFailure& failure) {
            const bool mayDeclare = c.dataDependent();
            if (failure.diagnostic.code != "ONNX-041" || !useKnownShapes(c, proto, mayDeclare)) throw;
        }
    } else {
        node.fallback = true;
    }
    if (useKnownShapes(c, proto, true)) return;
    for (std::size_t i = 0; i < c.outputCount(); ++i) {
        if (!c.wants(i) || c.written(i)) continue;
        const std::string name = shown(c.output(i).name);
        failImport("ONNX-030", node.where, "shape of \"" + name + "\" unknown behind op " + shown(opText(node)),
                   "type its shape as --bind " + name + ":0=N --bind " + name +
                       ":1=N and so on, or add value_info to the model");
    }
}

// Loop-carried values keep the shape of their initial values; scan outputs are stacked.
void ModelWalker::inferLoop(NodeContext& c, const NodeProto& proto) {
    findings_.warning("ONNX-046", c.node().where, c.node().op + " is planned as one opaque op");
    (void)useKnownShapes(c, proto, true);
    const bool scan = c.node().op == "Scan";
    const AttributeProto* body = attributeOf(proto, "body");
    if (body == nullptr || body->graph < 0) c.failShape("the attribute \"body\" is missing");
    const GraphProto& graph = document_.graphs[static_cast<std::size_t>(body->graph)];
    const std::size_t firstState = scan ? 0 : 2;
    const auto scanInputs = static_cast<std::size_t>(
        std::clamp<std::int64_t>(c.attr("num_scan_inputs", 0), 0, static_cast<std::int64_t>(c.inputCount())));
    const std::size_t states = c.inputCount() - std::min(c.inputCount(), scan ? scanInputs : firstState);
    std::optional<std::int64_t> trips;
    if (scan && scanInputs > 0 && c.has(states) && c.rank(states) > 0) trips = c.shape(states)[0];
    if (const auto count = c.integers(0); !scan && count && count->size() == 1)
        trips = std::max<std::int64_t>((*count)[0], 0);
    for (std::size_t i = 0; i < c.outputCount(); ++i) {
        if (!c.wants(i) || c.written(i)) continue;
        if (i < states) {
            if (c.has(firstState + i)) c.out(i, c.shape(firstState + i), c.type(firstState + i));
            continue;
        }
        const std::size_t inner = i + (scan ? 0 : 1);
        if (!trips || inner >= graph.outputs.size()) continue;
        std::optional<Shape> shape = completeShape(graph.outputs[inner].type, model_.dims);
        if (!shape) continue;
        shape->insert(shape->begin(), *trips);
        c.out(i, *shape, graph.outputs[inner].type.elemType);
    }
}

// What the body reads from outside are operands too: their lifetimes reach to the loop.
void ModelWalker::captureOuter(Node& node, const NodeProto& proto) {
    const AttributeProto* body = attributeOf(proto, "body");
    if (body == nullptr || body->graph < 0) return;
    for (const std::string_view name : document_.graphs[static_cast<std::size_t>(body->graph)].captured) {
        const int value = lookUp(name, stack_.back().scope);
        if (value >= 0 && std::find(node.inputs.begin(), node.inputs.end(), value) == node.inputs.end())
            node.inputs.push_back(value);
    }
}

void ModelWalker::compareDeclared(const NodeContext& c, const NodeProto& proto) {
    const Frame& frame = stack_.back();
    for (std::size_t i = 0; i < c.outputCount(); ++i) {
        if (!c.wants(i)) continue;
        const auto at = frame.declared->find(proto.outputs[i]);
        if (at == frame.declared->end()) continue;
        const TypeProto& type = at->second->type;
        const Value& value = c.output(i);
        if (type.kind != TypeProto::Kind::Tensor || !type.hasShape) continue;
        bool differs = type.dims.size() != value.shape.size();
        for (std::size_t d = 0; !differs && d < type.dims.size(); ++d) {
            differs = type.dims[d].kind == DimProto::Kind::Fixed && type.dims[d].value >= 0 &&
                      type.dims[d].value != value.shape[d];
        }
        if (!differs) continue;
        std::vector<std::string> declared;
        for (const DimProto& d : type.dims)
            declared.push_back(d.kind == DimProto::Kind::Fixed ? std::to_string(d.value) : "?");
        findings_.warning("ONNX-032", c.node().where,
                          "\"" + shown(value.name) + "\" is declared as " +
                              (declared.empty() ? "scalar" : text::join(declared, " x ")) + " and computed as " +
                              text::shapeText(value.shape) + "; the computed shape counts");
    }
}

void ModelWalker::setConstant(const NodeContext& c, const NodeProto& proto) {
    const int index = c.node().outputs[0];
    Value& value = model_.values[static_cast<std::size_t>(index)];
    const AttributeProto* tensor = attributeOf(proto, "value");
    if (tensor != nullptr && tensor->tensor >= 0)
        return setTensor(value, index, document_.tensors[static_cast<std::size_t>(tensor->tensor)]);
    value.isConstant = true;
    if (const auto list = c.attrInts("value_ints");
        list && static_cast<std::int64_t>(list->size()) <= limits_.foldedElements)
        setFolded(value, FoldedValue(*list));
    if (const auto list = c.attrReals("value_floats");
        list && static_cast<std::int64_t>(list->size()) <= limits_.foldedElements)
        setFolded(value, FoldedValue(*list));
    if (c.hasAttr("value_int")) setFolded(value, FoldedValue(std::vector<std::int64_t>{c.attr("value_int", 0)}));
    if (c.hasAttr("value_float")) setFolded(value, FoldedValue(std::vector<double>{c.attrReal("value_float", 0)}));
}

void ModelWalker::foldNodeAway(NodeContext& c, Node& node, const NodeProto& proto) {
    const auto constant = [&](int v) { return v < 0 || model_.values[static_cast<std::size_t>(v)].isConstant; };
    const bool allConstant = std::all_of(node.inputs.begin(), node.inputs.end(), constant);
    if (node.domain.empty() && node.op == "Constant") {
        if (c.wants(0)) setConstant(c, proto);
    } else if (node.domain.empty() && isFoldable(node.op)) {
        const bool small = c.wants(0) && c.written(0) && c.product(c.output(0).shape) <= limits_.foldedElements;
        if (allConstant && small)
            for (const int v : node.inputs)
                makeKnown(v);
        FoldedOutputs values = foldNode(c);
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (values[i] && c.wants(i))
                setFolded(model_.values[static_cast<std::size_t>(node.outputs[i])], *std::move(values[i]));
        }
    }
    const bool known = c.wants(0) && c.output(0).folded.has_value();
    node.folded = known || allConstant;
    for (const int v : node.outputs)
        if (node.folded && v >= 0) model_.values[static_cast<std::size_t>(v)].isConstant = true;
}

void ModelWalker::computeNode(const NodeProto& proto, std::string where) {
    Node node = buildNode(proto, std::move(where));
    const OpsetMap& opsets = *stack_.back().opsets;
    const auto version = opsets.find(std::string_view(node.domain));
    const auto standard = opsets.find(std::string_view());
    const std::int64_t opset = version != opsets.end()    ? version->second
                               : standard != opsets.end() ? standard->second
                                                          : kLastOpset;
    // Contrib rules borrow the standard ones, hence the standard version.
    const bool borrowed = !node.domain.empty() && standard != opsets.end();
    NodeContext c(model_, node, borrowed ? standard->second : opset, limits_);
    inferShapes(c, node, proto);
    compareDeclared(c, proto);
    foldNodeAway(c, node, proto);
    model_.nodes.push_back(std::move(node));
}

}  // namespace memplan::io::onnx

// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/lower/lower.h"

#include "engine/base/text.h"
#include "engine/torchwright/lower/lowering.h"

#include <algorithm>
#include <utility>

namespace memplan::torchwright {

namespace lower {
namespace {

/// Hints name nodes by number and operations by id: one is never taken for the other.
std::int64_t aboveOpIds(const Graph& graph) {
    constexpr std::int64_t kMost = 1'000'000'000;
    std::int64_t first = 0;
    for (const Op& op : graph.ops)
        if (const auto number = text::parseInt(op.id); number && *number < kMost) first = std::max(first, *number + 1);
    return first;
}

bool isWhole(DType type) {
    const std::string_view name = dtypeName(type);
    return name.starts_with("i") || name.starts_with("u");
}

}  // namespace

std::int64_t elementsOf(const Shape& shape) {
    return elementCount(shape).value_or(0);
}

std::optional<double> numberAttr(const Op& op, std::string_view name) {
    const AttrValue* value = findAttr(op, name);
    if (value == nullptr) return std::nullopt;
    if (const auto* number = std::get_if<double>(value)) return *number;
    if (const auto* number = std::get_if<std::int64_t>(value)) return static_cast<double>(*number);
    return std::nullopt;
}

std::optional<int> loopOf(const IndexExpr& index) {
    if (index.dataDependent || index.constant != 0 || index.terms.size() != 1) return std::nullopt;
    return index.terms[0].coefficient == 1 ? std::optional(index.terms[0].loop) : std::nullopt;
}

Lowering::Lowering(const Graph& graph)
    : graph_(graph), make_(aboveOpIds(graph)), items_(graph.tensors.size()), readers_(graph.tensors.size(), 0) {
    for (const Op& op : graph.ops)
        for (const TensorId input : op.inputs)
            if (input.isValid()) ++readers_[input.at()];
    for (const TensorId output : graph.outputs)
        ++readers_[output.at()];
}

Result<LoweredGraph> Lowering::run() {
    if (!takeTensors()) return makeError("TW-001", "inputs", why_, "open a graph of one sequence, batch 1");
    for (std::size_t i = 0; i < graph_.ops.size(); ++i)
        if (!lowerOp(i)) return failure(i);
    return finish();
}

bool Lowering::refuse(std::string why) {
    if (why_.empty()) why_ = std::move(why);
    return false;
}

bool Lowering::fitsStream(std::int64_t columns) {
    return columns <= kMostColumns || refuse("it is wider than a stream can be");
}

bool Lowering::isCanonical(TensorId id) const {
    const Value* v = value(id);
    const Shape& shape = shapeOf(id);
    if (v == nullptr) return false;
    const std::int64_t last = shape.empty() || v->tokenAxis == static_cast<int>(shape.size()) - 1 ? 1 : shape.back();
    return make_.width(v->node) == last;
}

bool Lowering::set(TensorId id, Value v) {
    items_[id.at()] = v;
    holders_[v.node].push_back(id);
    out_.tensors[make_.graph.at(v.node).number] = id;
    return true;
}

Value Lowering::like(TensorId result, TensorId operand, NodeId node) const {
    const Value* v = value(operand);
    if (v == nullptr || v->tokenAxis < 0) return {node, -1};
    const auto shift = static_cast<int>(shapeOf(result).size()) - static_cast<int>(shapeOf(operand).size());
    return {node, v->tokenAxis + shift};
}

// ---- inputs and results ------------------------------------------------------------------------------------------

bool Lowering::takeTensors() {
    for (std::size_t i = 0; i < graph_.tensors.size(); ++i) {
        const memplan::Tensor& t = graph_.tensors[i];
        if (t.role == TensorRole::Constant || t.role == TensorRole::Parameter) items_[i] = Fixed{t.value, false};
    }
    for (const TensorId id : graph_.inputs)
        if (!takeInput(id)) return false;
    for (std::size_t i = 0; i < graph_.tensors.size(); ++i) {
        const bool isState = graph_.tensors[i].role == TensorRole::State && !graph_.tensors[i].aliasOf.isValid();
        if (isState && std::holds_alternative<std::monostate>(items_[i]) && !takeInput(TensorId::of(i))) return false;
    }
    return true;
}

/// A tensor of whole numbers that does nothing but take rows of tables.
bool Lowering::isTokenIndex(TensorId id) const {
    if (!isWhole(graph_.tensor(id).dtype)) return false;
    return std::ranges::all_of(graph_.ops, [&](const Op& op) {
        const bool isRead = std::ranges::find(op.inputs, id) != op.inputs.end();
        return !isRead || (op.kind == OpKind::Gather && op.fn == "embedding" && op.inputs.size() == 2 &&
                           op.inputs[1] == id && op.inputs[0] != id);
    });
}

bool Lowering::takeInput(TensorId id) {
    const Shape& shape = shapeOf(id);
    const std::string& name = graph_.tensor(id).name.empty() ? graph_.tensor(id).id : graph_.tensor(id).name;
    const bool isIndex = isTokenIndex(id);
    Value v;
    const std::size_t leading = shape.empty() || isIndex ? shape.size() : shape.size() - 1;
    for (std::size_t d = 0; d < leading; ++d) {
        if (shape[d] == 1) continue;
        if (v.tokenAxis >= 0)
            return refuse("the input " + text::quoted(name) + " has two axes beside its features (" +
                          text::shapeText(shape) + "): one may count positions");
        v.tokenAxis = static_cast<int>(d);
        positions_ = std::max(positions_, shape[d]);
    }
    if (isIndex) {
        tokens_.insert(id);
        return true;
    }
    const std::int64_t width = shape.empty() ? 1 : shape.back();
    if (width < 1 || width > kMostColumns)
        return refuse("the input " + text::quoted(name) + " has " + text::grouped(width) + " features");
    v.node = make_.input(name, static_cast<Columns>(width));
    return set(id, v);
}

std::string Lowering::annotationOf(const Op& op) const {
    std::string path;
    for (GroupId at = op.group; at.isValid(); at = graph_.groups[at.at()].parent)
        path = graph_.groups[at.at()].id + (path.empty() ? "" : "/" + path);
    return path;
}

bool Lowering::lowerOp(std::size_t index) {
    const Op& op = graph_.ops[index];
    const std::size_t first = make_.graph.size();
    if (op.outputs.size() != 1) return refuse("it has several results");
    const std::int64_t elements = elementsOf(shapeOf(op.outputs.front()));
    if (elements < 1) return refuse("its result is empty");
    if (!allFixed(op) && !dispatch(op)) return false;
    make_.name(first, op.id, annotationOf(op));
    for (std::size_t i = first; i < make_.graph.size(); ++i) {
        if (!fitsStream(make_.graph.nodes[i].width)) return false;
        out_.ops.emplace(make_.graph.nodes[i].number, GraphOpId::of(index));
    }
    return true;
}

/// An operation on what does not depend on the inputs gives such a thing again; its values are kept where only the
/// shape changes.
bool Lowering::allFixed(const Op& op) {
    const bool isFixed =
        op.kind == OpKind::Constant || (!op.inputs.empty() && std::ranges::all_of(op.inputs, [&](TensorId id) {
            return !id.isValid() || fixed(id) != nullptr;
        }));
    const bool isPart = op.kind == OpKind::Copy && op.fn == "concat";
    if (!isFixed || isPart) return false;
    Fixed result;
    result.isCausal = op.kind == OpKind::Constant && op.fn == "causal_mask";
    const TensorId out = op.outputs.front();
    if (op.kind == OpKind::View && elementsOf(shapeOf(op.inputs.front())) == elementsOf(shapeOf(out)))
        result = *fixed(op.inputs.front());
    items_[out.at()] = std::move(result);
    return true;
}

bool Lowering::dispatch(const Op& op) {
    for (const TensorId input : op.inputs)
        if (input.isValid() && std::holds_alternative<std::monostate>(item(input)) && !tokens_.contains(input))
            return refuse("it reads a tensor that nothing computes");
    const bool isInAttention =
        std::ranges::any_of(op.inputs, [&](TensorId id) { return id.isValid() && attention(id) != nullptr; });
    if (isInAttention && op.kind != OpKind::BMM && op.kind != OpKind::MatMul) return attentionStep(op);
    switch (op.kind) {
    case OpKind::Pointwise:
        return pointwise(op);
    case OpKind::Reduction:
        return reduction(op);
    case OpKind::MatMul:
    case OpKind::BMM:
        return product(op);
    case OpKind::Gather:
        return gather(op);
    case OpKind::View:
        return view(op);
    case OpKind::Copy:
        return copy(op);
    default:
        return refuse("it is no affine map, ReLU or attention");
    }
}

std::optional<NodeId> Lowering::nodeOf(TensorId id) {
    if (const Value* v = value(id)) return v->node;
    const Fixed* f = fixed(id);
    if (f == nullptr || f->values.empty()) return std::nullopt;
    const Shape& shape = shapeOf(id);
    const bool isRow = shape.empty() || elementsOf(shape) == shape.back();
    return isRow ? std::optional(make_.literal(f->values)) : std::nullopt;
}

Error Lowering::failure(std::size_t index) const {
    const Op& op = graph_.ops[index];
    const std::string source = op.origin.op.empty() ? op.fn : op.origin.op;
    return makeError("TW-001", "op " + op.id,
                     "operation " + text::quoted(op.id) + " (" + text::escaped(source) +
                         ") has no torchwright form: " + (why_.empty() ? "its operands do not fit" : why_),
                     "take the operation out of the model, or compile for another target");
}

Result<LoweredGraph> Lowering::finish() {
    std::vector<NodeId> outputs;
    for (const TensorId id : graph_.outputs) {
        const std::size_t first = make_.graph.size();
        const auto node = nodeOf(id);
        if (!node)
            return makeError("TW-001", "tensor " + graph_.tensor(id).id,
                             "the output " + text::quoted(graph_.tensor(id).id) +
                                 " is no value of one position that is computed here",
                             "take the output out of the model, or compile for another target");
        if (make_.graph.size() > first) make_.name(first, graph_.tensor(id).id, "");
        if (std::ranges::find(outputs, *node) == outputs.end()) outputs.push_back(*node);
    }
    if (outputs.empty()) return makeError("TW-001", "outputs", "the graph has no output", "name one");
    const NodeId output = outputs.front();
    outputs.erase(outputs.begin());
    out_.nodes = make_.take(output, std::move(outputs));
    out_.nodes.name = graph_.name;
    return std::move(out_);
}

}  // namespace lower

Result<LoweredGraph> lowered(const Graph& graph) {
    return lower::Lowering(graph).run();
}

}  // namespace memplan::torchwright

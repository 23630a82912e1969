// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/lower/graph_rules.h"

#include "engine/base/text.h"
#include "engine/ttnn/lower/graph_groups.h"

#include <algorithm>
#include <unordered_map>

namespace memplan::ttnn::lower {

namespace {

/// Functions of single elements that TTIR has another word for.
std::string_view elementwiseKind(std::string_view fn) {
    static const std::unordered_map<std::string_view, std::string_view> kNames{
        {"sub", "subtract"},  {"mul", "multiply"},  {"max", "maximum"},        {"min", "minimum"},
        {"mod", "remainder"}, {"cast", "typecast"}, {"clamp", "clamp_scalar"}, {"square", "multiply"}};
    const auto it = kNames.find(fn);
    return it == kNames.end() ? fn : it->second;
}

std::string elementOfResult(const GraphWriter& w, const memplan::Op& op) {
    return elementOf(w.graph().tensor(op.outputs.front()).dtype);
}

std::optional<double> numberAttr(const memplan::Op& op, std::string_view name) {
    const AttrValue* value = findAttr(op, name);
    if (value == nullptr) return std::nullopt;
    if (const auto* number = std::get_if<double>(value)) return *number;
    if (const auto* number = std::get_if<std::int64_t>(value)) return static_cast<double>(*number);
    return std::nullopt;
}

Attributes elementwiseProperties(const memplan::Op& op) {
    if (op.fn == "clamp")
        return {{"max", floatText(numberAttr(op, "max").value_or(3.3895e38))},
                {"min", floatText(numberAttr(op, "min").value_or(-3.3895e38))}};
    if (op.fn == "leaky_relu") return {{"parameter", floatText(numberAttr(op, "alpha").value_or(0.01))}};
    return {};
}

/// Shape that an operand must have so that its dimensions stand where the loops are that read them: of the rank of the
/// result, sizes of 1 elsewhere. Nothing where that is no matter of sizes.
std::optional<Shape> alignedShape(const GraphWriter& w, const memplan::Op& op, std::size_t input) {
    const Shape& shape = w.shapeOf(op.inputs[input]);
    if (!op.hasIter || input >= op.inMaps.size() || !op.inMaps[input]) return shape;
    const auto& map = *op.inMaps[input];
    if (map.size() != shape.size() || shape.size() > op.iter.size()) return std::nullopt;
    Shape out(op.iter.size(), 1);
    int last = -1;
    for (std::size_t d = 0; d < map.size(); ++d) {
        if (shape[d] == 1) continue;
        const auto loop = plainLoop(map[d]);
        if (!loop || *loop <= last) return std::nullopt;
        out[static_cast<std::size_t>(*loop)] = shape[d];
        last = *loop;
    }
    // Leading sizes of 1 that the operand does not have say nothing.
    while (out.size() > shape.size() && out.front() == 1)
        out.erase(out.begin());
    return out.size() == shape.size() ? shape : out;
}

/// All operands of an elementwise operation; empty where one does not fit.
std::vector<ValueId> alignedOperands(GraphWriter& w, const memplan::Op& op) {
    std::vector<ValueId> operands;
    for (std::size_t i = 0; i < op.inputs.size(); ++i) {
        const auto shape = op.inputs[i].isValid() ? alignedShape(w, op, i) : std::nullopt;
        if (!shape) return {};
        operands.push_back(w.reshape(op, w.value(op.inputs[i]), *shape, "_reshape" + std::to_string(i)));
    }
    return operands;
}

/// An elementwise operation on images that exist with channels last stays there: each operand has all four dimensions
/// or is a single number.
bool worksChannelsLast(const GraphWriter& w, const memplan::Op& op) {
    if (op.outputs.size() != 1 || w.shapeOf(op.outputs[0]).size() != 4) return false;
    bool isAny = false;
    for (const TensorId input : op.inputs) {
        if (!input.isValid()) return false;
        const Shape& shape = w.shapeOf(input);
        const bool isNumber = std::ranges::all_of(shape, [](std::int64_t n) { return n == 1; });
        if (shape.size() != 4 && !isNumber) return false;
        isAny = isAny || w.isChannelsLastOnly(input);
    }
    return isAny;
}

bool writeElementwise(GraphWriter& w, const memplan::Op& op) {
    if (op.outputs.size() != 1 || op.inputs.empty()) return false;
    const std::string_view kind = elementwiseKind(op.fn);
    if (worksChannelsLast(w, op)) {
        std::vector<ValueId> operands;
        for (const TensorId input : op.inputs)
            operands.push_back(w.shapeOf(input).size() == 4 ? w.channelsLast(input) : w.value(input));
        if (op.fn == "square") operands.push_back(operands.front());
        const ValueId made =
            w.emit(op, kind, std::move(operands), reordered(w.shapeOf(op.outputs[0]), toChannelsLast()),
                   elementOfResult(w, op), elementwiseProperties(op));
        w.setChannelsLast(op.outputs[0], made);
        return true;
    }
    auto operands = alignedOperands(w, op);
    if (operands.empty()) return false;
    if (op.fn == "square") operands.push_back(operands.front());
    finish(w, op, kind, std::move(operands), elementwiseProperties(op));
    return true;
}

std::string_view reductionKind(std::string_view fn) {
    if (fn == "any") return "reduce_or";
    return fn == "all" ? "reduce_and" : fn;
}

bool writeReduction(GraphWriter& w, const memplan::Op& op) {
    const auto axes = reducedAxes(w.graph(), op);
    const bool isKnown = op.fn == "sum" || op.fn == "max" || op.fn == "min" || op.fn == "mean" || op.fn == "prod" ||
                         op.fn == "any" || op.fn == "all" || op.fn == "argmax" || op.fn == "sumsq";
    if (!axes || op.outputs.size() != 1 || !isKnown) return false;
    const Shape& in = w.shapeOf(op.inputs[0]);
    const Shape& out = w.shapeOf(op.outputs[0]);
    const bool isKept = in.size() == out.size();
    if (!isKept && in.size() - axes->size() != out.size()) return false;
    const bool isLast = isKept && in.size() == 4 && w.isChannelsLastOnly(op.inputs[0]);
    Shape dims;
    for (const int axis : *axes) {
        const auto& order = toChannelsFirst();
        // Where the dimension has gone.
        dims.push_back(isLast ? order[static_cast<std::size_t>(axis)] : axis);
    }
    std::ranges::sort(dims);
    ValueId x = isLast ? w.channelsLast(op.inputs[0]) : w.value(op.inputs[0]);
    const Shape shape = isLast ? reordered(out, toChannelsLast()) : out;
    const std::string element = elementOf(w.graph().tensor(op.inputs[0]).dtype);
    if (op.fn == "sumsq")
        x = w.emit(op, "multiply", {x, x}, isLast ? reordered(in, toChannelsLast()) : in, element, {}, "_square");
    const std::string_view kind = op.fn == "sumsq" ? std::string_view("sum") : reductionKind(op.fn);
    const ValueId made = w.emit(op, kind, {x}, shape, elementOfResult(w, op),
                                {{"dim_arg", listText(dims)}, {"keep_dim", isKept ? "true" : "false"}});
    isLast ? w.setChannelsLast(op.outputs[0], made) : w.set(op.outputs[0], made);
    return true;
}

/// A table and the numbers of the rows that are taken.
bool writeGather(GraphWriter& w, const memplan::Op& op) {
    if (op.fn != "embedding" || op.inputs.size() != 2 || op.outputs.size() != 1) return false;
    finish(w, op, "embedding", {w.value(op.inputs[1]), w.value(op.inputs[0])}, {});
    return true;
}

/// A row of numbers is counted on the device; what else is made of nothing is made beforehand.
bool writeConstant(GraphWriter& w, const memplan::Op& op) {
    if (op.outputs.size() != 1 || !op.inputs.empty()) return false;
    const TensorId out = op.outputs[0];
    if (op.fn != "arange" || w.shapeOf(out).size() != 1) {
        w.set(out, w.constantArgument(out));
        return true;
    }
    finish(w, op, "arange", {},
           {{"arange_dimension", "0 : i64"},
            {"end", std::to_string(w.shapeOf(out)[0]) + " : si64"},
            {"start", "0 : si64"},
            {"step", "1 : si64"}});
    return true;
}

bool writeByKind(GraphWriter& w, const memplan::Op& op) {
    switch (op.kind) {
    case OpKind::Pointwise:
        return writeElementwise(w, op);
    case OpKind::Reduction:
        return writeReduction(w, op);
    case OpKind::MatMul:
    case OpKind::BMM:
        return writeProduct(w, op);
    case OpKind::Conv:
    case OpKind::Pool:
        return writeImageOp(w, op);
    case OpKind::Gather:
        return writeGather(w, op);
    case OpKind::View:
        return writeView(w, op);
    case OpKind::Copy:
        return writeCopy(w, op);
    case OpKind::Constant:
        return writeConstant(w, op);
    default:
        return false;
    }
}

/// As a word of MLIR.
std::string wordOf(std::string_view fn) {
    std::string out;
    for (const char c : fn) {
        const bool isPart = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
        out += isPart ? c : '_';
    }
    return out.empty() ? "operation" : out;
}

/// Operands and results under the kind's own name, which lowering does not know: a word that it does know would promise
/// another form.
void writeOpaque(GraphWriter& w, const memplan::Op& op) {
    std::vector<ValueId> operands;
    for (const TensorId input : op.inputs) {
        if (input.isValid()) operands.push_back(w.value(input));
    }
    for (std::size_t i = 0; i < op.outputs.size(); ++i) {
        const Tensor& out = w.graph().tensor(op.outputs[i]);
        const std::string kind = std::string(opKindName(op.kind)) + "_" + wordOf(op.fn);
        w.set(op.outputs[i], w.emit(op, kind, operands, out.shape, elementOf(out.dtype), {},
                                    i == 0 ? std::string() : "_" + std::to_string(i)));
    }
}

}  // namespace

void writeOp(GraphWriter& w, const memplan::Op& op) {
    if (!writeByKind(w, op)) writeOpaque(w, op);
}

void finish(GraphWriter& w, const memplan::Op& op, std::string_view kind, std::vector<ValueId> operands,
            Attributes properties) {
    w.set(op.outputs.front(), w.emit(op, kind, std::move(operands), w.shapeOf(op.outputs.front()),
                                     elementOfResult(w, op), std::move(properties)));
}

std::string floatText(double number) {
    std::string digits = memplan::text::number(number);
    if (digits.find('.') == std::string::npos) {
        const std::size_t e = digits.find_first_of("eE");
        digits.insert(e == std::string::npos ? digits.size() : e, ".0");
    }
    return digits + " : f32";
}

std::optional<std::vector<std::int64_t>> integersAttr(const memplan::Op& op, std::string_view name) {
    const AttrValue* value = findAttr(op, name);
    const auto* list = value == nullptr ? nullptr : std::get_if<std::vector<std::int64_t>>(value);
    return list == nullptr ? std::nullopt : std::optional(*list);
}

std::optional<int> plainLoop(const IndexExpr& index) {
    if (index.dataDependent || index.constant != 0 || index.terms.size() != 1) return std::nullopt;
    return index.terms[0].coefficient == 1 ? std::optional(index.terms[0].loop) : std::nullopt;
}

}  // namespace memplan::ttnn::lower

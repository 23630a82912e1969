// SPDX-License-Identifier: Apache-2.0
// Products, convolutions and pools of a neutral graph.
#include "engine/ttnn/lower/graph_rules.h"

#include <algorithm>

namespace memplan::ttnn::lower {

namespace {

/// One factor: the loops of its dimensions.
using Loops = std::vector<int>;

/// -1 for a size of 1 that no loop reads.
std::optional<Loops> loopsOf(const GraphWriter& w, TensorId tensor, const OperandMap& map) {
    if (!map || map->size() != w.shapeOf(tensor).size()) return std::nullopt;
    Loops out;
    for (std::size_t d = 0; d < map->size(); ++d) {
        const auto loop = plainLoop((*map)[d]);
        if (!loop && w.shapeOf(tensor)[d] != 1) return std::nullopt;
        out.push_back(loop.value_or(-1));
    }
    return out;
}

/// The last two dimensions are rows and columns of the factor, or the other way round.
std::optional<bool> isSwapped(const Loops& loops, int row, int column) {
    const int a = loops[loops.size() - 2], b = loops[loops.size() - 1];
    const auto is = [](int loop, int wanted) { return loop == wanted || loop < 0; };
    if (is(a, row) && is(b, column)) return false;
    if (is(a, column) && is(b, row)) return true;
    return std::nullopt;
}

/// Shape of a factor whose batches stand where those of the result do, sizes of 1 where it has none: a key that several
/// heads share. Nothing where they stand in another order.
std::optional<Shape> alignedBatches(const GraphWriter& w, TensorId tensor, const Loops& loops, const Loops& out) {
    const Shape& shape = w.shapeOf(tensor);
    const std::size_t batches = shape.size() - 2;
    Shape aligned;
    std::size_t next = 0;
    for (std::size_t d = 0; d + 2 < out.size(); ++d) {
        const bool isHere = next < batches && (loops[next] == out[d] || (loops[next] < 0 && batches == out.size() - 2));
        aligned.push_back(isHere ? shape[next++] : 1);
    }
    if (next < batches) return std::nullopt;
    while (aligned.size() > batches && aligned.front() == 1)
        aligned.erase(aligned.begin());
    aligned.insert(aligned.end(), shape.end() - 2, shape.end());
    return aligned;
}

std::int64_t attr(const memplan::Op& op, std::string_view name, std::int64_t otherwise) {
    const AttrValue* value = findAttr(op, name);
    const auto* number = value == nullptr ? nullptr : std::get_if<std::int64_t>(value);
    return number == nullptr ? otherwise : *number;
}

/// Two numbers of a list that has none in some files.
Shape pairAttr(const memplan::Op& op, std::string_view name, const Shape& otherwise) {
    const auto list = integersAttr(op, name);
    return list && list->size() == 2 ? *list : otherwise;
}

Attributes windowProperties(const memplan::Op& op) {
    const auto pads = integersAttr(op, "pads");
    return {{"dilation", array32Text(pairAttr(op, "dilations", {1, 1}))},
            {"padding", array32Text(pads && pads->size() == 4 ? *pads : Shape{0, 0, 0, 0})},
            {"stride", array32Text(pairAttr(op, "strides", {1, 1}))}};
}

/// A transposed convolution whose strides the graph does not have: without padding the sizes say them.
std::optional<Shape> transposedStride(const Shape& in, const Shape& out, const Shape& kernel) {
    Shape stride;
    for (std::size_t i = 0; i < 2; ++i) {
        const std::int64_t steps = in[i + 2] - 1, room = out[i + 2] - kernel[i + 2];
        if (steps < 1 || room < 0 || room % steps != 0 || room / steps < 1) return std::nullopt;
        stride.push_back(room / steps);
    }
    return stride;
}

bool writeConvolution(GraphWriter& w, const memplan::Op& op) {
    const bool isTransposed = op.fn == "conv_transpose2d";
    if ((op.fn != "conv2d" && !isTransposed) || op.inputs.size() < 2 || !op.inputs[1].isValid()) return false;
    const Shape weights = w.shapeOf(op.inputs[1]);
    const Shape in = w.shapeOf(op.inputs[0]), out = w.shapeOf(op.outputs[0]);
    if (weights.size() != 4) return false;
    Attributes properties = windowProperties(op);
    properties.push_back({"groups", i32Text(attr(op, "group", 1))});
    if (isTransposed && findAttr(op, "strides") == nullptr) {
        const auto stride = transposedStride(in, out, weights);
        if (!stride) return false;
        setAttribute(properties, "stride", array32Text(*stride));
    }
    std::vector<ValueId> operands{w.channelsLast(op.inputs[0]), w.value(op.inputs[1])};
    if (op.inputs.size() > 2 && op.inputs[2].isValid()) {
        const auto channels = elementsOf(w.shapeOf(op.inputs[2]));
        operands.push_back(w.reshape(op, w.value(op.inputs[2]), {1, 1, 1, channels}, "_bias"));
    }
    std::ranges::sort(properties, {}, &Attribute::name);
    w.setChannelsLast(op.outputs[0], w.emit(op, op.fn, std::move(operands), reordered(out, toChannelsLast()),
                                            elementOf(w.graph().tensor(op.outputs[0]).dtype), std::move(properties)));
    return true;
}

bool isRoundedUp(const memplan::Op& op, const Shape& in, const Shape& out, const Shape& kernel) {
    const Shape stride = pairAttr(op, "strides", {1, 1}), dilation = pairAttr(op, "dilations", {1, 1});
    const auto pads = integersAttr(op, "pads").value_or(Shape{0, 0, 0, 0});
    if (pads.size() != 4 || stride[0] < 1) return false;
    return (in[2] + pads[0] + pads[2] - dilation[0] * (kernel[0] - 1) - 1) / stride[0] + 1 < out[2];
}

bool writePool(GraphWriter& w, const memplan::Op& op) {
    const auto kernel = integersAttr(op, "kernel");
    if ((op.fn != "max" && op.fn != "avg") || !kernel || kernel->size() != 2) return false;
    const Shape in = w.shapeOf(op.inputs[0]), out = w.shapeOf(op.outputs[0]);
    Attributes properties = windowProperties(op);
    properties.push_back({"kernel", array32Text(*kernel)});
    properties.push_back({"ceil_mode", isRoundedUp(op, in, out, *kernel) ? "true" : "false"});
    std::ranges::sort(properties, {}, &Attribute::name);
    w.setChannelsLast(op.outputs[0], w.emit(op, op.fn == "max" ? "max_pool2d" : "avg_pool2d",
                                            {w.channelsLast(op.inputs[0])}, reordered(out, toChannelsLast()),
                                            elementOf(w.graph().tensor(op.outputs[0]).dtype), std::move(properties)));
    return true;
}

}  // namespace

bool writeImageOp(GraphWriter& w, const memplan::Op& op) {
    if (op.inputs.empty() || !op.inputs[0].isValid() || op.outputs.size() != 1) return false;
    if (w.shapeOf(op.inputs[0]).size() != 4 || w.shapeOf(op.outputs[0]).size() != 4) return false;
    return op.kind == OpKind::Conv ? writeConvolution(w, op) : writePool(w, op);
}

bool writeProduct(GraphWriter& w, const memplan::Op& op) {
    if (!op.hasIter || op.inputs.size() != 2 || op.outputs.size() != 1 || op.outMaps.size() != 1) return false;
    if (!op.inputs[0].isValid() || !op.inputs[1].isValid()) return false;
    const auto a = loopsOf(w, op.inputs[0], op.inMaps[0]), b = loopsOf(w, op.inputs[1], op.inMaps[1]);
    const auto out = loopsOf(w, op.outputs[0], op.outMaps[0]);
    const auto inner = std::ranges::find(op.iter, IterKind::Reduction, &IterDim::kind);
    if (!a || !b || !out || inner == op.iter.end() || a->size() < 2 || b->size() < 2 || out->size() < 2) return false;
    const auto k = static_cast<int>(inner - op.iter.begin());
    const int m = (*out)[out->size() - 2], n = (*out)[out->size() - 1];
    const auto swapsA = isSwapped(*a, m, k), swapsB = isSwapped(*b, k, n);
    if (!swapsA || !swapsB) return false;
    const auto left = alignedBatches(w, op.inputs[0], *a, *out), right = alignedBatches(w, op.inputs[1], *b, *out);
    if (!left || !right) return false;
    const ValueId lhs = w.reshape(op, w.value(op.inputs[0]), *left, "_reshape_lhs");
    const ValueId rhs = w.reshape(op, w.value(op.inputs[1]), *right, "_reshape_rhs");
    finish(w, op, "matmul", {lhs, rhs},
           {{"transpose_a", *swapsA ? "true" : "false"}, {"transpose_b", *swapsB ? "true" : "false"}});
    return true;
}

}  // namespace memplan::ttnn::lower

// SPDX-License-Identifier: Apache-2.0
// Known values through operators that move elements: positions are computed once and apply to integers
// and reals alike (inputs-and-interchange 3.4).
#include "engine/io/onnx/fold/fold.h"
#include "engine/io/onnx/rules/movement.h"

namespace memplan::io::onnx {

namespace {

FoldedOutputs single(FoldedValue value) {
    FoldedOutputs out(1);
    out[0] = std::move(value);
    return out;
}

FoldedOutputs taken(const NodeContext& c, const std::vector<std::size_t>& positions) {
    return single(takeElements(*c.input(0).folded, positions));
}

FoldedOutputs foldTranspose(const NodeContext& c) {
    const std::vector<std::int64_t> own = rowStrides(c.shape(0));
    std::vector<std::int64_t> strides;
    for (const std::size_t axis : permutation(c))
        strides.push_back(own[axis]);
    return taken(c, stridedPositions(c.output(0).shape, strides, 0));
}

FoldedOutputs foldSlice(const NodeContext& c) {
    std::vector<std::int64_t> strides = rowStrides(c.shape(0));
    std::int64_t base = 0;
    for (const SliceAxis& s : slicedAxes(c)) {
        base += s.start * strides[s.axis];
        // A step above the extent is used at most once, so the product is never needed then.
        strides[s.axis] = s.count > 1 ? strides[s.axis] * s.step : 0;
    }
    return taken(c, stridedPositions(c.output(0).shape, strides, base));
}

FoldedOutputs foldSplit(const NodeContext& c) {
    const SplitPlan plan = splitPlan(c);
    const std::vector<std::int64_t> strides = rowStrides(c.shape(0));
    FoldedOutputs out(c.outputCount());
    std::int64_t start = 0;
    for (std::size_t i = 0; i < out.size(); ++i) {
        if (c.wants(i))
            out[i] = takeElements(*c.input(0).folded,
                                  stridedPositions(c.output(i).shape, strides, start * strides[plan.axis]));
        start += plan.sizes[i];
    }
    return out;
}

FoldedOutputs foldTile(const NodeContext& c) {
    const Shape& in = c.shape(0);
    const Shape& out = c.output(0).shape;
    const std::vector<std::int64_t> strides = rowStrides(in);
    const std::vector<std::int64_t> outStrides = rowStrides(out);
    const std::int64_t count = c.product(out);
    std::vector<std::size_t> positions;
    for (std::int64_t i = 0; i < count; ++i) {
        std::int64_t at = 0;
        for (std::size_t d = 0; d < out.size(); ++d)
            at += (i / outStrides[d] % out[d]) % in[d] * strides[d];
        positions.push_back(static_cast<std::size_t>(at));
    }
    return taken(c, positions);
}

/// An index counted from the end when negative; ONNX-042 outside the axis.
std::int64_t checkedIndex(const NodeContext& c, std::int64_t index, std::int64_t extent) {
    if (index >= -extent && index < extent) return index < 0 ? index + extent : index;
    c.failShape("index " + std::to_string(index) + " is outside an axis of " + std::to_string(extent));
}

FoldedOutputs foldGather(const NodeContext& c) {
    const Shape& x = c.shape(0);
    const std::size_t axis = c.axis(c.attr("axis", 0), x.size());
    const auto indices = *c.integers(1);
    std::int64_t outer = 1, inner = 1;
    for (std::size_t d = 0; d < axis; ++d)
        outer *= x[d];
    for (std::size_t d = axis + 1; d < x.size(); ++d)
        inner *= x[d];
    std::vector<std::size_t> positions;
    for (std::int64_t o = 0; o < outer; ++o) {
        for (const std::int64_t index : indices) {
            const std::int64_t from = (o * x[axis] + checkedIndex(c, index, x[axis])) * inner;
            for (std::int64_t i = 0; i < inner; ++i)
                positions.push_back(static_cast<std::size_t>(from + i));
        }
    }
    return taken(c, positions);
}

FoldedOutputs foldGatherElements(const NodeContext& c) {
    const Shape& x = c.shape(0);
    const Shape& out = c.output(0).shape;
    const std::size_t axis = c.axis(c.attr("axis", 0), x.size());
    const auto indices = *c.integers(1);
    for (std::size_t d = 0; d < x.size(); ++d)
        if (d != axis && out[d] > x[d]) c.failShape("the indices are larger than the data");
    const std::vector<std::int64_t> strides = rowStrides(x);
    std::vector<std::int64_t> other(strides);
    other[axis] = 0;
    std::vector<std::size_t> positions = stridedPositions(out, other, 0);
    for (std::size_t i = 0; i < positions.size(); ++i) {
        positions[i] += static_cast<std::size_t>(checkedIndex(c, indices[i], x[axis]) * strides[axis]);
    }
    return taken(c, positions);
}

template <class T> FoldedValue concatLists(const NodeContext& c, std::size_t axis) {
    const Shape& out = c.output(0).shape;
    std::int64_t outer = 1;
    for (std::size_t d = 0; d < axis; ++d)
        outer *= out[d];
    std::vector<T> result;
    for (std::int64_t o = 0; o < outer; ++o) {
        for (std::size_t i = 0; i < c.inputCount(); ++i) {
            if (!c.has(i)) continue;
            const auto& list = std::get<std::vector<T>>(*c.input(i).folded);
            const auto chunk = static_cast<std::ptrdiff_t>(list.size()) / outer;
            result.insert(result.end(), list.begin() + o * chunk, list.begin() + (o + 1) * chunk);
        }
    }
    return FoldedValue(std::move(result));
}

FoldedOutputs foldConcat(const NodeContext& c) {
    const std::size_t axis = c.axis(c.attr("axis", 1), c.rank(0));
    for (std::size_t i = 1; i < c.inputCount(); ++i)
        if (c.has(i) && c.input(i).folded->index() != c.input(0).folded->index()) return FoldedOutputs(1);
    const bool integers = std::holds_alternative<std::vector<std::int64_t>>(*c.input(0).folded);
    return single(integers ? concatLists<std::int64_t>(c, axis) : concatLists<double>(c, axis));
}

}  // namespace

FoldedOutputs foldMovement(const NodeContext& c) {
    const std::string& op = c.node().op;
    // Other axes of an empty tensor may have any extent: do not walk over them.
    if (c.product(c.output(0).shape) == 0 && op != "Split") return taken(c, {});
    if (c.product(c.shape(0)) == 0 && op == "Split")
        return FoldedOutputs(c.outputCount(), takeElements(*c.input(0).folded, {}));
    if (op == "Transpose") return foldTranspose(c);
    if (op == "Slice") return foldSlice(c);
    if (op == "Split") return foldSplit(c);
    if (op == "Expand") return taken(c, broadcastPositions(c.shape(0), c.output(0).shape));
    if (op == "Tile") return foldTile(c);
    if (op == "Gather") return foldGather(c);
    if (op == "GatherElements") return foldGatherElements(c);
    if (op == "Concat") return foldConcat(c);
    return single(*c.input(0).folded);  // Identity and the reshapes
}

}  // namespace memplan::io::onnx

// SPDX-License-Identifier: Apache-2.0
// Operators that take parts, put parts together or repeat: slice, split, concat, pad, expand, tile.
#include "engine/base/numeric.h"
#include "engine/base/text.h"
#include "engine/io/onnx/rules/movement.h"
#include "engine/io/onnx/rules/rules.h"

#include <algorithm>
#include <array>

namespace memplan::io::onnx {

namespace {

SliceAxis clampedSlice(const NodeContext& c, std::size_t axis, std::int64_t start, std::int64_t end,
                       std::int64_t step) {
    const std::int64_t n = c.shape(0)[axis];
    if (step == 0) c.failShape("the step of axis " + std::to_string(axis) + " is 0");
    const auto clamp = [&](std::int64_t v, std::int64_t low, std::int64_t high) {
        if (v < 0) v = v < -n ? -1 : v + n;  // -1: before the first element
        return std::clamp(v, low, high);
    };
    SliceAxis s{axis, 0, step, 0};
    if (step > 0) {
        s.start = clamp(start, 0, n);
        const std::int64_t stop = clamp(end, 0, n);
        s.count = stop > s.start ? (stop - s.start - 1) / step + 1 : 0;
    } else {
        if (n == 0) return s;
        s.start = clamp(start, 0, n - 1);
        const std::int64_t stop = clamp(end, -1, n - 1);
        // The smallest number has no negative; such a step takes one element.
        s.count = s.start > stop ? (step == INT64_MIN ? 1 : (s.start - stop - 1) / -step + 1) : 0;
    }
    return s;
}

}  // namespace

std::vector<SliceAxis> slicedAxes(const NodeContext& c) {
    const std::size_t rank = c.rank(0);
    std::vector<std::int64_t> starts, ends;
    std::optional<std::vector<std::int64_t>> axes, steps;
    if (c.opset() < 10 || (!c.has(1) && c.hasAttr("starts"))) {
        starts = c.attrInts("starts").value_or(std::vector<std::int64_t>());
        ends = c.attrInts("ends").value_or(std::vector<std::int64_t>());
        axes = c.attrInts("axes");
    } else {
        starts = c.needIntegers(1, "the starts");
        ends = c.needIntegers(2, "the ends");
        if (c.has(3)) axes = c.needIntegers(3, "the axes");
        if (c.has(4)) steps = c.needIntegers(4, "the steps");
    }
    if (starts.size() != ends.size() || (steps && steps->size() != starts.size()) ||
        (axes && axes->size() != starts.size()) || starts.size() > rank) {
        c.failShape("starts, ends, axes and steps do not have the same length");
    }
    std::vector<std::size_t> positions;
    if (axes) positions = c.axes(*axes, rank);
    std::vector<SliceAxis> out;
    for (std::size_t i = 0; i < starts.size(); ++i) {
        out.push_back(clampedSlice(c, axes ? positions[i] : i, starts[i], ends[i], steps ? (*steps)[i] : 1));
    }
    return out;
}

SplitPlan splitPlan(const NodeContext& c) {
    const std::size_t axis = c.axis(c.attr("axis", 0), c.rank(0));
    const std::int64_t n = c.shape(0)[axis];
    const auto outputs = static_cast<std::int64_t>(c.outputCount());
    std::optional<std::vector<std::int64_t>> given;
    if (c.opset() >= 13 && c.has(1))
        given = c.needIntegers(1, "the sizes");
    else
        given = c.attrInts("split");
    if (given && !given->empty()) {
        if (static_cast<std::int64_t>(given->size()) < outputs) c.failShape("fewer sizes than outputs");
        std::int64_t sum = 0;
        for (const std::int64_t s : *given) {
            const auto next = checkedAdd(sum, s);
            if (s < 0 || !next) c.failShape("a size of " + std::to_string(s));
            sum = *next;
        }
        if (sum != n)
            c.failShape("the sizes add up to " + std::to_string(sum) + ", axis " + std::to_string(axis) + " has " +
                        std::to_string(n));
        return {axis, *std::move(given)};
    }
    const std::int64_t parts = c.opset() >= 18 ? c.attr("num_outputs", outputs) : outputs;
    if (parts < 1 || parts < outputs)
        c.failShape(std::to_string(n) + " elements in " + std::to_string(parts) + " parts");
    const std::int64_t chunk = (n + parts - 1) / parts;
    if (c.opset() < 18 && n % parts != 0)
        c.failShape(std::to_string(n) + " elements cannot be split into " + std::to_string(parts) + " equal parts");
    SplitPlan plan{axis, {}};
    std::int64_t left = n;
    for (std::int64_t i = 0; i < outputs; ++i) {
        plan.sizes.push_back(std::min(chunk, left));
        left -= plan.sizes.back();
    }
    return plan;
}

std::vector<std::int64_t> tileRepeats(const NodeContext& c) {
    const std::vector<std::int64_t> repeats = c.needIntegers(1, "the repeats");
    if (repeats.size() != c.rank(0)) c.failShape(std::to_string(repeats.size()) + " repeats");
    for (const std::int64_t r : repeats)
        if (r < 0) c.failShape("a repeat of " + std::to_string(r));
    return repeats;
}

namespace {

void slice(NodeContext& c) {
    Shape out = c.shape(0);
    for (const SliceAxis& s : slicedAxes(c))
        out[s.axis] = s.count;
    c.out(0, std::move(out), c.type(0));
}

void split(NodeContext& c) {
    const SplitPlan plan = splitPlan(c);
    for (std::size_t i = 0; i < c.outputCount(); ++i) {
        Shape out = c.shape(0);
        out[plan.axis] = plan.sizes[i];
        c.out(i, std::move(out), c.type(0));
    }
}

void concat(NodeContext& c) {
    Shape out = c.shape(0);
    if (!c.hasAttr("axis") && c.opset() >= 4 && c.node().domain.empty())
        c.failShape("the attribute \"axis\" is missing");
    const std::size_t axis = c.axis(c.attr("axis", 1), out.size());
    for (std::size_t i = 1; i < c.inputCount(); ++i) {
        if (!c.has(i)) continue;
        const Shape& next = c.shapeOfRank(i, out.size());
        for (std::size_t d = 0; d < out.size(); ++d) {
            if (d != axis && next[d] != out[d]) c.failShape("inputs differ on axis " + std::to_string(d));
        }
        out[axis] += next[axis];  // at most 4 096 operands of at most 2^48
    }
    c.out(0, std::move(out), c.type(0));
}

// Negative pads crop.
void pad(NodeContext& c) {
    Shape out = c.shape(0);
    std::vector<std::int64_t> pads;
    if (c.opset() >= 11 && c.has(1))
        pads = c.needIntegers(1, "the pads");
    else if (const auto given = c.attrInts("pads"))
        pads = *given;
    else
        c.failShape("the pads are missing");
    std::vector<std::size_t> axes(out.size());
    for (std::size_t i = 0; i < axes.size(); ++i)
        axes[i] = i;
    if (c.opset() >= 18 && c.has(3)) axes = c.axes(c.needIntegers(3, "the axes"), out.size());
    if (pads.size() != 2 * axes.size())
        c.failShape(std::to_string(pads.size()) + " pads for " + std::to_string(axes.size()) + " axes");
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const auto sum = checkedAdd(pads[i], pads[axes.size() + i]);
        const auto extent = sum ? checkedAdd(out[axes[i]], *sum) : std::nullopt;
        if (!extent || *extent < 0) c.failShape("the pads of axis " + std::to_string(axes[i]) + " are out of range");
        out[axes[i]] = *extent;
    }
    c.out(0, std::move(out), c.type(0));
}

void expand(NodeContext& c) {
    c.out(0, c.broadcast(c.shape(0), c.needIntegers(1, "the new extents")), c.type(0));
}

void tile(NodeContext& c) {
    Shape out = c.shape(0);
    const std::vector<std::int64_t> repeats = tileRepeats(c);
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = c.times(out[i], repeats[i]);
    c.out(0, std::move(out), c.type(0));
}

void centerCropPad(NodeContext& c) {
    Shape out = c.shape(0);
    const std::vector<std::int64_t> wanted = c.needIntegers(1, "the new extents");
    std::vector<std::size_t> axes(out.size());
    for (std::size_t i = 0; i < axes.size(); ++i)
        axes[i] = i;
    if (const auto given = c.attrInts("axes")) axes = c.axes(*given, out.size());
    if (wanted.size() != axes.size())
        c.failShape(std::to_string(wanted.size()) + " extents for " + std::to_string(axes.size()) + " axes");
    for (std::size_t i = 0; i < axes.size(); ++i)
        out[axes[i]] = wanted[i];
    c.out(0, std::move(out), c.type(0));
}

void trilu(NodeContext& c) {
    (void)c.shapeOfRankFrom(0, 2);
    c.outLikeInput();
}

constexpr std::array kRules{
    ShapeRule{"Slice", slice, "axes,ends,starts"},
    ShapeRule{"Split", split, "axis,num_outputs,split"},
    ShapeRule{"Concat", concat, "axis"},
    ShapeRule{"Pad", pad, "mode,pads,value"},
    ShapeRule{"Expand", expand, ""},
    ShapeRule{"Tile", tile, ""},
    ShapeRule{"CenterCropPad", centerCropPad, "axes"},
    ShapeRule{"Trilu", trilu, "upper"},
    ShapeRule{"ReverseSequence", [](NodeContext& c) { c.outLikeInput(); }, "batch_axis,time_axis"},
};

}  // namespace

std::span<const ShapeRule> layoutRules() {
    return kRules;
}

}  // namespace memplan::io::onnx

// SPDX-License-Identifier: Apache-2.0
// Operators that keep every element and change the shape only.
#include "engine/base/text.h"
#include "engine/io/onnx/rules/movement.h"
#include "engine/io/onnx/rules/rules.h"

#include <algorithm>
#include <array>

namespace memplan::io::onnx {

std::optional<std::vector<std::int64_t>> axesOf(const NodeContext& c) {
    if (c.opset() >= 13 && c.has(1)) return c.needIntegers(1, "the axes");
    return c.attrInts("axes");
}

std::vector<std::size_t> permutation(const NodeContext& c) {
    const std::size_t rank = c.rank(0);
    std::vector<std::size_t> perm(rank);
    const auto given = c.attrInts("perm");
    if (!given || given->empty()) {
        for (std::size_t i = 0; i < rank; ++i)
            perm[i] = rank - 1 - i;
        return perm;
    }
    if (given->size() != rank) c.failShape("\"perm\" has " + std::to_string(given->size()) + " numbers");
    return c.axes(*given, rank);
}

namespace {

void transpose(NodeContext& c) {
    Shape out;
    for (const std::size_t axis : permutation(c))
        out.push_back(c.shape(0)[axis]);
    c.out(0, std::move(out), c.type(0));
}

[[noreturn]] void failCount(const NodeContext& c, const Shape& wanted) {
    c.fail("ONNX-042", text::shapeText(c.shape(0)) + " cannot be reshaped to " + text::shapeText(wanted),
           "if an extent comes from a binding, check that the bindings fit together");
}

// 0 copies the input's extent (not with allowzero), -1 takes what is left.
void reshape(NodeContext& c) {
    const Shape& x = c.shape(0);
    Shape wanted;
    if (!c.has(1) && c.attrInts("shape"))
        wanted = *c.attrInts("shape");
    else
        wanted = c.needIntegers(1, "the new extents");
    const bool allowZero = c.opset() >= 14 && c.attr("allowzero", 0) != 0;
    Shape out(wanted);
    std::optional<std::size_t> open;
    std::int64_t known = 1;
    for (std::size_t i = 0; i < out.size(); ++i) {
        if (out[i] == -1) {
            if (open) c.failShape("two extents are -1 in " + text::shapeText(wanted));
            open = i;
            continue;
        }
        if (out[i] == 0 && !allowZero) {
            if (i >= x.size())
                c.failShape("extent " + std::to_string(i) + " copies an axis that the input does not have");
            out[i] = x[i];
        }
        if (out[i] < 0) c.failShape("the extent " + std::to_string(out[i]) + " in " + text::shapeText(wanted));
        known = c.times(known, out[i]);
    }
    const std::int64_t elements = c.product(x);
    if (open) {
        if (known == 0 || elements % known != 0) failCount(c, wanted);
        out[*open] = elements / known;
    } else if (known != elements) {
        failCount(c, wanted);
    }
    c.out(0, std::move(out), c.type(0));
}

void squeeze(NodeContext& c) {
    const Shape& x = c.shape(0);
    const auto given = axesOf(c);
    const std::vector<std::size_t> axes = given ? c.axes(*given, x.size()) : std::vector<std::size_t>();
    Shape out;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const bool named = std::find(axes.begin(), axes.end(), i) != axes.end();
        if (named && x[i] != 1)
            c.failShape("axis " + std::to_string(i) + " of extent " + std::to_string(x[i]) + " cannot be squeezed");
        const bool dropped = given ? named : x[i] == 1;
        if (!dropped) out.push_back(x[i]);
    }
    c.out(0, std::move(out), c.type(0));
}

void unsqueeze(NodeContext& c) {
    const Shape& x = c.shape(0);
    const auto given = axesOf(c);
    if (!given) c.failShape("the axes are missing");
    const std::size_t rank = x.size() + given->size();
    const std::vector<std::size_t> axes = c.axes(*given, rank);
    Shape out;
    std::size_t next = 0;
    for (std::size_t i = 0; i < rank; ++i) {
        const bool inserted = std::find(axes.begin(), axes.end(), i) != axes.end();
        out.push_back(inserted ? 1 : x[next++]);
    }
    c.out(0, std::move(out), c.type(0));
}

void flatten(NodeContext& c) {
    const Shape& x = c.shape(0);
    std::int64_t axis = c.attr("axis", 1);
    const auto rank = static_cast<std::int64_t>(x.size());
    if (axis < -rank || axis > rank) c.failShape("axis " + std::to_string(axis) + " is out of range");
    if (axis < 0) axis += rank;
    const auto middle = x.begin() + axis;
    c.out(0, {c.product(Shape(x.begin(), middle)), c.product(Shape(middle, x.end()))}, c.type(0));
}

std::int64_t blockOf(const NodeContext& c) {
    const std::int64_t block = c.attr("blocksize", 0);
    if (block < 1 || block > (1 << 20)) c.failShape("\"blocksize\" is " + std::to_string(block));
    return block;
}

void depthToSpace(NodeContext& c) {
    const Shape& x = c.shapeOfRank(0, 4);
    const std::int64_t b = blockOf(c);
    if (x[1] % (b * b) != 0)
        c.failShape(std::to_string(x[1]) + " channels are not a multiple of " + std::to_string(b * b));
    c.out(0, {x[0], x[1] / (b * b), c.times(x[2], b), c.times(x[3], b)}, c.type(0));
}

void spaceToDepth(NodeContext& c) {
    const Shape& x = c.shapeOfRank(0, 4);
    const std::int64_t b = blockOf(c);
    if (x[2] % b != 0 || x[3] % b != 0) c.failShape("the image is not a multiple of " + std::to_string(b));
    c.out(0, {x[0], c.times(x[1], b * b), x[2] / b, x[3] / b}, c.type(0));
}

constexpr std::array kRules{
    ShapeRule{"Transpose", transpose, "perm"},
    ShapeRule{"Reshape", reshape, "allowzero,shape"},
    ShapeRule{"Squeeze", squeeze, "axes"},
    ShapeRule{"Unsqueeze", unsqueeze, "axes"},
    ShapeRule{"Flatten", flatten, "axis"},
    ShapeRule{"DepthToSpace", depthToSpace, "blocksize,mode"},
    ShapeRule{"SpaceToDepth", spaceToDepth, "blocksize"},
};

}  // namespace

std::span<const ShapeRule> reshapeRules() {
    return kRules;
}

}  // namespace memplan::io::onnx

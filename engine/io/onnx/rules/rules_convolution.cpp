// SPDX-License-Identifier: Apache-2.0
// Convolutions: X [N, C, spatial], W [M, C / group, kernel].
#include "engine/io/onnx/rules/rules.h"
#include "engine/io/onnx/rules/windows.h"

#include <array>

namespace memplan::io::onnx {

namespace {

Shape spatialOf(const Shape& x) {
    return Shape(x.begin() + 2, x.end());
}

Shape joined(std::int64_t n, std::int64_t c, const Shape& spatial) {
    Shape out{n, c};
    out.insert(out.end(), spatial.begin(), spatial.end());
    return out;
}

std::int64_t groupOf(const NodeContext& c) {
    const std::int64_t group = c.attr("group", 1);
    if (group < 1) c.failShape("\"group\" is " + std::to_string(group));
    return group;
}

Shape convolved(const NodeContext& c, std::size_t weightInput) {
    const Shape& x = c.shapeOfRankFrom(0, 3);
    const Shape& w = c.shapeOfRank(weightInput, x.size());
    const std::int64_t group = groupOf(c);
    if (x[1] != c.times(w[1], group)) {
        c.failShape("the input has " + std::to_string(x[1]) + " channels, the weight " + std::to_string(w[1]) + " x " +
                    std::to_string(group) + " groups");
    }
    if (w[0] % group != 0)
        c.failShape(std::to_string(w[0]) + " output channels cannot be parted into " + std::to_string(group) +
                    " groups");
    const Windows windows = readWindows(c, x.size() - 2, &w);
    return joined(x[0], w[0], windowedExtents(c, windows, spatialOf(x)));
}

void conv(NodeContext& c) {
    c.out(0, convolved(c, 1), c.type(0));
}

void convInteger(NodeContext& c) {
    c.out(0, convolved(c, 1), kInt32);
}

void qLinearConv(NodeContext& c) {
    c.out(0, convolved(c, 3), c.type(7));
}

void convTranspose(NodeContext& c) {
    const Shape& x = c.shapeOfRankFrom(0, 3);
    const Shape& w = c.shapeOfRank(1, x.size());
    const std::int64_t group = groupOf(c);
    if (x[1] != w[0])
        c.failShape("the input has " + std::to_string(x[1]) + " channels, the weight " + std::to_string(w[0]));
    const Windows windows = readWindows(c, x.size() - 2, &w);
    c.out(0, joined(x[0], c.times(w[1], group), transposedExtents(c, windows, spatialOf(x))), c.type(0));
}

// The kernel moves by learned offsets; the extents are those of an ordinary convolution.
void deformConv(NodeContext& c) {
    conv(c);
}

void col2Im(NodeContext& c) {
    const Shape& x = c.shapeOfRank(0, 3);
    const std::vector<std::int64_t> image = c.needIntegers(1, "the image extents");
    const std::vector<std::int64_t> block = c.needIntegers(2, "the block extents");
    const std::int64_t elements = c.product(block);
    if (elements < 1 || x[1] % elements != 0) c.failShape("the block does not divide the channels");
    c.out(0, joined(x[0], x[1] / elements, image), c.type(0));
}

constexpr std::string_view kConvAttributes = "auto_pad,dilations,group,kernel_shape,pads,strides";

constexpr std::array kRules{
    ShapeRule{"Conv", conv, kConvAttributes},
    ShapeRule{"ConvInteger", convInteger, kConvAttributes},
    ShapeRule{"QLinearConv", qLinearConv, kConvAttributes},
    ShapeRule{"ConvTranspose", convTranspose,
              "auto_pad,dilations,group,kernel_shape,output_padding,output_shape,pads,strides"},
    ShapeRule{"DeformConv", deformConv, "dilations,group,kernel_shape,offset_group,pads,strides"},
    ShapeRule{"Col2Im", col2Im, "dilations,pads,strides"},
};

}  // namespace

std::span<const ShapeRule> convolutionRules() {
    return kRules;
}

}  // namespace memplan::io::onnx

// SPDX-License-Identifier: Apache-2.0
// Pools over windows, over the whole image and over regions.
#include "engine/io/onnx/rules/rules.h"
#include "engine/io/onnx/rules/windows.h"

#include <array>

namespace memplan::io::onnx {

namespace {

Shape spatialOf(const Shape& x) {
    return Shape(x.begin() + 2, x.end());
}

Shape withSpatial(const Shape& x, const Shape& spatial) {
    Shape out{x[0], x[1]};
    out.insert(out.end(), spatial.begin(), spatial.end());
    return out;
}

/// Opset from which an attribute of a pool counts.
struct PoolVersions {
    std::int64_t ceilMode, dilations;
};

PoolVersions versionsOf(std::string_view op) {
    if (op == "AveragePool") return {10, 19};
    if (op == "LpPool") return {18, 18};
    return {10, 10};
}

Shape pooled(const NodeContext& c) {
    const Shape& x = c.shapeOfRankFrom(0, 3);
    Windows w = readWindows(c, x.size() - 2, nullptr);
    const PoolVersions from = versionsOf(c.node().op);
    const bool standard = c.node().domain.empty();
    w.ceilMode = c.attr("ceil_mode", 0) != 0 && (!standard || c.opset() >= from.ceilMode);
    if (standard && c.opset() < from.dilations) w.dilation.assign(w.dilation.size(), 1);
    return withSpatial(x, windowedExtents(c, w, spatialOf(x)));
}

void pool(NodeContext& c) {
    c.out(0, pooled(c), c.type(0));
}

void maxPool(NodeContext& c) {
    const Shape shape = pooled(c);
    c.out(0, shape, c.type(0));
    c.out(1, shape, kInt64);
}

void globalPool(NodeContext& c) {
    const Shape& x = c.shapeOfRankFrom(0, 2);
    c.out(0, withSpatial(x, Shape(x.size() - 2, 1)), c.type(0));
}

void maxUnpool(NodeContext& c) {
    const Shape& x = c.shapeOfRankFrom(0, 3);
    if (c.has(2)) {
        c.out(0, c.needIntegers(2, "the output extents"), c.type(0));
        return;
    }
    const Windows w = readWindows(c, x.size() - 2, nullptr);
    Shape spatial;
    for (std::size_t i = 0; i < x.size() - 2; ++i) {
        spatial.push_back(c.times(x[i + 2] - 1, w.stride[i]) + w.kernel[i] - w.padBegin[i] - w.padEnd[i]);
    }
    c.out(0, withSpatial(x, spatial), c.type(0));
}

void maxRoiPool(NodeContext& c) {
    const Shape& x = c.shapeOfRank(0, 4);
    const Shape& rois = c.shapeOfRank(1, 2);
    const auto pooledShape = c.attrIntsOf("pooled_shape", 2, 1);
    c.out(0, {rois[0], x[1], pooledShape[0], pooledShape[1]}, c.type(0));
}

void roiAlign(NodeContext& c) {
    const Shape& x = c.shapeOfRank(0, 4);
    const Shape& rois = c.shapeOfRank(1, 2);
    c.out(0, {rois[0], x[1], c.attr("output_height", 1), c.attr("output_width", 1)}, c.type(0));
}

constexpr std::array kRules{
    ShapeRule{"AveragePool", pool, "auto_pad,ceil_mode,count_include_pad,dilations,kernel_shape,pads,strides"},
    ShapeRule{"LpPool", pool, "auto_pad,ceil_mode,dilations,kernel_shape,p,pads,strides"},
    ShapeRule{"MaxPool", maxPool, "auto_pad,ceil_mode,dilations,kernel_shape,pads,storage_order,strides"},
    ShapeRule{"GlobalAveragePool", globalPool, ""},
    ShapeRule{"GlobalLpPool", globalPool, "p"},
    ShapeRule{"GlobalMaxPool", globalPool, ""},
    ShapeRule{"MaxUnpool", maxUnpool, "kernel_shape,pads,strides"},
    ShapeRule{"MaxRoiPool", maxRoiPool, "pooled_shape,spatial_scale"},
    ShapeRule{"RoiAlign", roiAlign,
              "coordinate_transformation_mode,mode,output_height,output_width,sampling_ratio,spatial_scale"},
};

}  // namespace

std::span<const ShapeRule> poolingRules() {
    return kRules;
}

}  // namespace memplan::io::onnx

// SPDX-License-Identifier: Apache-2.0
// Resize and Upsample by opset (inputs-and-interchange 3.4).
#include "engine/base/text.h"
#include "engine/io/onnx/rules/rules.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace memplan::io::onnx {

namespace {

/// floor(n x scale) in the precision of the scales, as run times compute it: 10 x 0.7 is 7. Checked, since
/// scales come from the file and may be NaN, infinite or huge.
std::int64_t scaled(const NodeContext& c, std::int64_t n, double scale) {
    const double extent = std::floor(static_cast<double>(static_cast<float>(n) * static_cast<float>(scale)));
    if (!std::isfinite(scale) || scale <= 0 || extent > 281474976710656.0)
        c.failShape("a scale of " + text::number(scale));
    return static_cast<std::int64_t>(extent);
}

std::vector<std::size_t> resizedAxes(const NodeContext& c) {
    const std::size_t rank = c.rank(0);
    if (c.opset() >= 18) {
        if (const auto given = c.attrInts("axes"); given && !given->empty()) return c.axes(*given, rank);
    }
    std::vector<std::size_t> all(rank);
    for (std::size_t i = 0; i < rank; ++i)
        all[i] = i;
    return all;
}

void byScales(NodeContext& c, const std::vector<double>& scales, const std::vector<std::size_t>& axes) {
    Shape out = c.shape(0);
    if (scales.size() != axes.size())
        c.failShape(std::to_string(scales.size()) + " scales for " + std::to_string(axes.size()) + " axes");
    for (std::size_t i = 0; i < axes.size(); ++i)
        out[axes[i]] = scaled(c, out[axes[i]], scales[i]);
    c.out(0, std::move(out), c.type(0));
}

/// One ratio for all axes: the smallest (not_larger) or the largest (not_smaller), rounded half up.
std::vector<std::int64_t> keptAspect(const NodeContext& c, const std::vector<std::int64_t>& sizes,
                                     const std::vector<std::size_t>& axes, const std::string& policy) {
    double ratio = 0;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const std::int64_t n = c.shape(0)[axes[i]];
        if (n == 0) c.failShape("an empty axis has no ratio");
        const double r = static_cast<double>(sizes[i]) / static_cast<double>(n);
        if (i == 0)
            ratio = r;
        else
            ratio = policy == "not_larger" ? std::min(ratio, r) : std::max(ratio, r);
    }
    std::vector<std::int64_t> out;
    for (const std::size_t axis : axes) {
        const double extent = std::floor(ratio * static_cast<double>(c.shape(0)[axis]) + 0.5);
        if (extent > 281474976710656.0) c.failShape("a size of " + text::number(extent));
        out.push_back(static_cast<std::int64_t>(extent));
    }
    return out;
}

void bySizes(NodeContext& c, std::vector<std::int64_t> sizes, const std::vector<std::size_t>& axes) {
    Shape out = c.shape(0);
    if (sizes.size() != axes.size())
        c.failShape(std::to_string(sizes.size()) + " sizes for " + std::to_string(axes.size()) + " axes");
    for (const std::int64_t s : sizes)
        if (s < 0) c.failShape("a size of " + std::to_string(s));
    const std::string policy = c.opset() >= 18 ? c.attrText("keep_aspect_ratio_policy", "stretch") : "stretch";
    if (policy == "not_larger" || policy == "not_smaller")
        sizes = keptAspect(c, sizes, axes, policy);
    else if (policy != "stretch")
        c.failShape("keep_aspect_ratio_policy " + text::quoted(policy) + " is unknown");
    for (std::size_t i = 0; i < axes.size(); ++i)
        out[axes[i]] = sizes[i];
    c.out(0, std::move(out), c.type(0));
}

/// An input counts as given when it is present and not an empty tensor.
bool given(const NodeContext& c, std::size_t i) {
    return c.has(i) && !(c.rank(i) == 1 && c.shape(i)[0] == 0);
}

void resize(NodeContext& c) {
    const std::vector<std::size_t> axes = resizedAxes(c);
    if (c.opset() < 11) {
        byScales(c, c.needReals(1, "the scales"), axes);
    } else if (given(c, 3)) {
        bySizes(c, c.needIntegers(3, "the sizes"), axes);
    } else if (given(c, 2)) {
        byScales(c, c.needReals(2, "the scales"), axes);
    } else {
        c.failShape("neither scales nor sizes are given");
    }
}

// Attribute in opset 7 and 8, input in 9; gone from 10, where the last rule is used.
void upsample(NodeContext& c) {
    std::vector<std::size_t> axes(c.rank(0));
    for (std::size_t i = 0; i < axes.size(); ++i)
        axes[i] = i;
    if (!c.has(1)) {
        const auto scales = c.attrReals("scales");
        if (!scales) c.failShape("the scales are missing");
        byScales(c, *scales, axes);
        return;
    }
    byScales(c, c.needReals(1, "the scales"), axes);
}

constexpr std::array kRules{
    ShapeRule{"Resize", resize,
              "antialias,axes,coordinate_transformation_mode,cubic_coeff_a,exclude_outside,extrapolation_value,"
              "keep_aspect_ratio_policy,mode,nearest_mode"},
    ShapeRule{"Upsample", upsample, "mode,scales"},
};

}  // namespace

std::span<const ShapeRule> resizeRules() {
    return kRules;
}

}  // namespace memplan::io::onnx

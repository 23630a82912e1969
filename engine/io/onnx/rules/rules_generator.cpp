// SPDX-License-Identifier: Apache-2.0
// Operators that make tensors: constants, ranges, random numbers, windows, spectra, and Shape and Size.
#include "engine/io/onnx/rules/generators.h"
#include "engine/io/onnx/rules/rules.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace memplan::io::onnx {

ShapeSlice shapeSlice(const NodeContext& c) {
    const auto rank = static_cast<std::int64_t>(c.rank(0));
    const auto clamp = [&](std::int64_t v) {
        if (v < 0) v = v < -rank ? 0 : v + rank;
        return static_cast<std::size_t>(std::min(v, rank));
    };
    if (c.opset() < 15) return {0, static_cast<std::size_t>(rank)};
    const std::size_t from = clamp(c.attr("start", 0));
    return {from, std::max(from, clamp(c.attr("end", rank)))};
}

std::int64_t rangeCount(const NodeContext& c) {
    if (!isFloating(c.type(0))) {
        const std::int64_t start = c.needInteger(0, "the start");
        const std::int64_t limit = c.needInteger(1, "the limit");
        const std::int64_t delta = c.needInteger(2, "the step");
        if (delta == 0) c.failShape("the step is 0");
        if (delta > 0 ? start >= limit : start <= limit) return 0;
        // Differences of 64-bit numbers fit into an unsigned one.
        const auto span = delta > 0 ? static_cast<std::uint64_t>(limit) - static_cast<std::uint64_t>(start)
                                    : static_cast<std::uint64_t>(start) - static_cast<std::uint64_t>(limit);
        const std::uint64_t step =
            delta > 0 ? static_cast<std::uint64_t>(delta) : std::uint64_t{0} - static_cast<std::uint64_t>(delta);
        const std::uint64_t count = (span - 1) / step + 1;
        return count > static_cast<std::uint64_t>(INT64_MAX) ? INT64_MAX : static_cast<std::int64_t>(count);
    }
    std::array<double, 3> v{};
    for (std::size_t i = 0; i < 3; ++i) {
        const auto list = c.needReals(i, "the start, limit and step");
        if (list.size() != 1) c.failShape("start, limit and step must be scalars");
        v[i] = list[0];
    }
    const double count = std::ceil((v[1] - v[0]) / v[2]);
    if (!std::isfinite(count) || count > 9e18) c.failShape("the range has no finite length");
    return count > 0 ? static_cast<std::int64_t>(count) : 0;
}

namespace {

void constant(NodeContext& c) {
    if (const Attribute* tensor = c.find("value"); tensor != nullptr && tensor->tensorType != 0)
        return c.out(0, tensor->tensorShape, tensor->tensorType);
    if (const Attribute* tensor = c.find("sparse_value"); tensor != nullptr && tensor->tensorType != 0)
        return c.out(0, tensor->tensorShape, tensor->tensorType);
    if (c.hasAttr("value_int")) return c.out(0, {}, kInt64);
    if (c.hasAttr("value_float")) return c.out(0, {}, kFloat);
    if (c.hasAttr("value_string")) return c.out(0, {}, kString);
    if (const auto list = c.attrInts("value_ints")) return c.out(0, {static_cast<std::int64_t>(list->size())}, kInt64);
    if (const auto list = c.attrReals("value_floats"))
        return c.out(0, {static_cast<std::int64_t>(list->size())}, kFloat);
    if (const Attribute* list = c.find("value_strings")) {
        const auto* strings = std::get_if<std::vector<std::string>>(&list->value);
        return c.out(0, {strings == nullptr ? 0 : static_cast<std::int64_t>(strings->size())}, kString);
    }
    c.failShape("no value is given");
}

void constantOfShape(NodeContext& c) {
    const Attribute* value = c.find("value");
    const int type = value != nullptr && value->tensorType != 0 ? value->tensorType : kFloat;
    c.out(0, c.needIntegers(0, "the extents"), type);
}

void shapeOf(NodeContext& c) {
    const ShapeSlice s = shapeSlice(c);
    c.out(0, {static_cast<std::int64_t>(s.to - s.from)}, kInt64);
}

void sizeOf(NodeContext& c) {
    (void)c.shape(0);
    c.out(0, {}, kInt64);
}

void range(NodeContext& c) {
    c.out(0, {rangeCount(c)}, c.type(0));
}

void eyeLike(NodeContext& c) {
    c.out(0, c.shapeOfRank(0, 2), static_cast<int>(c.attr("dtype", c.type(0))));
}

void random(NodeContext& c) {
    const auto shape = c.attrInts("shape");
    if (!shape) c.failShape("the attribute \"shape\" is missing");
    c.out(0, *shape, static_cast<int>(c.attr("dtype", kFloat)));
}

void randomLike(NodeContext& c) {
    c.out(0, c.shape(0), static_cast<int>(c.attr("dtype", c.type(0))));
}

void multinomial(NodeContext& c) {
    c.out(0, {c.shapeOfRank(0, 2)[0], c.attr("sample_size", 1)}, static_cast<int>(c.attr("dtype", kInt32)));
}

void window(NodeContext& c) {
    c.out(0, {c.needInteger(0, "the length")}, static_cast<int>(c.attr("output_datatype", kFloat)));
}

void melWeights(NodeContext& c) {
    const std::int64_t bins = c.needInteger(0, "the number of mel bins");
    const std::int64_t length = c.needInteger(1, "the length of the transform");
    c.out(0, {length / 2 + 1, bins}, static_cast<int>(c.attr("output_datatype", kFloat)));
}

// The last axis parts real and imaginary; the axis is an attribute in opset 17, an input from 20.
void dft(NodeContext& c) {
    Shape out = c.shapeOfRankFrom(0, 2);
    std::int64_t axis = c.attr("axis", c.opset() >= 20 ? -2 : 1);
    if (c.opset() >= 20 && c.has(2)) axis = c.needInteger(2, "the axis");
    const std::size_t at = c.axis(axis, out.size());
    if (c.has(1)) out[at] = c.needInteger(1, "the length of the transform");
    const bool oneSided = c.attr("onesided", 0) != 0;
    const bool inverse = c.attr("inverse", 0) != 0;
    if (oneSided && !inverse) out[at] = out[at] / 2 + 1;
    if (oneSided && inverse && !c.has(1)) out[at] = out[at] < 1 ? 0 : 2 * (out[at] - 1);
    out.back() = oneSided && inverse ? 1 : 2;
    c.out(0, std::move(out), c.type(0));
}

void stft(NodeContext& c) {
    const Shape& x = c.shapeOfRankFrom(0, 2);
    const std::int64_t step = c.needInteger(1, "the frame step");
    const std::int64_t length = c.has(3) ? c.needInteger(3, "the frame length") : c.has(2) ? c.shapeOfRank(2, 1)[0] : 0;
    if (step < 1 || length < 1 || length > x[1])
        c.failShape("frames of " + std::to_string(length) + " in steps of " + std::to_string(step));
    const std::int64_t bins = c.attr("onesided", 1) != 0 ? length / 2 + 1 : length;
    c.out(0, {x[0], (x[1] - length) / step + 1, bins, 2}, c.type(0));
}

constexpr std::array kRules{
    ShapeRule{"Constant", constant,
              "sparse_value,value,value_float,value_floats,value_int,value_ints,value_string,value_strings"},
    ShapeRule{"ConstantOfShape", constantOfShape, "value"},
    ShapeRule{"Shape", shapeOf, "end,start"},
    ShapeRule{"Size", sizeOf, ""},
    ShapeRule{"Range", range, ""},
    ShapeRule{"EyeLike", eyeLike, "dtype,k"},
    ShapeRule{"RandomNormal", random, "dtype,mean,scale,seed,shape"},
    ShapeRule{"RandomUniform", random, "dtype,high,low,seed,shape"},
    ShapeRule{"RandomNormalLike", randomLike, "dtype,mean,scale,seed"},
    ShapeRule{"RandomUniformLike", randomLike, "dtype,high,low,seed"},
    ShapeRule{"Multinomial", multinomial, "dtype,sample_size,seed"},
    ShapeRule{"BlackmanWindow", window, "output_datatype,periodic"},
    ShapeRule{"HammingWindow", window, "output_datatype,periodic"},
    ShapeRule{"HannWindow", window, "output_datatype,periodic"},
    ShapeRule{"MelWeightMatrix", melWeights, "output_datatype"},
    ShapeRule{"DFT", dft, "axis,inverse,onesided"},
    ShapeRule{"STFT", stft, "onesided"},
};

}  // namespace

std::span<const ShapeRule> generatorRules() {
    return kRules;
}

}  // namespace memplan::io::onnx

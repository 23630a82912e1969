// SPDX-License-Identifier: Apache-2.0
// Quantised forms: shapes of their float counterparts, types of the zero points.
#include "engine/io/onnx/rules/rules.h"

#include <array>

namespace memplan::io::onnx {

namespace {

void quantizeLinear(NodeContext& c) {
    const auto declared = static_cast<int>(c.attr("output_dtype", 0));
    c.out(0, c.shape(0), c.has(2) ? c.type(2) : declared != 0 ? declared : kUint8);
}

void dequantizeLinear(NodeContext& c) {
    const auto declared = static_cast<int>(c.attr("output_dtype", 0));
    c.out(0, c.shape(0), declared != 0 ? declared : c.type(1));
}

void dynamicQuantizeLinear(NodeContext& c) {
    c.out(0, c.shape(0), kUint8);
    c.out(1, {}, kFloat);
    c.out(2, {}, kUint8);
}

constexpr std::array kRules{
    ShapeRule{"QuantizeLinear", quantizeLinear, "axis,block_size,output_dtype,precision,saturate"},
    ShapeRule{"DequantizeLinear", dequantizeLinear, "axis,block_size,output_dtype"},
    ShapeRule{"DynamicQuantizeLinear", dynamicQuantizeLinear, ""},
};

}  // namespace

std::span<const ShapeRule> quantizeRules() {
    return kRules;
}

}  // namespace memplan::io::onnx

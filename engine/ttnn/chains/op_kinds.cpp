// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/chains/op_kinds.h"

#include <algorithm>
#include <array>

namespace memplan::ttnn {
namespace {

constexpr std::array<std::string_view, 17> kShardable{
    "conv2d", "conv_transpose2d", "add",        "multiply",         "relu",        "relu6",
    "silu",   "matmul",           "linear",     "minimum",          "gelu",        "neg",
    "rsqrt",  "concat",           "pow_scalar", "rotary_embedding", "d2m_subgraph"};

}  // namespace

std::span<const std::string_view> shardableKinds() {
    return kShardable;
}

bool isShardable(const Operation& operation) {
    return std::ranges::find(kShardable, operation.kind()) != kShardable.end();
}

bool isSchedulable(const Operation& operation) {
    return operation.name.starts_with("ttnn.") && !operation.is("empty") && !operation.is("get_device");
}

bool isConcat(const Operation& operation) {
    return operation.is("concat");
}

bool isConvolution(const Operation& operation) {
    return operation.is("conv2d") || operation.is("conv_transpose2d");
}

bool isMatmul(const Operation& operation) {
    return operation.is("matmul") || operation.is("linear");
}

bool isConversion(const Operation& operation) {
    return operation.is("to_layout") || operation.is("to_memory_config");
}

bool isReduction(const Operation& operation) {
    return operation.is("mean") || operation.is("sum") || operation.is("min") || operation.is("max");
}

bool isAskedWithoutGrid(const Operation& operation) {
    return isMatmul(operation) && operation.find("activation") == nullptr;
}

bool shrinksCores(std::string_view kind, std::int64_t outputCores, std::int64_t lhsCores, std::int64_t rhsCores) {
    if (kind != "add" && kind != "multiply" && kind != "minimum") return false;
    return outputCores < std::max(lhsCores, rhsCores);
}

std::optional<MemLayout> concatInputLayout(std::int64_t dim, std::int64_t rank) {
    const std::int64_t d = dim < 0 ? dim + rank : dim;
    if (d < 0 || d >= rank) return std::nullopt;
    if (d == rank - 1) return MemLayout::HeightSharded;
    if (d == rank - 2) return MemLayout::WidthSharded;
    return std::nullopt;
}

std::optional<MemLayout> concatInputLayout(const Function& function, const Operation& operation) {
    const std::string* text = operation.find("dim");
    if (text == nullptr || operation.results.empty()) return std::nullopt;
    const std::optional<std::int64_t> dim = integerOf(*text);
    if (!dim) return std::nullopt;
    return concatInputLayout(*dim, std::ssize(function.typeOf(operation.results.front()).shape));
}

}  // namespace memplan::ttnn

// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/graph.h"

#include "engine/base/numeric.h"

#include <algorithm>
#include <array>

namespace memplan {

namespace {

constexpr std::array<std::string_view, 5> kRoles = {"input", "parameter", "constant", "state", "activation"};
constexpr std::array<std::string_view, 13> kKinds = {"pointwise", "reduction", "matmul",  "bmm",       "conv",
                                                     "pool",      "gather",    "scatter", "recurrent", "view",
                                                     "copy",      "constant",  "fallback"};

template <class E, std::size_t N>
std::optional<E> positionOf(const std::array<std::string_view, N>& names, std::string_view name) {
    const auto it = std::find(names.begin(), names.end(), name);
    if (it == names.end()) return std::nullopt;
    return static_cast<E>(it - names.begin());
}

/// Bytes of 16 elements that share one exponent byte: 17 for bfp8, 9 for bfp4 (2.2).
Bytes blockBytes(DType dtype) {
    return dtype == DType::BFP8 ? 17 : 9;
}

std::optional<Bytes> blockFormatBytes(DType dtype, const std::vector<std::int64_t>& shape) {
    std::vector<std::int64_t> blocks = shape;
    if (blocks.empty()) blocks.push_back(1);
    blocks.back() = ceilDiv(blocks.back(), 16);
    const auto count = checkedProduct(blocks);
    if (!count) return std::nullopt;
    return checkedMul(*count, blockBytes(dtype));
}

}  // namespace

std::string_view roleName(TensorRole r) {
    return kRoles[static_cast<std::size_t>(r)];
}

std::optional<TensorRole> roleFromName(std::string_view name) {
    return positionOf<TensorRole>(kRoles, name);
}

std::string_view opKindName(OpKind k) {
    return kKinds[static_cast<std::size_t>(k)];
}

std::optional<OpKind> opKindFromName(std::string_view name) {
    return positionOf<OpKind>(kKinds, name);
}

std::optional<std::int64_t> elementCount(const std::vector<std::int64_t>& shape) {
    return checkedProduct(shape);
}

std::optional<Bytes> tensorBytes(DType dtype, const std::vector<std::int64_t>& shape) {
    if (dtype == DType::Str) return 0;
    if (dtype == DType::BFP8 || dtype == DType::BFP4) return blockFormatBytes(dtype, shape);
    const auto count = elementCount(shape);
    if (!count) return std::nullopt;
    const auto bits = checkedMul(*count, dtypeBits(dtype));
    if (!bits) return std::nullopt;
    return *bits / 8 + (*bits % 8 != 0 ? 1 : 0);
}

const AttrValue* findAttr(const Op& op, std::string_view name) {
    const auto it = std::find_if(op.attrs.begin(), op.attrs.end(), [name](const auto& a) { return a.first == name; });
    return it == op.attrs.end() ? nullptr : &it->second;
}

TensorId aliasRoot(const Graph& graph, TensorId id) {
    TensorId root = id;
    // The bound keeps a cyclic graph, which the checks have not seen yet, from looping for ever.
    for (std::size_t hops = 0; hops < graph.tensors.size() && graph.tensor(root).aliasOf.isValid(); ++hops) {
        root = graph.tensor(root).aliasOf;
    }
    return root;
}

std::vector<GraphOpId> producers(const Graph& graph) {
    std::vector<GraphOpId> writer(graph.tensors.size());
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        for (const TensorId out : graph.ops[i].outputs) {
            if (out.isValid()) writer[out.at()] = GraphOpId::of(i);
        }
    }
    return writer;
}

}  // namespace memplan

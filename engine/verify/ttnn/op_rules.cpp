// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/ttnn/op_rules.h"

#include "engine/verify/ttnn/conv_rules.h"
#include "engine/verify/ttnn/matmul_rules.h"
#include "engine/verify/ttnn/tile_cost.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <optional>

namespace memplan::verify::ttnn {
namespace {

using memplan::ttnn::MemLayout;

bool isAmong(std::string_view word, std::span<const std::string_view> list) {
    return std::ranges::find(list, word) != list.end();
}

constexpr std::array<std::string_view, 56> kUnary{
    "relu",       "relu6",      "gelu",     "silu",        "neg",      "rsqrt",      "sqrt",        "sigmoid",
    "exp",        "exp2",       "log",      "log1p",       "expm1",    "abs",        "tanh",        "sin",
    "cos",        "tan",        "sinh",     "cosh",        "asin",     "acos",       "atan",        "asinh",
    "acosh",      "atanh",      "erf",      "erfc",        "ceil",     "floor",      "round",       "trunc",
    "reciprocal", "leaky_relu", "prelu",    "elu",         "celu",     "selu",       "softplus",    "softsign",
    "swish",      "hardswish",  "hardtanh", "hardsigmoid", "mish",     "pow_scalar", "clamp",       "clamp_scalar",
    "typecast",   "sign",       "cbrt",     "square",      "identity", "isfinite",   "logical_not", "bitwise_not"};
constexpr std::array<std::string_view, 25> kBinary{"add",
                                                   "subtract",
                                                   "multiply",
                                                   "divide",
                                                   "minimum",
                                                   "maximum",
                                                   "eq",
                                                   "ne",
                                                   "lt",
                                                   "le",
                                                   "gt",
                                                   "ge",
                                                   "pow",
                                                   "pow_tensor",
                                                   "remainder",
                                                   "logical_and",
                                                   "logical_or",
                                                   "logical_xor",
                                                   "bitwise_and",
                                                   "bitwise_or",
                                                   "bitwise_xor",
                                                   "atan2",
                                                   "logical_left_shift",
                                                   "logical_right_shift",
                                                   "gelu_bw"};
constexpr std::array<std::string_view, 2> kTernary{"where", "clamp_tensor"};
constexpr std::array<std::string_view, 6> kReductions{"sum", "mean", "max", "min", "prod", "argmax"};
constexpr std::array<std::string_view, 10> kCreations{"constant", "full", "ones",      "zeros",     "arange",
                                                      "empty",    "rand", "full_like", "ones_like", "zeros_like"};
constexpr std::array<std::string_view, 5> kConversions{"to_layout", "to_memory_config", "to_device", "from_device",
                                                       "to_dtype"};
constexpr std::array<std::string_view, 3> kShrinkRule{"add", "multiply", "minimum"};

bool sameSharding(const Layout& a, const Layout& b) {
    return a.isSharded() && a.mem == b.mem && a.grid == b.grid && a.cores == b.cores && a.buffer == b.buffer;
}

std::string interleavedOnly(const OpFacts& op) {
    const auto isSharded = [](const Tensor& t) { return t.layout.isSharded(); };
    if (std::ranges::any_of(op.in, isSharded)) return "it reads interleaved tensors only";
    if (std::ranges::any_of(op.out, isSharded)) return "its result is interleaved only";
    return {};
}

Bytes resultOnCore(const OpFacts& op) {
    Bytes bytes = 0;
    for (const Tensor& t : op.out)
        bytes += t.bytesOnCore();
    return bytes;
}

Demand unary(const OpFacts& op) {
    Demand d;
    const Layout& in = op.in[0].layout;
    const Layout& out = op.out[0].layout;
    const bool bothSharded = in.isSharded() && out.isSharded();
    if (bothSharded && !sameSharding(in, out))
        d.fault = "a sharded input needs a result with the same memory layout, grid and placement";
    d.cb = bothSharded && out.isInL1() ? 0 : 2 * tileCost(op.in[0]) + 2 * tileCost(op.out[0]);
    d.tensors = resultOnCore(op);
    return d;
}

std::string broadcastFault(const OpFacts& op) {
    const Tensor& result = op.out[0];
    for (const Tensor& t : op.in) {
        for (std::size_t i = 0; i < std::max(t.shape.size(), result.shape.size()); ++i) {
            if (t.extent(i) != result.extent(i) && t.extent(i) != 1) return "its shapes do not broadcast";
        }
    }
    return {};
}

/// A sharded dimension that the tensor repeats: rows for height, columns for width, both for block sharding.
bool repeatsShards(const Tensor& t, const Tensor& result) {
    if (!t.layout.isSharded()) return false;
    bool rows = false;
    const std::size_t rank = std::max(t.shape.size(), result.shape.size());
    for (std::size_t i = 1; i < rank; ++i)
        rows = rows || t.extent(i) != result.extent(i);
    const bool cols = t.extent(0) != result.extent(0);
    if (t.layout.mem == MemLayout::HeightSharded) return rows;
    if (t.layout.mem == MemLayout::WidthSharded) return cols;
    return rows || cols;
}

std::string binaryFault(const OpFacts& op) {
    if (std::string fault = broadcastFault(op); !fault.empty()) return fault;
    const Tensor& result = op.out[0];
    std::int64_t cores = 0;
    const Tensor* sharded = nullptr;
    for (const Tensor& operand : op.in) {
        const Tensor* t = &operand;
        if (!t->layout.isSharded()) continue;
        if (repeatsShards(*t, result)) return "a sharded operand would be broadcast along its shards";
        if (sharded != nullptr && (sharded->layout.mem != t->layout.mem || sharded->layout.grid != t->layout.grid))
            return "two sharded operands need the same memory layout and grid";
        sharded = t;
        cores = std::max(cores, t->cores());
    }
    if (sharded == nullptr || !result.layout.isSharded()) return {};
    if (result.layout.mem != sharded->layout.mem) return "the result needs the memory layout of its sharded operand";
    if (isAmong(op.kind(), kShrinkRule) && result.cores() < cores)
        return "the result is on fewer cores than a sharded operand";
    return {};
}

Bytes twoTilesEach(const OpFacts& op) {
    Bytes cb = 0;
    for (const auto* list : {&op.in, &op.out})
        for (const Tensor& t : *list)
            cb += 2 * tileCost(t);
    return cb;
}

Demand binary(const OpFacts& op) {
    Demand d;
    d.fault = binaryFault(op);
    const Layout& out = op.out[0].layout;
    const bool isOneSharding =
        out.isInL1() && std::ranges::all_of(op.in, [&](const Tensor& t) { return sameSharding(t.layout, out); });
    d.cb = isOneSharding ? 0 : twoTilesEach(op);
    if (op.kind().starts_with("logical_") && !op.kind().ends_with("shift")) d.cb += 2 * tileCost(op.out[0]);
    d.tensors = resultOnCore(op);
    return d;
}

Demand softmax(const OpFacts& op) {
    Demand d;
    const Layout& in = op.in[0].layout;
    const auto rank = static_cast<std::int64_t>(op.in[0].shape.size());
    std::int64_t dim = op.integer("dimension", op.integer("dim", -1));
    if (dim < 0) dim += rank;
    if (in.isSharded()) {
        if (dim != rank - 1) d.fault = "over another dimension than the last its input is interleaved";
        const bool isWholeRow =
            in.mem == MemLayout::HeightSharded || (in.mem == MemLayout::BlockSharded && in.grid.cols == 1);
        if (!isWholeRow) d.fault = "a sharded softmax has whole rows on each core";
    }
    const std::int64_t tiles = (op.in[0].extent(0) + 31) / 32;
    d.cb = in.isSharded() ? 12 * tileCost(op.in[0]) : (2 * tiles + 3) * tileCost(op.in[0]);
    d.tensors = resultOnCore(op);
    return d;
}

Demand norm(const OpFacts& op) {
    Demand d;
    const Layout& in = op.in[0].layout;
    const bool isHeight = in.mem == MemLayout::HeightSharded;
    if (in.isSharded() && (isHeight || !in.isTiled()))
        d.fault = "its input is interleaved, or block or width sharded in tiles";
    const std::int64_t rowTiles = in.isSharded() ? in.shard[1] : (op.in[0].extent(0) + 31) / 32;
    d.cb = std::min<std::int64_t>(2 * rowTiles + 8, 64) * tileCost(op.in[0]);
    d.tensors = resultOnCore(op);
    return d;
}

/// Elements keep their places: only the shape changes.
bool isView(const OpFacts& op) {
    const Tensor& in = op.in[0];
    const Tensor& out = op.out[0];
    const auto elements = [](const Tensor& t) {
        return std::accumulate(t.shape.begin(), t.shape.end(), 1.0, std::multiplies<>());
    };
    if (in.extent(0) != out.extent(0) || elements(in) != elements(out)) return false;
    if (!in.layout.isTiled()) return true;
    return in.extent(1) == out.extent(1) || (in.extent(1) % 32 == 0 && out.extent(1) % 32 == 0);
}

/// What is in the same storage is in the same memory, pages and data type.
Demand reshape(const OpFacts& op) {
    Demand d;
    d.fault = interleavedOnly(op);
    const Layout &in = op.in[0].layout, &out = op.out[0].layout;
    d.isView = isView(op) && in.buffer == out.buffer && in.page == out.page && in.dtype == out.dtype;
    if (d.isView) return d;
    d.cb = tileCost(op.in[0]) * 5 / 2;
    d.tensors = resultOnCore(op);
    return d;
}

Demand conversion(const OpFacts& op) {
    Demand d;
    const Layout& in = op.in[0].layout;
    const Layout& out = op.out[0].layout;
    if (in.page != out.page)
        d.cb = 64 * tileBytes((in.isTiled() ? in : out).dtype);
    else if (!sameSharding(in, out))
        d.cb = 2 * tileCost(op.in[0]) + 2 * tileCost(op.out[0]);
    d.tensors = resultOnCore(op);
    d.heldInput = op.in[0].bytesOnCore();
    return d;
}

std::string concatFault(const OpFacts& op) {
    const Layout& first = op.in[0].layout;
    const auto differs = [&](const Tensor& t) {
        return t.layout.isSharded() != first.isSharded() || (first.isSharded() && t.layout.mem != first.mem) ||
               (first.isSharded() && t.layout.grid != first.grid);
    };
    if (std::ranges::any_of(op.in, differs)) return "its inputs are all interleaved, or sharded in one way";
    if (!first.isSharded()) return op.out[0].layout.isSharded() ? "interleaved inputs give an interleaved result" : "";
    const auto rank = static_cast<std::int64_t>(op.out[0].shape.size());
    std::int64_t dim = op.integer("dim", 0);
    if (dim < 0) dim += rank;
    const bool fits = (dim == rank - 1 && first.mem == MemLayout::HeightSharded) ||
                      (dim == rank - 2 && first.mem == MemLayout::WidthSharded);
    if (!fits) return "sharded inputs join along the last dimension height sharded, along the one before width sharded";
    return op.out[0].layout.mem == first.mem && op.out[0].layout.grid == first.grid
               ? ""
               : "the result is sharded as its inputs are";
}

Demand plain(const OpFacts& op, Bytes cb) {
    Demand d;
    d.fault = interleavedOnly(op);
    d.cb = cb;
    d.tensors = resultOnCore(op);
    return d;
}

/// Kernels that decode one position of each user read this operand with a core for each of them.
std::optional<std::size_t> userOperand(std::string_view kind) {
    if (kind == "nlp_concat_heads_decode") return 0;
    return kind == "paged_update_cache" ? std::optional<std::size_t>(1) : std::nullopt;
}

Demand byUsers(const OpFacts& op, std::size_t user) {
    Demand d;
    d.cb = twoTilesEach(op);
    d.tensors = resultOnCore(op);
    for (std::size_t k = 0; k < op.in.size(); ++k) {
        const Layout& in = op.in[k].layout;
        const bool isByUser =
            in.isInL1() && in.isTiled() && in.mem == MemLayout::HeightSharded && op.in[k].cores() == op.in[k].extent(2);
        if (k == user && !isByUser)
            d.fault = "it reads operand " + std::to_string(k) + " from L1, height sharded with a core for each user";
        if (k != user && in.isSharded()) d.fault = "its other operands are interleaved";
    }
    for (const Tensor& t : op.out) {
        const bool isByHead = t.layout.isInL1() && t.layout.isTiled() && t.layout.mem == MemLayout::WidthSharded &&
                              t.cores() * op.in[user].extent(0) == t.extent(0);
        if (t.layout.isSharded() && !isByHead)
            d.fault = "its result is interleaved, or width sharded with a core for each head";
    }
    return d;
}

Demand rotary(const OpFacts& op) {
    Demand d;
    const auto isOther = [](const Tensor& t) {
        return t.layout.isSharded() && t.layout.mem != MemLayout::HeightSharded;
    };
    if (std::ranges::any_of(op.in, isOther) || std::ranges::any_of(op.out, isOther))
        d.fault = "it is interleaved or height sharded";
    d.cb = 16 * tileCost(op.in[0]);
    d.tensors = resultOnCore(op);
    return d;
}

Demand transposed(const OpFacts& op) {
    Demand d;
    const auto isSharded = [](const Tensor& t) { return t.layout.isSharded(); };
    const bool anySharded = std::ranges::any_of(op.in, isSharded) || std::ranges::any_of(op.out, isSharded);
    const auto isHeightRows = [](const Tensor& t) {
        return !t.layout.isSharded() || (t.layout.mem == MemLayout::HeightSharded && !t.layout.isTiled());
    };
    if (anySharded && !(std::ranges::all_of(op.in, isHeightRows) && std::ranges::all_of(op.out, isHeightRows)))
        d.fault = "sharded it is height sharded in row-major pages";
    d.cb = 2 * tileCost(op.in[0]) + 2 * tileCost(op.out[0]);
    d.tensors = resultOnCore(op);
    return d;
}

}  // namespace

Demand demandOf(const OpFacts& op, bool conservative) {
    const std::string_view kind = op.kind();
    Demand none;
    if (isAmong(kind, kCreations)) {
        none.tensors = resultOnCore(op);
        return none;
    }
    if (const auto user = userOperand(kind); user && *user < op.in.size()) return byUsers(op, *user);
    if (op.in.empty() || op.out.empty()) return none;
    if (kind == "matmul" || kind == "linear") return matmulDemand(op, conservative);
    if (isConvolution(op.op)) return convDemand(op, conservative);
    if (isAmong(kind, kUnary)) return op.in.size() == 1 ? unary(op) : binary(op);
    if (isAmong(kind, kBinary) && op.in.size() > 1) return binary(op);
    if (isAmong(kind, kTernary) && op.in.size() > 2) return binary(op);
    if (kind == "softmax") return softmax(op);
    if (kind == "layer_norm" || kind == "rms_norm") return norm(op);
    if (isAmong(kind, kReductions)) return plain(op, 2 * tileCost(op.in[0]) + 2 * 2048 + 2 * tileCost(op.out[0]));
    if (kind == "reshape") return reshape(op);
    if (isAmong(kind, kConversions)) return conversion(op);
    if (kind == "transpose" || kind == "permute") return transposed(op);
    if (kind == "rotary_embedding") return rotary(op);
    if (kind == "concat") {
        Demand d = plain(op, 2 * tileCost(op.in[0]));
        d.fault = concatFault(op);
        return d;
    }
    if (kind.starts_with("slice")) return plain(op, 2 * tileCost(op.in[0]));
    if (kind == "pad") return plain(op, 3 * tileCost(op.in[0]));
    if (kind == "repeat" || kind == "repeat_interleave") return plain(op, 131072);
    if (kind == "embedding" || kind.find("pool2d") != std::string_view::npos) return plain(op, 4 * tileCost(op.out[0]));
    return plain(op, twoTilesEach(op));
}

}  // namespace memplan::verify::ttnn

// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/model/op_kinds.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace memplan::ttnn::model {
namespace {

using Words = std::vector<std::string_view>;

struct Group {
    OpKind as;  ///< without its word
    Words words;
};

OpKind family(Family family, int minOperands) {
    OpKind kind;
    kind.family = family;
    kind.minOperands = minOperands;
    return kind;
}

OpKind eltwise(int minOperands, bool takesRowMajor, bool isTranscendental) {
    OpKind kind = family(Family::Eltwise, minOperands);
    kind.takesRowMajor = takesRowMajor;
    kind.isTranscendental = isTranscendental;
    return kind;
}

OpKind logical() {
    OpKind kind = eltwise(2, true, false);
    kind.needsExtraTiles = true;
    return kind;
}

OpKind coreKeeping() {
    OpKind kind = eltwise(2, true, false);
    kind.keepsCores = true;
    return kind;
}

OpKind transposedConv() {
    OpKind kind = family(Family::Conv, 2);
    kind.isTransposed = true;
    return kind;
}

OpKind movement(Buffers buffers, int minOperands = 1) {
    OpKind kind = family(Family::Movement, minOperands);
    kind.buffers = buffers;
    return kind;
}

OpKind embedding() {
    OpKind kind = movement(Buffers::Lookup, 2);
    kind.pageOperand = 1;
    return kind;
}

/// Kernels that take one position of each user, as they decode.
OpKind decoding(int userOperand) {
    OpKind kind = family(Family::Other, userOperand + 1);
    kind.userOperand = userOperand;
    return kind;
}

std::vector<Group> eltwiseGroups() {
    return {
        {eltwise(1, true, false), {"relu", "neg", "abs", "typecast"}},
        {eltwise(1, false, false),
         {"relu6", "leaky_relu", "prelu", "clamp", "clamp_scalar", "ceil", "floor", "round", "trunc", "sign",
          "isfinite", "logical_not", "bitwise_not", "hardsigmoid", "hardtanh", "identity", "square"}},
        {eltwise(1, false, true),
         {"gelu",  "silu",     "rsqrt",    "sqrt",  "sigmoid", "exp",       "exp2",       "log",       "log1p",
          "expm1", "tanh",     "sin",      "cos",   "tan",     "sinh",      "cosh",       "asin",      "acos",
          "atan",  "asinh",    "acosh",    "atanh", "erf",     "erfc",      "cbrt",       "elu",       "celu",
          "selu",  "softplus", "softsign", "mish",  "swish",   "hardswish", "reciprocal", "pow_scalar"}},
        {coreKeeping(), {"add", "multiply", "minimum"}},
        {eltwise(2, true, false),
         {"subtract", "divide", "maximum", "eq", "ne", "lt", "le", "gt", "ge", "remainder", "bitwise_and", "bitwise_or",
          "bitwise_xor", "logical_left_shift", "logical_right_shift"}},
        {eltwise(2, true, true), {"pow", "pow_tensor", "atan2", "gelu_bw"}},
        {logical(), {"logical_and", "logical_or", "logical_xor"}},
        {eltwise(3, true, false), {"where", "clamp_tensor"}},
    };
}

std::vector<Group> kernelGroups() {
    return {
        {family(Family::Matmul, 2), {"matmul", "linear"}},
        {family(Family::Conv, 2), {"conv2d"}},
        {transposedConv(), {"conv_transpose2d"}},
        {family(Family::Softmax, 1), {"softmax"}},
        {family(Family::Norm, 1), {"layer_norm", "rms_norm"}},
        {family(Family::Reduction, 1), {"sum", "mean", "max", "min", "prod", "argmax"}},
        {family(Family::Reshape, 1), {"reshape"}},
        {family(Family::Permute, 1), {"transpose", "permute"}},
        {family(Family::Concat, 1), {"concat"}},
        {family(Family::Conversion, 1), {"to_layout", "to_memory_config", "to_device", "from_device", "to_dtype"}},
        {family(Family::Rotary, 1), {"rotary_embedding"}},
        {family(Family::Creation, 0),
         {"constant", "full", "ones", "zeros", "arange", "empty", "rand", "full_like", "ones_like", "zeros_like"}},
        {movement(Buffers::Slice), {"slice_static", "slice_dynamic", "slice"}},
        {movement(Buffers::Pad), {"pad"}},
        {movement(Buffers::Lookup), {"max_pool2d", "avg_pool2d", "max_pool2d_with_indices", "global_avg_pool2d"}},
        {embedding(), {"embedding"}},
        {movement(Buffers::Repeat), {"repeat", "repeat_interleave"}},
        {movement(Buffers::PerTensor), {"upsample"}},
        {family(Family::Nothing, 0), {"deallocate", "get_device"}},
    };
}

std::vector<Group> otherGroups() {
    return {
        {family(Family::Other, 0),
         {"conv3d",
          "batch_norm_inference",
          "batch_norm_training",
          "group_norm",
          "cumsum",
          "moreh_cumsum",
          "sort",
          "topk",
          "gather",
          "scatter",
          "fill_cache",
          "update_cache",
          "paged_fill_cache",
          "embedding_bw",
          "concatenate_heads",
          "nlp_concat_heads",
          "nlp_create_qkv_heads_decode",
          "split_query_key_value_and_split_heads",
          "rotary_embedding_llama",
          "scaled_dot_product_attention",
          "scaled_dot_product_attention_decode",
          "paged_scaled_dot_product_attention_decode",
          "quantize",
          "dequantize",
          "requantize",
          "dropout",
          "assign",
          "prepare_conv2d_weights",
          "prepare_conv2d_bias",
          "prepare_conv_transpose2d_weights",
          "prepare_conv_transpose2d_bias"}},
        {decoding(0), {"nlp_concat_heads_decode"}},
        {decoding(1), {"paged_update_cache"}},
        {family(Family::Unmodelled, 0),
         {"all_gather", "all_reduce", "all_reduce_async", "reduce_scatter", "collective_permute", "mesh_shard",
          "mesh_partition", "point_to_point", "distributed_rms_norm", "aggregate_tensor", "distribute_tensor",
          "begin_trace_capture", "end_trace_capture", "execute_trace", "capture_or_execute_trace", "generic",
          "d2m_subgraph", "load_cached"}},
    };
}

const std::unordered_map<std::string_view, OpKind>& allKinds() {
    static const std::unordered_map<std::string_view, OpKind> kKinds = [] {
        std::unordered_map<std::string_view, OpKind> kinds;
        for (const auto& groups : {eltwiseGroups(), kernelGroups(), otherGroups()}) {
            for (const Group& group : groups) {
                for (const std::string_view kindWord : group.words) {
                    OpKind kind = group.as;
                    kind.word = kindWord;
                    kinds.emplace(kindWord, kind);
                }
            }
        }
        return kinds;
    }();
    return kKinds;
}

}  // namespace

std::int64_t usersOf(std::span<const std::int64_t> shape) {
    return shape.size() < 3 ? 1 : shape[shape.size() - 3];
}

const OpKind* opKind(std::string_view word) {
    const auto it = allKinds().find(word);
    return it == allKinds().end() ? nullptr : &it->second;
}

std::vector<std::string_view> opKindWords() {
    std::vector<std::string_view> words;
    for (const auto& [word, kind] : allKinds())
        words.push_back(word);
    std::sort(words.begin(), words.end());
    return words;
}

}  // namespace memplan::ttnn::model

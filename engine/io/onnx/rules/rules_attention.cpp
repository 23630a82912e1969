// SPDX-License-Identifier: Apache-2.0
// Attention and RotaryEmbedding of the standard domain, opset 23 and up.
#include "engine/io/onnx/rules/rules.h"

#include <array>

namespace memplan::io::onnx {

namespace {

/// Heads, length and head size of a query, key or value, whether it is [B, S, heads x D] or [B, heads, S, D].
struct Heads {
    std::int64_t batch, heads, length, size;
};

Heads headsOf(const NodeContext& c, std::size_t input, const char* attribute) {
    const Shape& x = c.shapeOfRankFrom(input, 3);
    if (x.size() == 4) return {x[0], x[1], x[2], x[3]};
    if (x.size() != 3) c.failShape("input " + std::to_string(input) + " must have 3 or 4 dimensions");
    const std::int64_t heads = c.attr(attribute, 0);
    if (heads < 1 || x[2] % heads != 0)
        c.failShape(std::string("\"") + attribute + "\" = " + std::to_string(heads) + " does not part " +
                    std::to_string(x[2]));
    return {x[0], heads, x[1], x[2] / heads};
}

void attention(NodeContext& c) {
    const Heads q = headsOf(c, 0, "q_num_heads");
    const Heads k = headsOf(c, 1, "kv_num_heads");
    const Heads v = headsOf(c, 2, "kv_num_heads");
    if (q.size != k.size || k.length != v.length || k.heads != v.heads || k.heads < 1 || q.heads % k.heads != 0)
        c.failShape("query, key and value do not fit together");
    const std::int64_t past = c.has(4) ? c.shapeOfRank(4, 4)[2] : 0;
    const std::int64_t total = past + k.length;
    if (c.rank(0) == 3)
        c.out(0, {q.batch, q.length, c.times(q.heads, v.size)}, c.type(0));
    else
        c.out(0, {q.batch, q.heads, q.length, v.size}, c.type(0));
    c.out(1, {k.batch, k.heads, total, k.size}, c.type(1));
    c.out(2, {v.batch, v.heads, total, v.size}, c.type(2));
    c.out(3, {q.batch, q.heads, q.length, total}, c.type(0));
}

constexpr std::array kRules{
    ShapeRule{"Attention", attention,
              "is_causal,kv_num_heads,q_num_heads,qk_matmul_output_mode,scale,softcap,softmax_precision"},
    ShapeRule{"RotaryEmbedding", [](NodeContext& c) { c.outLikeInput(); },
              "interleaved,num_heads,rotary_embedding_dim"},
};

}  // namespace

std::span<const ShapeRule> attentionRules() {
    return kRules;
}

}  // namespace memplan::io::onnx

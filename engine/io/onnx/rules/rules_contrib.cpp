// SPDX-License-Identifier: Apache-2.0
// The contrib domain com.microsoft, shapes only (inputs-and-interchange 3.4).
#include "engine/io/onnx/rules/matmul_shape.h"
#include "engine/io/onnx/rules/rules.h"

#include <algorithm>
#include <array>

namespace memplan::io::onnx {

namespace {

void same(NodeContext& c) {
    c.outLikeInput();
}

void embedLayerNormalization(NodeContext& c) {
    const Shape& ids = c.shapeOfRank(0, 2);
    const Shape out{ids[0], ids[1], c.shapeOfRank(2, 2)[1]};
    c.out(0, out, c.type(2));
    c.out(1, {ids[0]}, kInt32);
    c.out(2, out, c.type(2));
}

// Input, weight [I, 3H], bias, mask, past [2, B, heads, P, D].
void attention(NodeContext& c) {
    const bool quantized = c.node().op == "QAttention";
    const Shape& x = c.shapeOfRank(0, 3);
    const Shape& w = c.shapeOfRank(1, 2);
    const auto sizes = c.attrInts("qkv_hidden_sizes");
    const std::int64_t hidden = sizes && sizes->size() == 3 ? (*sizes)[2] : w[1] / 3;
    if (w[0] != x[2] || (!(sizes && sizes->size() == 3) && w[1] % 3 != 0))
        c.failShape("the weight does not fit the input");
    const int type = quantized ? c.type(2) : c.type(0);
    c.out(0, {x[0], x[1], hidden}, type);
    const std::int64_t heads = c.attr("num_heads", 1);
    if (heads < 1 || hidden % heads != 0)
        c.failShape(std::to_string(heads) + " heads do not part " + std::to_string(hidden));
    const std::size_t pastInput = quantized ? 8 : 4;
    const std::int64_t past = c.has(pastInput) ? c.shapeOfRank(pastInput, 5)[3] : 0;
    const bool shared = c.attr("past_present_share_buffer", 0) != 0;
    c.out(1, {2, x[0], heads, shared ? past : past + x[1], hidden / heads}, type);
}

// Query [B, S, H]; packed as [B, S, heads, 3, D] when there is no key.
void multiHeadAttention(NodeContext& c) {
    const Shape& q = c.shapeOfRankFrom(0, 3);
    const bool packed = q.size() == 5;
    if (!packed && q.size() != 3) c.failShape("the query must have 3 or 5 dimensions");
    const std::int64_t heads = c.attr("num_heads", 1);
    std::int64_t hidden = packed ? c.times(q[2], q[4]) : q[2];
    std::int64_t length = q[1];
    if (c.has(1) && c.rank(1) == 3) length = c.shape(1)[1];
    if (c.has(1) && c.rank(1) == 4) length = c.shape(1)[2];
    if (c.has(2) && c.rank(2) == 3) hidden = c.shape(2)[2];
    if (c.has(2) && c.rank(2) == 4) hidden = c.times(c.shape(2)[1], c.shape(2)[3]);
    c.out(0, {q[0], q[1], hidden}, c.type(0));
    if (heads < 1 || hidden % heads != 0)
        c.failShape(std::to_string(heads) + " heads do not part " + std::to_string(hidden));
    const std::int64_t past = c.has(6) ? c.shapeOfRank(6, 4)[2] : 0;
    const std::int64_t keySize = packed ? q[4] : q[2] / heads;
    c.out(1, {q[0], heads, past + length, keySize}, c.type(0));
    c.out(2, {q[0], heads, past + length, hidden / heads}, c.type(0));
}

// Query, key, value, past key and value [B, kv heads, P, D], lengths, total length.
void groupQueryAttention(NodeContext& c) {
    const Shape& q = c.shapeOfRank(0, 3);
    const std::int64_t heads = c.attr("num_heads", 1);
    const std::int64_t kvHeads = c.attr("kv_num_heads", heads);
    const bool packed = !c.has(1);
    const std::int64_t parts = packed ? heads + 2 * kvHeads : heads;
    if (heads < 1 || kvHeads < 1 || heads > (1 << 20) || kvHeads > heads || q[2] % parts != 0) {
        c.failShape(std::to_string(heads) + " heads and " + std::to_string(kvHeads) + " KV heads do not part " +
                    std::to_string(q[2]));
    }
    const std::int64_t size = q[2] / parts;
    c.out(0, {q[0], q[1], heads * size}, c.type(0));
    const bool hasPast = c.has(3) && c.rank(3) == 4;
    const std::int64_t past = hasPast ? c.shape(3)[2] : 0;
    // The total length is the user's when it is known, else past and new tokens.
    const auto total = c.integers(6);
    const std::int64_t length =
        total && total->size() == 1 ? (*total)[0] : past + (packed ? q[1] : c.shapeOfRank(1, 3)[1]);
    c.out(1, {q[0], kvHeads, length, size}, hasPast ? c.type(3) : c.type(0));
    c.out(2, {q[0], kvHeads, length, size}, hasPast ? c.type(3) : c.type(0));
}

void skipLayerNormalization(NodeContext& c) {
    const Shape& x = c.shapeOfRankFrom(0, 2);
    if (c.broadcast(x, c.shape(1)) != x) c.failShape("the skip does not broadcast to the input");
    Shape statistics(x);
    statistics.back() = 1;
    c.outLikeInput(0);
    c.out(1, statistics, kFloat);
    c.out(2, statistics, kFloat);
    c.outLikeInput(3);
}

void fusedMatMul(NodeContext& c) {
    const Shape a = c.attr("transA", 0) != 0 ? swappedLast(c, c.shape(0)) : c.shape(0);
    const Shape b = c.attr("transB", 0) != 0 ? swappedLast(c, c.shape(1)) : c.shape(1);
    c.out(0, matmulShape(c, a, b), c.type(0));
}

void matMulNBits(NodeContext& c) {
    Shape out = c.shapeOfRankFrom(0, 1);
    out.back() = c.attr("N", -1);
    c.out(0, std::move(out), c.type(0));
}

void matMulIntegerToFloat(NodeContext& c) {
    c.out(0, matmulShape(c, c.shape(0), c.shape(1)), c.type(2));
}

// A, its scale and zero point, then B.
void qLinearBinary(NodeContext& c) {
    c.out(0, c.broadcast(c.shape(0), c.shape(3)), c.type(0));
}

void qLinearGlobalPool(NodeContext& c) {
    Shape out = c.shapeOfRankFrom(0, 2);
    const bool last = c.attr("channels_last", 0) != 0;
    for (std::size_t i = last ? 1 : 2; i < out.size() - (last ? 1 : 0); ++i)
        out[i] = 1;
    c.out(0, std::move(out), c.type(0));
}

// Output scale and zero point, then triples of tensor, scale, zero point.
void qLinearConcat(NodeContext& c) {
    Shape out = c.shapeOfRankFrom(2, 1);
    const std::size_t axis = c.axis(c.attr("axis", 0), out.size());
    for (std::size_t i = 5; i < c.inputCount(); i += 3)
        out[axis] += c.shapeOfRank(i, out.size())[axis];
    c.out(0, std::move(out), c.type(2));
}

// Rows of a quantised table [V, H]; bytes that pack two numbers have half the width.
void gatherBlockQuantized(NodeContext& c) {
    const Shape& table = c.shapeOfRankFrom(0, 1);
    const auto axis = static_cast<std::ptrdiff_t>(c.axis(c.attr("gather_axis", 0), table.size()));
    Shape out(table.begin(), table.begin() + axis);
    out.insert(out.end(), c.shape(1).begin(), c.shape(1).end());
    out.insert(out.end(), table.begin() + axis + 1, table.end());
    const std::int64_t packed = c.type(0) == kUint8 ? 8 / std::max<std::int64_t>(c.attr("bits", 4), 1) : 1;
    if (!out.empty()) out.back() = c.times(out.back(), packed);
    c.out(0, std::move(out), c.type(2));
}

// A, scale, zero point, B, ...; the output is quantised when it has a zero point.
void qGemm(NodeContext& c) {
    const Shape a = c.attr("transA", 0) != 0 ? swappedLast(c, c.shape(0)) : c.shape(0);
    const Shape b = c.attr("transB", 0) != 0 ? swappedLast(c, c.shape(3)) : c.shape(3);
    c.out(0, matmulShape(c, a, b), c.has(8) ? c.type(8) : static_cast<int>(kFloat));
}

void qLinearAveragePool(NodeContext& c) {
    if (c.attr("channels_last", 0) != 0) c.fail("ONNX-030", "channels in the last dimension have no shape rule");
    findRule("", "AveragePool")->infer(c);
}

void biasSplitGelu(NodeContext& c) {
    Shape out = c.shapeOfRankFrom(0, 1);
    out.back() /= 2;
    c.out(0, std::move(out), c.type(0));
}

void standard(NodeContext& c) {
    const ShapeRule* rule = findRule("", c.node().op.rfind("Fused", 0) == 0 ? std::string_view(c.node().op).substr(5)
                                                                            : std::string_view(c.node().op));
    if (rule == nullptr) c.fail("ONNX-030", "no shape rule");
    rule->infer(c);
}

constexpr std::array kRules{
    ShapeRule{"EmbedLayerNormalization", embedLayerNormalization, ""},
    ShapeRule{"Attention", attention, ""},
    ShapeRule{"QAttention", attention, ""},
    ShapeRule{"MultiHeadAttention", multiHeadAttention, ""},
    ShapeRule{"GroupQueryAttention", groupQueryAttention, ""},
    ShapeRule{"SkipLayerNormalization", skipLayerNormalization, ""},
    ShapeRule{"SkipSimplifiedLayerNormalization", skipLayerNormalization, ""},
    ShapeRule{"SimplifiedLayerNormalization", same, ""},
    ShapeRule{"FastGelu", same, ""},
    ShapeRule{"Gelu", same, ""},
    ShapeRule{"QuickGelu", same, ""},
    ShapeRule{"BiasGelu", same, ""},
    ShapeRule{"BiasAdd", same, ""},
    ShapeRule{"BiasSplitGelu", biasSplitGelu, ""},
    ShapeRule{"RotaryEmbedding", same, ""},
    ShapeRule{"GemmaRotaryEmbedding", same, ""},
    ShapeRule{"GroupNorm", same, ""},
    ShapeRule{"SkipGroupNorm", same, ""},
    ShapeRule{"MoE", same, ""},
    ShapeRule{"QMoE", same, ""},
    ShapeRule{"FusedMatMul", fusedMatMul, ""},
    ShapeRule{"TransposeMatMul", fusedMatMul, ""},
    ShapeRule{"FusedGemm", standard, ""},
    ShapeRule{"FusedConv", standard, ""},
    ShapeRule{"MatMulNBits", matMulNBits, ""},
    ShapeRule{"MatMulBnb4", matMulNBits, ""},
    ShapeRule{"GatherBlockQuantized", gatherBlockQuantized, ""},
    ShapeRule{"DynamicQuantizeMatMul",
              [](NodeContext& c) { c.out(0, matmulShape(c, c.shape(0), c.shape(1)), c.type(0)); }, ""},
    ShapeRule{"MatMulIntegerToFloat", matMulIntegerToFloat, ""},
    ShapeRule{"QuantizeLinear", standard, ""},
    ShapeRule{"DequantizeLinear", standard, ""},
    ShapeRule{"QLinearAdd", qLinearBinary, ""},
    ShapeRule{"QLinearMul", qLinearBinary, ""},
    ShapeRule{"QLinearSigmoid", same, ""},
    ShapeRule{"QLinearLeakyRelu", same, ""},
    ShapeRule{"QLinearSoftmax", same, ""},
    ShapeRule{"QLinearGlobalAveragePool", qLinearGlobalPool, ""},
    ShapeRule{"QGemm", qGemm, ""},
    ShapeRule{"QLinearAveragePool", qLinearAveragePool, ""},
    ShapeRule{"QLinearConcat", qLinearConcat, ""},
    ShapeRule{"Trilu", standard, ""},
};

}  // namespace

std::span<const ShapeRule> contribRules() {
    return kRules;
}

}  // namespace memplan::io::onnx

// SPDX-License-Identifier: Apache-2.0
// Attention operators as products, masks and softmax (inputs-and-interchange 6).
#include "engine/io/onnx/lower/lowering.h"

#include <algorithm>
#include <array>

namespace memplan::io::onnx {
namespace {

struct Heads {
    TensorId q, k, v;  ///< [b, h, s, d], [b, hk, t, d], [b, hk, t, dv]
    double scale = 1;
    std::vector<TensorId> masks;  ///< added to the scores one by one; each broadcasts to [b, h, s, t]
    double softcap = 0;           ///< scores become softcap * tanh(scores / softcap); 0 = not
};

/// A mask of heads as one of key heads and their repeats.
TensorId groupedMask(Lowering& l, const std::string& name, TensorId mask, const std::array<std::int64_t, 2>& split) {
    Shape m = l.shape(mask);
    if (m.size() < 3) return mask;
    const bool perHead = m[m.size() - 3] != 1;
    const auto at = m.end() - 3;
    if (perHead) *at = split[1];
    m.insert(m.end() - 3, perHead ? split[0] : 1);
    return l.view({name + "_groups", -1}, mask, m);
}

bool fitsScores(const Shape& mask, const Shape& scores) {
    return mask.size() <= scores.size() && broadcast(scores, mask) == scores;
}

/// Where a cast ends: a pointwise result of another element type.
TensorId castTo(Lowering& l, const std::string& name, TensorId x, DType t) {
    const TensorId y = l.pointwise({name, -1}, "cast", {x}, {{"to", std::string(dtypeName(t))}});
    l.setType(y, t);
    return y;
}

constexpr double kMasked = -10000.0;

struct KeyMask {
    std::string name;
    std::int64_t keys = 0;
    DType dtype = DType::F32;
};

/// [b, t] of ones and zeros as something to add: (1 - m) * a large negative number, [b, 1, 1, t].
std::optional<TensorId> addedMask(Lowering& l, TensorId m, const KeyMask& k) {
    const Shape s = l.shape(m);
    if (s.size() != 2 || s[1] != k.keys) return std::nullopt;
    const TensorId real = castTo(l, k.name + "_cast", m, k.dtype);
    const TensorId inverse = l.pointwise({k.name + "_sub", -1}, "sub", {l.scalar(1.0, k.dtype), real});
    const double low = l.floatAttr("mask_filter_value", kMasked);
    const TensorId scaled = l.pointwise({k.name + "_mul", -1}, "mul", {inverse, l.scalar(low, k.dtype)});
    return l.view({k.name + "_rows", -1}, scaled, {s[0], 1, 1, s[1]});
}

/// Number of valid keys of each batch entry: keys from there on are masked. `last`: position of the last key.
TensorId lengthMask(Lowering& l, TensorId lengths, bool last, const KeyMask& k) {
    const Shape s = l.shape(lengths);
    const std::int64_t batch = elements(s);
    const TensorId column = l.view({k.name + "_column", -1}, lengths, {batch, 1});
    const TensorId places = l.constant({k.name + "_places", -1}, "arange", {k.keys}, l.graph.tensor(lengths).dtype);
    const TensorId beyond = l.pointwise({k.name + "_beyond", -1}, last ? "gt" : "ge", {places, column});
    l.setType(beyond, DType::Bool);
    const TensorId real = castTo(l, k.name + "_cast", beyond, k.dtype);
    const TensorId scaled = l.pointwise({k.name + "_mul", -1}, "mul", {real, l.scalar(kMasked, k.dtype)});
    return l.view({k.name + "_rows", -1}, scaled, {batch, 1, 1, k.keys});
}

/// Later keys are invisible: one constant [s, t].
TensorId causalMask(Lowering& l, std::int64_t queries, const KeyMask& k) {
    return l.constant({"causal", -1}, "causal_mask", {queries, k.keys}, k.dtype);
}

/// Product, scale, mask, softmax, product; fewer key than query heads read each key head r times.
TensorId attentionCore(Lowering& l, const Heads& a) {
    const Shape q = l.shape(a.q);
    const Shape k = l.shape(a.k);
    const std::int64_t heads = q[1];
    const std::int64_t shared = k[1];
    const bool grouped = heads != shared;
    const std::int64_t repeat = heads / shared;
    TensorId queries = a.q;
    if (grouped) queries = l.view({"query_groups", -1}, a.q, {q[0], shared, repeat, q[2], q[3]});
    const TensorId scores = grouped ? l.contract({"scores", -1}, queries, a.k, {"bhric", "bhjc", "bhrij"})
                                    : l.contract({"scores", -1}, queries, a.k, {"bhic", "bhjc", "bhij"});
    TensorId s = l.pointwise({"scale", -1}, "mul", {scores, l.scalar(a.scale, l.graph.tensor(scores).dtype)});
    if (a.softcap > 0) {
        const TensorId cap = l.scalar(a.softcap, l.graph.tensor(scores).dtype);
        s = l.pointwise({"cap_div", -1}, "div", {s, cap});
        s = l.pointwise({"cap_tanh", -1}, "tanh", {s});
        s = l.pointwise({"cap_mul", -1}, "mul", {s, cap});
    }
    for (std::size_t i = 0; i < a.masks.size(); ++i) {
        const std::string name = i == 0 ? "mask" : "mask" + std::to_string(i + 1);
        s = l.pointwise({name, -1}, "add",
                        {s, grouped ? groupedMask(l, name, a.masks[i], {shared, repeat}) : a.masks[i]});
    }
    const std::set<int> last{static_cast<int>(l.shape(s).size()) - 1};
    const GroupId outer = l.currentGroup();
    l.openGroup("softmax");
    const TensorId p = softmaxParts(l, {"softmax", -1}, s, last, false);
    l.closeGroupTo(outer);
    if (!grouped) return l.contract({"context", -1}, p, a.v, {"bhij", "bhjc", "bhic"});
    const TensorId context = l.contract({"context", -1}, p, a.v, {"bhrij", "bhjc", "bhric"});
    return l.view({"context_heads", -1}, context, {q[0], heads, q[2], l.shape(a.v)[3]});
}

/// [B, S, n * d] to [B, n, S, d].
TensorId splitHeads(Lowering& l, const std::string& name, TensorId x, std::int64_t heads) {
    const Shape s = l.shape(x);
    const TensorId wide = l.view({name + "_heads", -1}, x, {s[0], s[1], heads, s[2] / heads});
    return l.transpose({name + "_transposed", -1}, wide, {0, 2, 1, 3});
}

void mergeHeads(Lowering& l, TensorId context) {
    const Shape c = l.shape(context);
    const TensorId moved = l.transpose({"context_transposed", -1}, context, {0, 2, 1, 3});
    l.view({"merge", 0}, moved, {c[0], c[2], c[1] * c[3]});
}

/// Masks of the contrib operators: [b, t] of ones and zeros, or [b] lengths.
bool maskFits(Lowering& l, std::size_t input, std::int64_t batch, std::int64_t keys) {
    if (!l.has(input)) return true;
    const Shape& m = l.inValue(input).shape;
    return (m.size() == 2 && m[0] == batch && m[1] == keys) || (m.size() == 1 && m[0] == batch);
}

std::vector<TensorId> keyMasks(Lowering& l, std::size_t input, bool last, const KeyMask& key) {
    if (!l.has(input)) return {};
    if (l.inValue(input).shape.size() == 1) return {lengthMask(l, l.in(input), last, key)};
    const auto added = addedMask(l, l.in(input), key);
    return added ? std::vector<TensorId>{*added} : std::vector<TensorId>{};
}

/// com.microsoft Attention: packed projection, optional past, present stacked in front.
bool packedAttention(Lowering& l) {
    const std::int64_t heads = l.intAttr("num_heads", 0);
    const Shape x = l.inValue(0).shape;
    if (heads < 1 || x.size() != 3 || !l.has(1) || l.inValue(1).shape.size() != 2) return false;
    const std::int64_t packed = l.inValue(1).shape[1];
    const std::int64_t hidden = packed / 3;
    if (packed % 3 != 0 || hidden % heads != 0 || !l.intsAttr("qkv_hidden_sizes").empty()) return false;
    const bool hasPast = l.has(4) && elements(l.inValue(4).shape) > 0;
    const Shape past = hasPast ? l.inValue(4).shape : Shape{};
    if (hasPast && (past.size() != 5 || past != Shape{2, x[0], heads, past[3], hidden / heads})) return false;
    const std::int64_t keys = x[1] + (hasPast ? past[3] : 0);
    if (!maskFits(l, 3, x[0], keys)) return false;
    if (l.has(5) && !fitsScores(l.inValue(5).shape, {x[0], heads, x[1], keys})) return false;
    l.openGroup("attention");
    const KeyMask key{"key_mask", keys, l.inValue(0).dtype};
    std::vector<TensorId> masks = keyMasks(l, 3, false, key);
    if (l.intAttr("unidirectional", 0) != 0) masks.push_back(causalMask(l, x[1], key));
    if (l.has(5)) masks.push_back(l.in(5));
    const TensorId flat = l.view({"flat", -1}, l.in(0), {x[0] * x[1], x[2]});
    TensorId qkv = l.contract({"qkv", -1}, flat, l.in(1), {"ik", "kj", "ij"});
    if (l.has(2)) qkv = l.pointwise({"qkv_bias", -1}, "add", {qkv, l.in(2)});
    const TensorId rows = l.view({"qkv_rows", -1}, qkv, {x[0], x[1], packed});
    const char* names[] = {"q", "k", "v"};
    TensorId parts[3];
    for (int i = 0; i < 3; ++i) {
        const TensorId part = l.sliceAxis({names[i], -1}, rows, 2, i * hidden, hidden);
        parts[i] = splitHeads(l, names[i], part, heads);
    }
    if (hasPast) {
        const Shape one{past[1], past[2], past[3], past[4]};
        for (int i = 1; i < 3; ++i) {
            const TensorId slot = l.sliceAxis({std::string("past_") + names[i], -1}, l.in(4), 0, i - 1, 1);
            const TensorId flatPast = l.view({std::string("past_") + names[i] + "_rows", -1}, slot, one);
            parts[i] = l.concat({std::string("all_") + names[i], -1}, {flatPast, parts[i]}, 2);
        }
    }
    if (l.hasOut(1)) {
        Shape stacked = l.shape(parts[1]);
        stacked.insert(stacked.begin(), 1);
        const TensorId k = l.view({"present_k", -1}, parts[1], stacked);
        const TensorId v = l.view({"present_v", -1}, parts[2], stacked);
        l.concat({"present", 1}, {k, v}, 0);
    }
    const double scale = l.floatAttr("scale", 0);
    const double natural = 1.0 / std::max(1.0, static_cast<double>(hidden / heads));
    mergeHeads(l,
               attentionCore(l, {parts[0], parts[1], parts[2], scale > 0 ? scale : __builtin_sqrt(natural), masks, 0}));
    return true;
}

/// A mask of truth values as numbers to add.
TensorId realMask(Lowering& l, TensorId mask, const KeyMask& k) {
    if (l.graph.tensor(mask).dtype != DType::Bool) return mask;
    const TensorId hidden = l.pointwise({"attn_mask_not", -1}, "logical_not", {mask});
    const TensorId real = castTo(l, "attn_mask_cast", hidden, k.dtype);
    return l.pointwise({"attn_mask_mul", -1}, "mul", {real, l.scalar(kMasked, k.dtype)});
}

/// Query, key and value, each with its part of the packed bias (input 3) when there is one.
std::array<TensorId, 3> biased(Lowering& l, bool hasBias) {
    std::array<TensorId, 3> out{l.in(0), l.in(1), l.in(2)};
    if (!hasBias) return out;
    static constexpr const char* kNames[] = {"q_bias", "k_bias", "v_bias"};
    std::int64_t at = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        const std::int64_t width = l.shape(out[i]).back();
        const TensorId part = l.sliceAxis({std::string(kNames[i]) + "_part", -1}, l.in(3), 0, at, width);
        out[i] = l.pointwise({kNames[i], -1}, "add", {out[i], part});
        at += width;
    }
    return out;
}

/// An operator that gets query, key and value apart ([B, S, n d]); its further inputs stand at places of their own.
struct SeparateAttention {
    explicit SeparateAttention(const Lowering& l) : op(l.node().op) {}

    std::string_view op;
    bool isGrouped = op == "GroupQueryAttention", isStandard = op == "Attention", isMulti = op == "MultiHeadAttention";
    std::size_t pastAt = isGrouped ? 3 : isStandard ? 4 : 6;  ///< of the past keys; the values follow
    std::size_t maskAt = isGrouped ? 5 : isMulti ? 4 : 99;
    std::size_t addedAt = isGrouped ? 10 : isMulti ? 5 : 3;
    std::int64_t heads = 0, keyHeads = 0;
    bool hasPast = false;
    std::int64_t total = 0;  ///< rows of keys, the past ones included
};

/// False for shapes that do not fit each other.
bool readHeads(Lowering& l, SeparateAttention& a) {
    if (!l.has(1) || !l.has(2)) return false;
    const Shape& query = l.inValue(0).shape;
    const Shape& key = l.inValue(1).shape;
    const Shape& value = l.inValue(2).shape;
    if (query.size() != 3 || key.size() != 3 || value.size() != 3) return false;
    a.heads = l.intAttr(a.isStandard ? "q_num_heads" : "num_heads", 0);
    a.keyHeads = l.intAttr(a.isStandard || a.isGrouped ? "kv_num_heads" : "num_heads", a.heads);
    if (a.heads < 1 || a.keyHeads < 1 || a.heads % a.keyHeads != 0) return false;
    if (query[2] % a.heads != 0 || key[2] % a.keyHeads != 0 || value[2] % a.keyHeads != 0) return false;
    const bool sameRows = key[0] == query[0] && value[0] == key[0] && value[1] == key[1];
    return sameRows && key[2] / a.keyHeads == query[2] / a.heads;
}

/// Past rows and what becomes of them. A present that is not past plus new rows is a shared cache: the kernel writes it
/// in place.
bool readPast(Lowering& l, SeparateAttention& a) {
    const Shape& key = l.inValue(1).shape;
    a.hasPast = l.has(a.pastAt) && l.has(a.pastAt + 1) && elements(l.inValue(a.pastAt).shape) > 0;
    a.total = key[1];
    if (a.hasPast) {
        const Shape& pastKey = l.inValue(a.pastAt).shape;
        const Shape& pastValue = l.inValue(a.pastAt + 1).shape;
        if (pastKey.size() != 4 || pastKey != Shape{key[0], a.keyHeads, pastKey[2], key[2] / a.keyHeads}) return false;
        if (pastValue != Shape{key[0], a.keyHeads, pastKey[2], l.inValue(2).shape[2] / a.keyHeads}) return false;
        a.total += pastKey[2];
    }
    for (std::size_t k = 1; k <= 2; ++k) {
        if (l.hasOut(k) && (l.outValue(k).shape.size() != 4 || l.outValue(k).shape[2] != a.total)) return false;
    }
    return !l.hasOut(3);
}

bool masksFit(Lowering& l, const SeparateAttention& a) {
    const Shape& first = l.inValue(0).shape;
    const std::int64_t widths = first[2] + l.inValue(1).shape[2] + l.inValue(2).shape[2];
    if (a.isMulti && l.has(3) && l.inValue(3).shape != Shape{widths}) return false;
    const bool lengthsOnly = a.isGrouped && l.has(5) && elements(l.inValue(5).shape) != first[0];
    if (lengthsOnly || (a.isMulti && !maskFits(l, a.maskAt, first[0], a.total))) return false;
    return !l.has(a.addedAt) || fitsScores(l.inValue(a.addedAt).shape, Shape{first[0], a.heads, first[1], a.total});
}

std::vector<TensorId> masksOf(Lowering& l, const SeparateAttention& a) {
    const KeyMask key{"key_mask", a.total, l.inValue(0).dtype};
    std::vector<TensorId> masks;
    if (a.isGrouped && l.has(5)) masks.push_back(lengthMask(l, l.in(5), true, key));
    if (a.isMulti) masks = keyMasks(l, a.maskAt, false, key);
    if (a.isGrouped || l.intAttr(a.isStandard ? "is_causal" : "unidirectional", 0) != 0)
        masks.push_back(causalMask(l, l.inValue(0).shape[1], key));
    if (l.has(a.addedAt)) masks.push_back(realMask(l, l.in(a.addedAt), key));
    return masks;
}

/// GroupQueryAttention, MultiHeadAttention, Attention-23.
bool separateAttention(Lowering& l) {
    SeparateAttention a(l);
    if (!readHeads(l, a) || !readPast(l, a) || !masksFit(l, a)) return false;
    l.openGroup("attention");
    const std::vector<TensorId> masks = masksOf(l, a);
    const std::array<TensorId, 3> projected = biased(l, a.isMulti && l.has(3));
    TensorId q = splitHeads(l, "q", projected[0], a.heads);
    TensorId k = splitHeads(l, "k", projected[1], a.keyHeads);
    TensorId v = splitHeads(l, "v", projected[2], a.keyHeads);
    if (a.isGrouped && l.intAttr("do_rotary", 0) != 0) {
        q = l.pointwise({"q_rotary", -1}, "rotary_embedding", {q});
        k = l.pointwise({"k_rotary", -1}, "rotary_embedding", {k});
    }
    if (a.hasPast) {
        k = l.concat(l.hasOut(1) ? Dest{"present_k", 1} : Dest{"all_k", -1}, {l.in(a.pastAt), k}, 2);
        v = l.concat(l.hasOut(2) ? Dest{"present_v", 2} : Dest{"all_v", -1}, {l.in(a.pastAt + 1), v}, 2);
    } else {
        if (l.hasOut(1)) k = l.view({"present_k", 1}, k, l.shape(k));
        if (l.hasOut(2)) v = l.view({"present_v", 2}, v, l.shape(v));
    }
    const double depth = static_cast<double>(l.shape(q)[3]);
    const double scale = l.floatAttr("scale", 0);
    const double cap = l.floatAttr("softcap", 0);
    mergeHeads(l, attentionCore(l, {q, k, v, scale > 0 ? scale : 1.0 / __builtin_sqrt(depth), masks, cap}));
    return true;
}

}  // namespace

bool lowerAttention(Lowering& l) {
    const std::string& op = l.node().op;
    if (!l.hasOut(0) || !l.has(0)) return false;
    const bool contrib = l.node().domain == "com.microsoft";
    if (op == "Attention" && contrib) return packedAttention(l);
    if (op == "Attention" || (contrib && (op == "GroupQueryAttention" || op == "MultiHeadAttention"))) {
        return separateAttention(l);
    }
    return false;
}

}  // namespace memplan::io::onnx

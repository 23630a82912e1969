// SPDX-License-Identifier: Apache-2.0
// Rotary position embedding: the two halves of each head turn by an angle of their position
// (inputs-and-interchange 6).
#include "engine/io/onnx/lower/lowering.h"

namespace memplan::io::onnx {
namespace {

struct Angles {
    TensorId cosine, sine;  ///< [b, s, half]
};

/// Rows of the caches at the given positions; the caches themselves when they are per token already.
std::optional<Angles> anglesOf(Lowering& l, std::size_t cosAt, std::size_t positionsAt) {
    if (!l.has(cosAt) || !l.has(cosAt + 1)) return std::nullopt;
    const std::size_t rank = l.inValue(cosAt).shape.size();
    if (!l.has(positionsAt)) return rank == 3 ? std::optional<Angles>({l.in(cosAt), l.in(cosAt + 1)}) : std::nullopt;
    if (rank != 2 || l.inValue(positionsAt).shape.size() != 2) return std::nullopt;
    return Angles{l.embedding({"cos", -1}, l.in(cosAt), l.in(positionsAt)),
                  l.embedding({"sin", -1}, l.in(cosAt + 1), l.in(positionsAt))};
}

struct Turn {
    TensorId first, second, cosine, sine;
};

/// (first cos - second sin, second cos + first sin).
std::array<TensorId, 2> turned(Lowering& l, const Turn& t) {
    const TensorId a = l.pointwise({"mul_cos", -1}, "mul", {t.first, t.cosine});
    const TensorId b = l.pointwise({"mul_sin", -1}, "mul", {t.second, t.sine});
    const TensorId real = l.pointwise({"sub", -1}, "sub", {a, b});
    const TensorId c = l.pointwise({"mul_cos2", -1}, "mul", {t.second, t.cosine});
    const TensorId d = l.pointwise({"mul_sin2", -1}, "mul", {t.first, t.sine});
    return {real, l.pointwise({"add", -1}, "add", {c, d})};
}

TensorId everySecond(Lowering& l, const char* name, TensorId x, std::int64_t start) {
    Shape counts = l.shape(x);
    Shape starts(counts.size(), 0);
    Shape steps(counts.size(), 1);
    counts.back() /= 2;
    starts.back() = start;
    steps.back() = 2;
    return l.slice({name, -1}, x, starts, steps, counts);
}

TensorId interleaved(Lowering& l, const std::array<TensorId, 2>& halves) {
    Shape pair = l.shape(halves[0]);
    Shape joined = pair;
    joined.back() *= 2;
    pair.push_back(1);
    const TensorId a = l.view({"even", -1}, halves[0], pair);
    const TensorId b = l.view({"odd", -1}, halves[1], pair);
    return l.view({"joined", -1}, l.concat({"pairs", -1}, {a, b}, pair.size() - 1), joined);
}

}  // namespace

bool lowerRotary(Lowering& l) {
    if (l.node().op != "RotaryEmbedding" || !l.hasOut(0) || !l.has(0)) return false;
    const bool contrib = l.node().domain == "com.microsoft";
    const Shape x = l.inValue(0).shape;
    const std::size_t cosAt = contrib ? 2 : 1;
    const std::size_t positionsAt = contrib ? 1 : 3;
    if ((x.size() != 3 && x.size() != 4) || !l.has(cosAt) || !l.has(cosAt + 1)) return false;
    const std::int64_t half = l.inValue(cosAt).shape.empty() ? 0 : l.inValue(cosAt).shape.back();
    const std::int64_t partial = l.intAttr("rotary_embedding_dim", 0);
    const std::int64_t heads = x.size() == 4 ? x[1] : l.intAttr("num_heads", 0);
    const std::int64_t whole = x.size() == 4 ? x[3] : heads > 0 ? x[2] / heads : 2 * half;
    const std::int64_t turns = partial > 0 ? partial : whole;
    if (half < 1 || turns != 2 * half || whole < turns || (x.size() == 3 && x[2] % whole != 0)) return false;
    const bool needsRows = l.has(positionsAt);
    const std::size_t rank = l.inValue(cosAt).shape.size();
    if (needsRows ? rank != 2 || l.inValue(positionsAt).shape.size() != 2 : rank != 3) return false;

    l.openGroup("rotary");
    const auto angles = anglesOf(l, cosAt, positionsAt);
    const Shape rows = l.shape(angles->cosine);
    const Shape wide = x.size() == 4 ? Shape{rows[0], 1, rows[1], half} : Shape{rows[0], rows[1], 1, half};
    const TensorId cosine = l.view({"cos_rows", -1}, angles->cosine, wide);
    const TensorId sine = l.view({"sin_rows", -1}, angles->sine, wide);
    TensorId all = l.in(0);
    if (x.size() == 3) all = l.view({"heads", -1}, all, {x[0], x[1], x[2] / whole, whole});
    const TensorId part = turns == whole ? all : l.sliceAxis({"turning", -1}, all, 3, 0, turns);
    const bool mixed = l.intAttr("interleaved", 0) != 0;
    const TensorId first = mixed ? everySecond(l, "first", part, 0) : l.sliceAxis({"first", -1}, part, 3, 0, half);
    const TensorId second =
        mixed ? everySecond(l, "second", part, 1) : l.sliceAxis({"second", -1}, part, 3, half, half);
    const auto halves = turned(l, {first, second, cosine, sine});
    TensorId y = mixed ? interleaved(l, halves) : l.concat({"concat", -1}, {halves[0], halves[1]}, 3);
    if (turns != whole) {
        const TensorId rest = l.sliceAxis({"rest", -1}, all, 3, turns, whole - turns);
        y = l.concat({"whole", -1}, {y, rest}, 3);
    }
    l.view({"", 0}, y, l.outValue(0).shape);
    return true;
}

}  // namespace memplan::io::onnx

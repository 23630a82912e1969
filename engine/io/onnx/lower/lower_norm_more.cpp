// SPDX-License-Identifier: Apache-2.0
// Shared parts of the normalisations, group norm, and the embedding with layer norm.
#include "engine/io/onnx/lower/lower_norm.h"

namespace memplan::io::onnx {

/// (x - mean) * rsqrt(mean((x - mean)^2) + eps), without scale and shift.
TensorId normalised(Lowering& l, TensorId x, const std::set<int>& axes, double epsilon) {
    const TensorId mean = l.reduction({"mean", -1}, "mean", x, axes, true);
    const TensorId centred = l.pointwise({"sub", -1}, "sub", {x, mean});
    const TensorId square = l.pointwise({"square", -1}, "square", {centred});
    const TensorId variance = l.reduction({"variance", -1}, "mean", square, axes, true);
    const TensorId shifted =
        l.pointwise({"add_eps", -1}, "add", {variance, l.scalar(epsilon, l.graph.tensor(x).dtype)});
    const TensorId inverse = l.pointwise({"rsqrt", -1}, "rsqrt", {shifted});
    return l.pointwise({"normalised", -1}, "mul", {centred, inverse});
}

void scaleAndShift(Lowering& l, TensorId x, TensorId gamma, TensorId beta) {
    if (!beta.isValid()) {
        l.pointwise({"mul_gamma", 0}, "mul", {x, gamma});
        return;
    }
    const TensorId scaled = l.pointwise({"mul_gamma", -1}, "mul", {x, gamma});
    l.pointwise({"add_beta", 0}, "add", {scaled, beta});
}

/// Each group of channels is normalised over all it holds; scale and shift are per channel, until opset 20
/// per group.
bool lowerGroupNorm(Lowering& l) {
    const Shape x = l.inValue(0).shape;
    const std::int64_t groups = l.intAttr("num_groups", 0);
    if (x.size() < 2 || !l.has(2) || groups < 1 || x[1] % groups != 0 || elements(x) == 0) return false;
    const bool perGroup = l.opset() < 21;
    const std::int64_t wanted = perGroup ? groups : x[1];
    if (elements(l.inValue(1).shape) != wanted || elements(l.inValue(2).shape) != wanted) return false;
    l.openGroup("instance_norm");
    const TensorId grouped = l.view({"groups", -1}, l.in(0), {x[0], groups, elements(x) / (x[0] * groups)});
    TensorId y = normalised(l, grouped, {2}, l.floatAttr("epsilon", 1e-5));
    Shape wide(perGroup ? 2 : x.size() - 1, 1);
    wide[0] = wanted;
    const TensorId gamma = l.view({"gamma", -1}, l.in(1), wide);
    const TensorId beta = l.view({"beta", -1}, l.in(2), wide);
    if (!perGroup) {
        scaleAndShift(l, l.view({"channels", -1}, y, x), gamma, beta);
        return true;
    }
    y = l.pointwise({"mul_gamma", -1}, "mul", {y, gamma});
    y = l.pointwise({"add_beta", -1}, "add", {y, beta});
    l.view({"channels", 0}, y, x);
    return true;
}

/// Word, position and segment rows added up, then a layer norm; output 2 is the sum.
bool lowerEmbedNorm(Lowering& l) {
    if (!l.has(2) || !l.has(3) || !l.has(5) || l.inValue(0).shape.size() != 2 || l.inValue(2).shape.size() != 2 ||
        l.inValue(3).shape.size() != 2)
        return false;
    const bool countsMask = l.hasOut(1);
    if (countsMask && (!l.has(7) || l.inValue(7).shape.size() != 2)) return false;
    const std::int64_t tokens = l.inValue(0).shape[1];
    if (!l.has(8) && l.inValue(3).shape[0] < tokens) return false;
    const bool segments = l.has(1) && l.has(4);
    const auto sum = [&](const char* name, bool last) { return Dest{name, last && l.hasOut(2) ? 2 : -1}; };
    if (countsMask) l.reduction({"mask_index", 1}, "sum", l.in(7), {1}, false);
    const TensorId words = l.embedding({"word", -1}, l.in(2), l.in(0));
    const TensorId places = l.has(8) ? l.embedding({"position", -1}, l.in(3), l.in(8))
                                     : l.sliceAxis({"position", -1}, l.in(3), 0, 0, tokens);
    TensorId x = l.pointwise(sum("add_position", !segments), "add", {words, places});
    if (segments) x = l.pointwise(sum("add_segment", true), "add", {x, l.embedding({"segment", -1}, l.in(4), l.in(1))});
    l.openGroup("layer_norm");
    const TensorId y = normalised(l, x, {2}, l.floatAttr("epsilon", 1e-12));
    scaleAndShift(l, y, l.in(5), l.in(6));
    return true;
}

}  // namespace memplan::io::onnx

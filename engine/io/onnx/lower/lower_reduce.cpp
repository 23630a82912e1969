// SPDX-License-Identifier: Apache-2.0
// Reductions, softmax and normalisations (inputs-and-interchange 6).
#include "engine/io/onnx/lower/lower_norm.h"
#include "engine/io/onnx/lower/lowering.h"

#include <map>
#include <set>

namespace memplan::io::onnx {
namespace {

std::set<int> axesFrom(std::size_t first, std::size_t rank) {
    std::set<int> axes;
    for (std::size_t d = first; d < rank; ++d)
        axes.insert(static_cast<int>(d));
    return axes;
}

/// Reduced axes by attribute or second input; empty optional when nothing is reduced (noop).
std::optional<std::set<int>> reducedAxes(Lowering& l) {
    const std::size_t rank = l.inValue(0).shape.size();
    std::vector<std::int64_t> given = l.intsAttr("axes");
    if (given.empty()) given = l.knownInts(1);
    if (given.empty() && l.intAttr("noop_with_empty_axes", 0) == 1) return std::nullopt;
    std::set<int> axes;
    for (const std::int64_t a : given)
        axes.insert(normalAxis(a, rank));
    return given.empty() ? axesFrom(0, rank) : axes;
}

struct Steps {
    const char* before;  ///< pointwise step in front, or null
    const char* reduce;
    const char* after;  ///< pointwise step behind, or null
};

const std::map<std::string, Steps, std::less<>>& reductionSteps() {
    static const std::map<std::string, Steps, std::less<>> kSteps = {
        {"ReduceSum", {nullptr, "sum", nullptr}},   {"ReduceMean", {nullptr, "mean", nullptr}},
        {"ReduceMax", {nullptr, "max", nullptr}},   {"ReduceMin", {nullptr, "min", nullptr}},
        {"ReduceProd", {nullptr, "prod", nullptr}}, {"ReduceSumSquare", {nullptr, "sumsq", nullptr}},
        {"ReduceL1", {"abs", "sum", nullptr}},      {"ReduceL2", {"square", "sum", "sqrt"}},
        {"ReduceLogSum", {nullptr, "sum", "log"}},  {"ReduceLogSumExp", {"exp", "sum", "log"}}};
    return kSteps;
}

bool reduceSteps(Lowering& l, const Steps& steps) {
    const auto axes = reducedAxes(l);
    TensorId x = l.in(0);
    if (!axes || axes->empty()) {
        l.view({"", 0}, x, l.shape(x));
        return true;
    }
    const bool alone = steps.before == nullptr && steps.after == nullptr;
    if (steps.before != nullptr) x = l.pointwise({steps.before, -1}, steps.before, {x});
    const bool keep = l.intAttr("keepdims", 1) != 0;
    const Dest dest = steps.after == nullptr ? Dest{alone ? "" : steps.reduce, 0} : Dest{steps.reduce, -1};
    x = l.reduction(dest, steps.reduce, x, *axes, keep);
    if (steps.after != nullptr) l.pointwise({steps.after, 0}, steps.after, {x});
    return true;
}

bool softmax(Lowering& l) {
    const bool logarithm = l.node().op == "LogSoftmax";
    const std::size_t rank = l.inValue(0).shape.size();
    if (rank == 0) return false;
    const bool flattens = l.opset() < 13;
    const int axis = normalAxis(l.intAttr("axis", flattens ? 1 : -1), rank);
    l.openGroup(logarithm ? "log_softmax" : "softmax");
    // Until opset 12 all axes from `axis` on are normalised together.
    std::set<int> axes = flattens ? axesFrom(static_cast<std::size_t>(axis), rank) : std::set<int>{axis};
    if (axes.empty()) axes.insert(static_cast<int>(rank) - 1);
    softmaxParts(l, {"", 0}, l.in(0), axes, logarithm);
    return true;
}

/// Extra outputs of a normalisation (mean, inverse deviation) that somebody reads: computed again would be
/// more work than the planner needs to see, so such a node stays opaque.
bool readsExtraOutputs(const Lowering& l) {
    for (std::size_t k = 1; k < l.node().outputs.size(); ++k) {
        if (l.hasOut(k)) return true;
    }
    return false;
}

bool layerNorm(Lowering& l) {
    if (readsExtraOutputs(l) || !l.has(1)) return false;
    const std::size_t rank = l.inValue(0).shape.size();
    const int axis = normalAxis(l.intAttr("axis", -1), rank);
    const auto axes = axesFrom(static_cast<std::size_t>(axis), rank);
    const double epsilon = l.floatAttr("epsilon", 1e-5);
    if (l.node().op == "LayerNormalization") {
        l.openGroup("layer_norm");
        scaleAndShift(l, normalised(l, l.in(0), axes, epsilon), l.in(1), l.in(2));
        return true;
    }
    l.openGroup("rms_norm");
    const TensorId x = l.in(0);
    const TensorId square = l.pointwise({"square", -1}, "square", {x});
    const TensorId mean = l.reduction({"mean", -1}, "mean", square, axes, true);
    const TensorId shifted = l.pointwise({"add_eps", -1}, "add", {mean, l.scalar(epsilon, l.graph.tensor(x).dtype)});
    const TensorId inverse = l.pointwise({"rsqrt", -1}, "rsqrt", {shifted});
    scaleAndShift(l, l.pointwise({"normalised", -1}, "mul", {x, inverse}), l.in(1), {});
    return true;
}

/// Contrib: input + skip (+ bias), then the norm; output 3 is the sum.
bool skipLayerNorm(Lowering& l) {
    const bool simplified = l.node().op == "SkipSimplifiedLayerNormalization";
    if (!l.has(1) || !l.has(2) || l.hasOut(1) || l.hasOut(2)) return false;
    const std::size_t biasAt = simplified ? 3 : 4;
    const bool hasBias = l.has(biasAt);
    const bool wantsSum = l.hasOut(3);
    TensorId sum =
        l.pointwise(wantsSum && !hasBias ? Dest{"add_skip", 3} : Dest{"add_skip", -1}, "add", {l.in(0), l.in(1)});
    if (hasBias) sum = l.pointwise(wantsSum ? Dest{"add_bias", 3} : Dest{"add_bias", -1}, "add", {sum, l.in(biasAt)});
    const std::size_t rank = l.shape(sum).size();
    const std::set<int> axes{static_cast<int>(rank) - 1};
    const double epsilon = l.floatAttr("epsilon", 1e-12);
    l.openGroup(simplified ? "rms_norm" : "layer_norm");
    if (!simplified) {
        scaleAndShift(l, normalised(l, sum, axes, epsilon), l.in(2), l.in(3));
        return true;
    }
    const TensorId square = l.pointwise({"square", -1}, "square", {sum});
    const TensorId mean = l.reduction({"mean", -1}, "mean", square, axes, true);
    const TensorId shifted = l.pointwise({"add_eps", -1}, "add", {mean, l.scalar(epsilon, l.graph.tensor(sum).dtype)});
    const TensorId inverse = l.pointwise({"rsqrt", -1}, "rsqrt", {shifted});
    scaleAndShift(l, l.pointwise({"normalised", -1}, "mul", {sum, inverse}), l.in(2), {});
    return true;
}

/// A per-channel vector [C] as [C, 1, 1, ...] so that it broadcasts over the spatial axes.
TensorId channelView(Lowering& l, const std::string& name, TensorId v, std::size_t rank) {
    Shape wide(rank - 1, 1);
    if (wide.empty() || l.shape(v).size() != 1) return v;
    wide[0] = l.shape(v)[0];
    return l.view({name, -1}, v, wide);
}

bool instanceNorm(Lowering& l) {
    const std::size_t rank = l.inValue(0).shape.size();
    if (rank < 3 || !l.has(2)) return false;
    l.openGroup("instance_norm");
    const TensorId gamma = channelView(l, "gamma", l.in(1), rank);
    const TensorId beta = channelView(l, "beta", l.in(2), rank);
    scaleAndShift(l, normalised(l, l.in(0), axesFrom(2, rank), l.floatAttr("epsilon", 1e-5)), gamma, beta);
    return true;
}

/// Running statistics are parameters: one multiply and one add per channel.
bool batchNorm(Lowering& l) {
    const std::size_t rank = l.inValue(0).shape.size();
    if (rank < 2 || !l.has(4) || readsExtraOutputs(l)) return false;
    l.openGroup("batch_norm");
    const TensorId scale = channelView(l, "scale", l.in(1), rank);
    const TensorId shift = channelView(l, "shift", l.in(2), rank);
    const TensorId scaled = l.pointwise({"mul", -1}, "mul", {l.in(0), scale});
    l.pointwise({"add", 0}, "add", {scaled, shift});
    return true;
}

bool argument(Lowering& l) {
    const std::size_t rank = l.inValue(0).shape.size();
    if (rank == 0) return false;
    const std::set<int> axes{normalAxis(l.intAttr("axis", 0), rank)};
    l.reduction({"", 0}, l.node().op == "ArgMax" ? "argmax" : "argmin", l.in(0), axes, l.intAttr("keepdims", 1) != 0);
    return true;
}

bool globalPool(Lowering& l, const char* fn) {
    const std::size_t rank = l.inValue(0).shape.size();
    if (rank < 3) return false;
    l.reduction({"", 0}, fn, l.in(0), axesFrom(2, rank), true);
    return true;
}

}  // namespace

TensorId softmaxParts(Lowering& l, const Dest& dest, TensorId x, const std::set<int>& axes, bool logarithm) {
    const std::string prefix = dest.suffix.empty() ? std::string() : dest.suffix + "_";
    const auto part = [&](const char* name) { return Dest{prefix + name, -1}; };
    const TensorId max = l.reduction(part("max"), "max", x, axes, true);
    const TensorId sub = l.pointwise(part("sub"), "sub", {x, max});
    const TensorId exp = l.pointwise(part("exp"), "exp", {sub});
    const TensorId sum = l.reduction(part("sum"), "sum", exp, axes, true);
    if (!logarithm) return l.pointwise({prefix + "div", dest.output}, "div", {exp, sum});
    const TensorId log = l.pointwise(part("log"), "log", {sum});
    return l.pointwise({prefix + "result", dest.output}, "sub", {sub, log});
}

bool lowerReduction(Lowering& l) {
    const std::string& op = l.node().op;
    if (!l.node().domain.empty() || !l.hasOut(0) || !l.has(0)) return false;
    if (const auto it = reductionSteps().find(op); it != reductionSteps().end()) return reduceSteps(l, it->second);
    if (op == "ArgMax" || op == "ArgMin") return argument(l);
    if (op == "GlobalAveragePool") return globalPool(l, "mean");
    if (op == "GlobalMaxPool") return globalPool(l, "max");
    return false;
}

bool lowerNormalisation(Lowering& l) {
    const std::string& op = l.node().op;
    if (!l.hasOut(0) || !l.has(0)) return false;
    if (op == "Softmax" || op == "LogSoftmax") return softmax(l);
    if (op == "LayerNormalization" || op == "RMSNormalization" || op == "SimplifiedLayerNormalization")
        return layerNorm(l);
    if (op == "SkipLayerNormalization" || op == "SkipSimplifiedLayerNormalization") return skipLayerNorm(l);
    if (op == "InstanceNormalization") return instanceNorm(l);
    if (op == "BatchNormalization") return batchNorm(l);
    if (op == "GroupNormalization") return l.node().domain.empty() && lowerGroupNorm(l);
    if (op == "EmbedLayerNormalization") return l.node().domain == "com.microsoft" && lowerEmbedNorm(l);
    return false;
}

}  // namespace memplan::io::onnx

// SPDX-License-Identifier: Apache-2.0
// Normalisations: the output has the shape of the input; some also return statistics.
#include "engine/io/onnx/rules/rules.h"

#include <array>

namespace memplan::io::onnx {

namespace {

void same(NodeContext& c) {
    c.outLikeInput();
}

// Until opset 12 the default axis is 1, then the last one; both must exist.
void softmax(NodeContext& c) {
    const std::size_t rank = c.rank(0);
    const std::int64_t otherwise = c.opset() < 13 ? 1 : -1;
    const std::int64_t given = c.attr("axis", otherwise);
    // Before opset 13 the tensor is seen as a matrix split at the axis, so the rank itself is allowed.
    const bool atEnd = c.opset() < 13 && given == static_cast<std::int64_t>(rank);
    if (!atEnd && rank > 0) (void)c.axis(given, rank);
    c.outLikeInput();
}

// Statistics are kept per channel; the running ones only while training.
void batchNormalization(NodeContext& c) {
    const Shape& x = c.shapeOfRankFrom(0, 1);
    const std::int64_t channels = x.size() > 1 ? x[1] : 1;
    const bool perChannel = c.attr("spatial", 1) != 0;
    for (std::size_t i = 1; i < 5 && c.has(i) && perChannel; ++i) {
        const Shape& p = c.shape(i);
        if (p.size() != 1 || p[0] != channels)
            c.failShape("parameter " + std::to_string(i) + " does not have one number per channel");
    }
    c.outLikeInput();
    for (std::size_t i = 1; i < c.outputCount(); ++i)
        c.out(i, {channels}, c.type(c.has(3) ? 3 : 0));
}

void instanceNormalization(NodeContext& c) {
    const Shape& x = c.shapeOfRankFrom(0, 2);
    for (std::size_t i = 1; i < 3; ++i) {
        if (c.shape(i) != Shape{x[1]})
            c.failShape("input " + std::to_string(i) + " does not have one number per channel");
    }
    c.outLikeInput();
}

void groupNormalization(NodeContext& c) {
    const Shape& x = c.shapeOfRankFrom(0, 2);
    const std::int64_t groups = c.attr("num_groups", 1);
    if (groups < 1 || x[1] % groups != 0) {
        c.failShape(std::to_string(x[1]) + " channels cannot be parted into " + std::to_string(groups) + " groups");
    }
    c.outLikeInput();
}

/// Shape with every axis from `from` on reduced to 1.
Shape statistics(const Shape& x, std::size_t from) {
    Shape out(x);
    for (std::size_t i = from; i < out.size(); ++i)
        out[i] = 1;
    return out;
}

void layerNormalization(NodeContext& c) {
    const Shape& x = c.shapeOfRankFrom(0, 1);
    const std::size_t axis = c.axis(c.attr("axis", -1), x.size());
    if (c.broadcast(x, c.shape(1)) != x) c.failShape("the scale does not broadcast to the input");
    const Shape small = statistics(x, axis);
    const int type = static_cast<int>(c.attr("stash_type", kFloat));
    c.outLikeInput();
    c.out(1, small, type);
    c.out(2, small, type);
}

// Losses: one number, or one per label when nothing is reduced.
void loss(NodeContext& c) {
    const bool each = c.attrText("reduction", "mean") == "none";
    c.out(0, each ? c.shape(1) : Shape(), c.type(0));
    c.out(1, c.shape(0), c.type(0));
}

constexpr std::array kRules{
    ShapeRule{"NegativeLogLikelihoodLoss", loss, "ignore_index,reduction"},
    ShapeRule{"SoftmaxCrossEntropyLoss", loss, "ignore_index,reduction"},
    ShapeRule{"Softmax", softmax, "axis"},
    ShapeRule{"LogSoftmax", softmax, "axis"},
    ShapeRule{"Hardmax", softmax, "axis"},
    ShapeRule{"BatchNormalization", batchNormalization, "epsilon,momentum,spatial,training_mode"},
    ShapeRule{"InstanceNormalization", instanceNormalization, "epsilon"},
    ShapeRule{"GroupNormalization", groupNormalization, "epsilon,num_groups,stash_type"},
    ShapeRule{"LayerNormalization", layerNormalization, "axis,epsilon,stash_type"},
    ShapeRule{"RMSNormalization", layerNormalization, "axis,epsilon,stash_type"},
    ShapeRule{"SimplifiedLayerNormalization", layerNormalization, "axis,epsilon,stash_type"},
    ShapeRule{"LRN", same, "alpha,beta,bias,size"},
    ShapeRule{"LpNormalization", same, "axis,p"},
    ShapeRule{"MeanVarianceNormalization", same, "axes"},
};

}  // namespace

std::span<const ShapeRule> normalisationRules() {
    return kRules;
}

}  // namespace memplan::io::onnx

// SPDX-License-Identifier: Apache-2.0
// Elementwise operators: one operand, broadcast of several, comparisons, conversions.
#include "engine/io/onnx/rules/rules.h"

#include <array>

namespace memplan::io::onnx {

namespace {

void same(NodeContext& c) {
    c.outLikeInput();
}

void sameAsBool(NodeContext& c) {
    c.out(0, c.shape(0), kBool);
}

Shape broadcastAll(const NodeContext& c) {
    Shape shape = c.shape(0);
    for (std::size_t i = 1; i < c.inputCount(); ++i)
        shape = c.broadcast(shape, c.shape(i));
    return shape;
}

void broadcastTwo(NodeContext& c) {
    c.out(0, c.broadcast(c.shape(0), c.shape(1)), c.type(0));
}

void broadcastMany(NodeContext& c) {
    c.out(0, broadcastAll(c), c.type(0));
}

void compare(NodeContext& c) {
    c.out(0, c.broadcast(c.shape(0), c.shape(1)), kBool);
}

void where(NodeContext& c) {
    c.out(0, c.broadcast(c.broadcast(c.shape(0), c.shape(1)), c.shape(2)), c.type(1));
}

// The slope may be broadcast to x, never the other way round.
void prelu(NodeContext& c) {
    if (c.broadcast(c.shape(0), c.shape(1)) != c.shape(0)) c.failShape("the slope does not broadcast to the input");
    c.outLikeInput();
}

void cast(NodeContext& c) {
    if (!c.hasAttr("to")) c.fail("ONNX-042", "the attribute \"to\" is missing");
    c.out(0, c.shape(0), static_cast<int>(c.attr("to", 0)));
}

void castLike(NodeContext& c) {
    c.out(0, c.shape(0), c.type(1));
}

void bitCast(NodeContext& c) {
    c.out(0, c.shape(0), static_cast<int>(c.attr("to", c.type(0))));
}

void bernoulli(NodeContext& c) {
    c.out(0, c.shape(0), static_cast<int>(c.attr("dtype", c.type(0))));
}

void dropout(NodeContext& c) {
    c.outLikeInput();
    c.out(1, c.shape(0), c.opset() >= 10 ? kBool : c.type(0));
}

/// The last four of the table of new operators: the declared shape, or that of the first input.
void likeFirstInput(NodeContext& c) {
    c.outLikeInput();
}

constexpr std::array kRules{
    ShapeRule{"Abs", same, ""},
    ShapeRule{"Acos", same, ""},
    ShapeRule{"Acosh", same, ""},
    ShapeRule{"Asin", same, ""},
    ShapeRule{"Asinh", same, ""},
    ShapeRule{"Atan", same, ""},
    ShapeRule{"Atanh", same, ""},
    ShapeRule{"BitwiseNot", same, ""},
    ShapeRule{"Ceil", same, ""},
    ShapeRule{"Celu", same, "alpha"},
    ShapeRule{"Clip", same, "min,max"},
    ShapeRule{"Cos", same, ""},
    ShapeRule{"Cosh", same, ""},
    ShapeRule{"Elu", same, "alpha"},
    ShapeRule{"Erf", same, ""},
    ShapeRule{"Exp", same, ""},
    ShapeRule{"Floor", same, ""},
    ShapeRule{"Gelu", same, "approximate"},
    ShapeRule{"HardSigmoid", same, "alpha,beta"},
    ShapeRule{"HardSwish", same, ""},
    ShapeRule{"Identity", same, ""},
    ShapeRule{"LeakyRelu", same, "alpha"},
    ShapeRule{"Log", same, ""},
    ShapeRule{"Mish", same, ""},
    ShapeRule{"Neg", same, ""},
    ShapeRule{"Not", same, ""},
    ShapeRule{"Reciprocal", same, ""},
    ShapeRule{"Relu", same, ""},
    ShapeRule{"Round", same, ""},
    ShapeRule{"Selu", same, "alpha,gamma"},
    ShapeRule{"Shrink", same, "bias,lambd"},
    ShapeRule{"Sigmoid", same, ""},
    ShapeRule{"Sign", same, ""},
    ShapeRule{"Sin", same, ""},
    ShapeRule{"Sinh", same, ""},
    ShapeRule{"Softplus", same, ""},
    ShapeRule{"Softsign", same, ""},
    ShapeRule{"Sqrt", same, ""},
    ShapeRule{"Swish", same, "alpha"},
    ShapeRule{"Tan", same, ""},
    ShapeRule{"Tanh", same, ""},
    ShapeRule{"ThresholdedRelu", same, "alpha"},
    ShapeRule{"Affine", same, "alpha,beta"},
    ShapeRule{"ParametricSoftplus", same, "alpha,beta"},
    ShapeRule{"ScaledTanh", same, "alpha,beta"},
    ShapeRule{"ImageScaler", same, "bias,scale"},
    ShapeRule{"IsInf", sameAsBool, "detect_negative,detect_positive"},
    ShapeRule{"IsNaN", sameAsBool, ""},
    ShapeRule{"Add", broadcastTwo, ""},
    ShapeRule{"BitShift", broadcastTwo, "direction"},
    ShapeRule{"BitwiseAnd", broadcastTwo, ""},
    ShapeRule{"BitwiseOr", broadcastTwo, ""},
    ShapeRule{"BitwiseXor", broadcastTwo, ""},
    ShapeRule{"Div", broadcastTwo, ""},
    ShapeRule{"Mod", broadcastTwo, "fmod"},
    ShapeRule{"Mul", broadcastTwo, ""},
    ShapeRule{"Pow", broadcastTwo, ""},
    ShapeRule{"Sub", broadcastTwo, ""},
    ShapeRule{"And", compare, ""},
    ShapeRule{"Or", compare, ""},
    ShapeRule{"Xor", compare, ""},
    ShapeRule{"Equal", compare, ""},
    ShapeRule{"Greater", compare, ""},
    ShapeRule{"GreaterOrEqual", compare, ""},
    ShapeRule{"Less", compare, ""},
    ShapeRule{"LessOrEqual", compare, ""},
    ShapeRule{"Max", broadcastMany, ""},
    ShapeRule{"Mean", broadcastMany, ""},
    ShapeRule{"Min", broadcastMany, ""},
    ShapeRule{"Sum", broadcastMany, ""},
    ShapeRule{"Where", where, ""},
    ShapeRule{"PRelu", prelu, ""},
    ShapeRule{"Cast", cast, "to,saturate,round_mode"},
    ShapeRule{"CastLike", castLike, "saturate,round_mode"},
    ShapeRule{"BitCast", bitCast, "to"},
    ShapeRule{"Bernoulli", bernoulli, "dtype,seed"},
    ShapeRule{"Dropout", dropout, "ratio,seed"},
    ShapeRule{"CumSum", same, "exclusive,reverse"},
    ShapeRule{"CumProd", likeFirstInput, "exclusive,reverse"},
    ShapeRule{"LinearAttention", likeFirstInput, ""},
    ShapeRule{"CausalConvWithState", likeFirstInput, ""},
    ShapeRule{"SwiGLU", likeFirstInput, ""},
};

}  // namespace

std::span<const ShapeRule> elementwiseRules() {
    return kRules;
}

}  // namespace memplan::io::onnx

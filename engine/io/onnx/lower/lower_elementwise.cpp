// SPDX-License-Identifier: Apache-2.0
// Elementwise rows of the lowering table (inputs-and-interchange 6).
#include "engine/io/onnx/lower/lowering.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace memplan::io::onnx {
namespace {

const std::map<std::string, std::string, std::less<>>& unaryNames() {
    static const std::map<std::string, std::string, std::less<>> kNames = {{"Sqrt", "sqrt"},
                                                                           {"Reciprocal", "reciprocal"},
                                                                           {"Exp", "exp"},
                                                                           {"Log", "log"},
                                                                           {"Neg", "neg"},
                                                                           {"Abs", "abs"},
                                                                           {"Erf", "erf"},
                                                                           {"Tanh", "tanh"},
                                                                           {"Sigmoid", "sigmoid"},
                                                                           {"Sin", "sin"},
                                                                           {"Cos", "cos"},
                                                                           {"Tan", "tan"},
                                                                           {"Asin", "asin"},
                                                                           {"Acos", "acos"},
                                                                           {"Atan", "atan"},
                                                                           {"Sinh", "sinh"},
                                                                           {"Cosh", "cosh"},
                                                                           {"Asinh", "asinh"},
                                                                           {"Acosh", "acosh"},
                                                                           {"Atanh", "atanh"},
                                                                           {"Floor", "floor"},
                                                                           {"Ceil", "ceil"},
                                                                           {"Round", "round"},
                                                                           {"Sign", "sign"},
                                                                           {"Relu", "relu"},
                                                                           {"Not", "logical_not"},
                                                                           {"IsNaN", "isnan"},
                                                                           {"IsInf", "isinf"},
                                                                           {"Softplus", "softplus"},
                                                                           {"Softsign", "softsign"},
                                                                           {"Elu", "elu"},
                                                                           {"Selu", "selu"},
                                                                           {"Celu", "celu"},
                                                                           {"ThresholdedRelu", "thresholded_relu"},
                                                                           {"Mish", "mish"},
                                                                           {"Shrink", "shrink"},
                                                                           {"HardSigmoid", "hardsigmoid"},
                                                                           {"LeakyRelu", "leaky_relu"},
                                                                           {"BitwiseNot", "bitwise_not"},
                                                                           {"Cast", "cast"},
                                                                           {"CastLike", "cast"}};
    return kNames;
}

const std::map<std::string, std::string, std::less<>>& binaryNames() {
    static const std::map<std::string, std::string, std::less<>> kNames = {{"Add", "add"},
                                                                           {"Sub", "sub"},
                                                                           {"Mul", "mul"},
                                                                           {"Div", "div"},
                                                                           {"Mod", "mod"},
                                                                           {"Equal", "eq"},
                                                                           {"Less", "lt"},
                                                                           {"Greater", "gt"},
                                                                           {"LessOrEqual", "le"},
                                                                           {"GreaterOrEqual", "ge"},
                                                                           {"And", "logical_and"},
                                                                           {"Or", "logical_or"},
                                                                           {"Xor", "logical_xor"},
                                                                           {"PRelu", "prelu"},
                                                                           {"BitShift", "bit_shift"},
                                                                           {"BitwiseAnd", "bitwise_and"},
                                                                           {"BitwiseOr", "bitwise_or"},
                                                                           {"BitwiseXor", "bitwise_xor"}};
    return kNames;
}

/// Sum, Max, Min and Mean of n operands are n-1 steps.
bool variadic(Lowering& l, const std::string& fn) {
    std::vector<TensorId> inputs;
    for (std::size_t i = 0; i < l.node().inputs.size(); ++i) {
        if (l.has(i)) inputs.push_back(l.in(i));
    }
    if (inputs.empty()) return false;
    const bool isMean = l.node().op == "Mean" && inputs.size() > 1;
    if (inputs.size() == 1) {
        l.view({"", 0}, inputs.front(), l.shape(inputs.front()));
        return true;
    }
    TensorId at = inputs.front();
    for (std::size_t i = 1; i < inputs.size(); ++i) {
        const bool last = i + 1 == inputs.size() && !isMean;
        const Dest dest =
            last ? Dest{inputs.size() == 2 ? "" : fn + std::to_string(i), 0} : Dest{fn + std::to_string(i), -1};
        at = l.pointwise(dest, fn, {at, inputs[i]});
    }
    if (isMean)
        l.pointwise({"div", 0}, "div", {at, l.scalar(static_cast<double>(inputs.size()), l.graph.tensor(at).dtype)});
    return true;
}

/// Min and max as attributes when they are known, as operands otherwise.
bool clip(Lowering& l) {
    Attrs attrs;
    std::vector<TensorId> inputs{l.in(0)};
    const bool byAttribute = l.opset() < 11;
    const char* names[] = {"min", "max"};
    for (std::size_t i = 1; i <= 2; ++i) {
        if (byAttribute) {
            if (l.node().attributes.contains(names[i - 1]))
                attrs.emplace_back(names[i - 1], l.floatAttr(names[i - 1], 0));
        } else if (const auto known = l.knownScalar(i)) {
            attrs.emplace_back(names[i - 1], *known);
        } else if (l.has(i)) {
            inputs.push_back(l.in(i));
        }
    }
    l.pointwise({"", 0}, "clamp", inputs, attrs);
    return true;
}

bool power(Lowering& l) {
    const auto exponent = l.knownScalar(1);
    if (exponent && *exponent == 2.0) return l.pointwise({"", 0}, "square", {l.in(0)}), true;
    if (exponent && *exponent == 0.5) return l.pointwise({"", 0}, "sqrt", {l.in(0)}), true;
    l.pointwise({"", 0}, "pow", {l.in(0), l.in(1)});
    return true;
}

/// x * 0.5 * (1 + erf(x / sqrt 2)), or the form with tanh.
void geluParts(Lowering& l, TensorId x, bool tanhForm) {
    const DType t = l.graph.tensor(x).dtype;
    const auto c = [&](double v) { return l.scalar(v, t); };
    TensorId inner;
    if (tanhForm) {
        const TensorId cube = l.pointwise({"pow", -1}, "pow", {x, c(3.0)});
        const TensorId scaled = l.pointwise({"mul_cube", -1}, "mul", {cube, c(0.044715)});
        const TensorId sum = l.pointwise({"add_x", -1}, "add", {x, scaled});
        const TensorId argument = l.pointwise({"mul_argument", -1}, "mul", {sum, c(0.7978845608)});
        inner = l.pointwise({"tanh", -1}, "tanh", {argument});
    } else {
        const TensorId argument = l.pointwise({"div", -1}, "div", {x, c(1.4142135624)});
        inner = l.pointwise({"erf", -1}, "erf", {argument});
    }
    const TensorId one = l.pointwise({"add_one", -1}, "add", {inner, c(1.0)});
    const TensorId product = l.pointwise({"mul_x", -1}, "mul", {x, one});
    l.pointwise({"mul_half", 0}, "mul", {product, c(0.5)});
}

bool gated(Lowering& l) {
    const std::string& op = l.node().op;
    if (op == "HardSwish") {
        l.openGroup("hardswish");
        const TensorId gate =
            l.pointwise({"hardsigmoid", -1}, "hardsigmoid", {l.in(0)}, {{"alpha", 1.0 / 6.0}, {"beta", 0.5}});
        l.pointwise({"mul", 0}, "mul", {l.in(0), gate});
        return true;
    }
    if (op == "Swish" || op == "QuickGelu") {
        l.openGroup("silu");
        const double alpha = l.floatAttr("alpha", op == "Swish" ? 1.0 : 1.702);
        TensorId x = l.in(0);
        const TensorId argument =
            alpha == 1.0 ? x : l.pointwise({"scale", -1}, "mul", {x, l.scalar(alpha, l.graph.tensor(x).dtype)});
        const TensorId gate = l.pointwise({"sigmoid", -1}, "sigmoid", {argument});
        l.pointwise({"mul", 0}, "mul", {x, gate});
        return true;
    }
    l.openGroup("gelu");
    TensorId x = l.in(0);
    if (op != "Gelu" && l.has(1)) x = l.pointwise({"bias", -1}, "add", {x, l.in(1)});
    geluParts(l, x, op == "FastGelu" || l.textAttr("approximate", "none") == "tanh");
    return true;
}

bool quantised(Lowering& l) {
    const std::string& op = l.node().op;
    if (op == "DynamicQuantizeLinear") {
        std::set<int> all;
        for (std::size_t d = 0; d < l.shape(l.in(0)).size(); ++d)
            all.insert(static_cast<int>(d));
        if (all.empty() || !l.hasOut(1) || !l.hasOut(2)) return false;
        const TensorId x = l.in(0);
        const TensorId high = l.reduction({"max", -1}, "max", x, all, false);
        const TensorId low = l.reduction({"min", -1}, "min", x, all, false);
        const TensorId range = l.pointwise({"range", -1}, "sub", {high, low});
        const TensorId scale = l.pointwise({"scale", 1}, "div", {range, l.scalar(255.0, DType::F32)});
        const TensorId zero = l.pointwise({"zero_point", 2}, "div", {low, scale});
        l.pointwise({"quantize", 0}, "quantize", {x, scale, zero});
        return true;
    }
    // Scale per channel of an axis that is not the last needs its own map; blocked scales have no map.
    const TensorId x = l.in(0);
    const Shape scale = l.shape(l.in(1));
    const int axis = normalAxis(l.intAttr("axis", 1), l.shape(x).size());
    const bool perChannel =
        scale.size() == 1 && scale[0] != 1 && axis >= 0 && axis < static_cast<int>(l.shape(x).size());
    std::vector<TensorId> inputs{x};
    for (std::size_t i = 1; i < l.node().inputs.size(); ++i) {
        if (!l.has(i)) continue;
        TensorId operand = l.in(i);
        if (perChannel && l.shape(operand).size() == 1) {
            Shape wide(l.shape(x).size(), 1);
            wide[static_cast<std::size_t>(axis)] = l.shape(operand)[0];
            operand = l.view({"channel" + std::to_string(i), -1}, operand, wide);
        }
        inputs.push_back(operand);
    }
    if (!perChannel && elements(scale) != 1) return false;
    l.pointwise({"", 0}, op == "QuantizeLinear" ? "quantize" : "dequantize", inputs);
    return true;
}

/// Numbers that belong to the function.
Attrs unaryAttrs(Lowering& l) {
    const std::string& op = l.node().op;
    if (op == "HardSigmoid") return {{"alpha", l.floatAttr("alpha", 0.2)}, {"beta", l.floatAttr("beta", 0.5)}};
    if (op == "LeakyRelu") return {{"alpha", l.floatAttr("alpha", 0.01)}};
    if (op == "Elu" || op == "Celu" || op == "ThresholdedRelu") return {{"alpha", l.floatAttr("alpha", 1.0)}};
    if (op == "Cast" || op == "CastLike") return {{"to", std::string(dtypeName(l.outValue(0).dtype))}};
    return {};
}

/// Every operand must broadcast to the result's shape; anything else has no elementwise map.
bool broadcasts(Lowering& l) {
    const Shape out = l.outValue(0).shape;
    for (std::size_t i = 0; i < l.node().inputs.size(); ++i) {
        if (!l.has(i)) continue;
        const Shape& s = l.inValue(i).shape;
        if (s.size() > out.size()) return false;
        for (std::size_t d = 0; d < s.size(); ++d) {
            const std::int64_t extent = out[d + out.size() - s.size()];
            if (s[d] != 1 && s[d] != extent) return false;
        }
    }
    return true;
}

}  // namespace

bool lowerElementwise(Lowering& l) {
    const std::string& op = l.node().op;
    if (!l.hasOut(0) || !l.has(0)) return false;
    if (op == "QuantizeLinear" || op == "DequantizeLinear" || op == "DynamicQuantizeLinear") return quantised(l);
    if (op == "Gelu" || op == "FastGelu" || op == "BiasGelu" || op == "HardSwish" || op == "Swish" ||
        op == "QuickGelu") {
        return l.node().outputs.size() == 1 && gated(l);
    }
    const bool isDefault = l.node().domain.empty();
    if (!isDefault || !broadcasts(l)) return false;
    if (const auto it = unaryNames().find(op); it != unaryNames().end())
        return l.pointwise({"", 0}, it->second, {l.in(0)}, unaryAttrs(l)), true;
    if (const auto it = binaryNames().find(op); it != binaryNames().end() && l.has(1)) {
        return l.pointwise({"", 0}, it->second, {l.in(0), l.in(1)}), true;
    }
    if (op == "Sum" || op == "Mean") return variadic(l, "add");
    if (op == "Max") return variadic(l, "max");
    if (op == "Min") return variadic(l, "min");
    if (op == "Clip") return clip(l);
    if (op == "Pow" && l.has(1)) return power(l);
    if (op == "Where" && l.has(2)) return l.pointwise({"", 0}, "where", {l.in(0), l.in(1), l.in(2)}), true;
    return false;
}

}  // namespace memplan::io::onnx

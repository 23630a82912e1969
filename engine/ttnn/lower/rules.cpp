// SPDX-License-Identifier: Apache-2.0
// What becomes of each kind of TTIR (ttnn-optimizer 11).
#include "engine/ttnn/layout/layout_attribute.h"
#include "engine/ttnn/lower/function_lowering.h"
#include "engine/ttnn/module/type_text.h"

#include <unordered_map>

namespace memplan::ttnn::lower {

namespace {

std::string sameName(FunctionLowering& f, const Operation& op) {
    f.copy(op, op.kind(), op.properties);
    return {};
}

std::string toDivide(FunctionLowering& f, const Operation& op) {
    f.copy(op, "divide", op.properties);
    return {};
}

std::string toGeluBackward(FunctionLowering& f, const Operation& op) {
    f.copy(op, "gelu_bw", op.properties);
    return {};
}

std::string toEmbeddingBackward(FunctionLowering& f, const Operation& op) {
    f.copy(op, "embedding_bw", op.properties);
    return {};
}

std::string toUpsample(FunctionLowering& f, const Operation& op) {
    f.copy(op, "upsample", op.properties);
    return {};
}

/// Truth values are numbers on the device: or is the largest, and the smallest.
std::string toMax(FunctionLowering& f, const Operation& op) {
    f.copy(op, "max", op.properties);
    return {};
}

std::string toMin(FunctionLowering& f, const Operation& op) {
    f.copy(op, "min", op.properties);
    return {};
}

std::string toReshape(FunctionLowering& f, const Operation& op) {
    if (op.operands.size() != 1) return "it has no single operand";
    const Type& from = f.sourceType(op.operands[0]);
    const Type to = f.resultType(op);
    if (!from.isTensor || elementsOf(from.shape) != elementsOf(to.shape))
        return "its operand and result have different numbers of elements";
    f.copy(op, "reshape", {{"shape", listText(to.shape)}});
    return {};
}

std::string toRepeat(FunctionLowering& f, const Operation& op) {
    if (op.operands.size() != 1) return "it has no single operand";
    const Shape from = f.sourceType(op.operands[0]).shape, to = f.resultType(op).shape;
    if (from.size() != to.size()) return "its operand and result have different ranks";
    std::string times;
    for (std::size_t i = 0; i < to.size(); ++i) {
        if (from[i] != to[i] && from[i] != 1) return "a size that is not 1 cannot be broadcast";
        times += (i > 0 ? "x" : "") + std::to_string(from[i] == to[i] ? 1 : to[i]);
    }
    f.copy(op, "repeat", {{"repeat_dims", "#ttnn.shape<" + times + ">"}});
    return {};
}

std::string toTypecast(FunctionLowering& f, const Operation& op) {
    Attributes properties = op.properties;
    removeAttribute(properties, "conservative_folding");
    const std::string word(wordOf(f.resultType(op).dtype));
    setAttribute(properties, "dtype", "#ttcore.supportedDataTypes<" + word + ">");
    f.copy(op, "typecast", std::move(properties));
    return {};
}

/// One dimension is cut, the others stay whole.
std::string toSlice(FunctionLowering& f, const Operation& op) {
    const std::string *dim = op.find("dim"), *begin = op.find("begin"), *end = op.find("end"), *step = op.find("step");
    if (op.operands.size() != 1 || dim == nullptr || begin == nullptr || end == nullptr)
        return "it has no dim, begin and end";
    const Shape shape = f.sourceType(op.operands[0]).shape;
    const auto at = dimensionOf(integerOf(*dim).value_or(-1), shape.size());
    const auto first = integerOf(*begin), last = integerOf(*end);
    const auto stride = step == nullptr ? 1 : integerOf(*step).value_or(0);
    if (!at || !first || !last || stride == 0) return "its dim, begin, end and step are no numbers that fit";
    Shape begins(shape.size(), 0), ends = shape, steps(shape.size(), 1);
    begins[*at] = *first;
    ends[*at] = *last;
    steps[*at] = stride;
    f.copy(op, "slice_static", {{"begins", listText(begins)}, {"ends", listText(ends)}, {"step", listText(steps)}});
    return {};
}

/// A power with one exponent for all elements has a kernel of its own.
std::string toPow(FunctionLowering& f, const Operation& op) {
    if (op.operands.size() != 2) return "it has no two operands";
    const auto exponent = splatOf(f.source(), op.operands[1]);
    if (!exponent || f.sourceType(op.operands[0]).shape != f.resultType(op).shape) {
        f.copy(op, "pow_tensor", op.properties);
        return {};
    }
    const std::string* text = f.source().operation(f.source().value(op.operands[1]).producer).find("value");
    const std::size_t end = text == nullptr ? std::string::npos : text->find('>');
    std::string number = end == std::string::npos ? std::to_string(*exponent) : text->substr(6, end - 6);
    const bool isWhole = number.find_first_of(".eE") == std::string::npos;
    const ValueId power = f.emit("pow_scalar", {f.operand(op, 0)}, f.resultType(op),
                                 {{"rhs", number + (isWhole ? " : i32" : " : f32")}}, op.location);
    f.finish(op, power);
    return {};
}

std::unordered_map<std::string_view, Rule> allRules() {
    std::unordered_map<std::string_view, Rule> rules{
        {"div", toDivide},
        {"divide", toDivide},
        {"upsample2d", toUpsample},
        {"gelu_backward", toGeluBackward},
        {"embedding_backward", toEmbeddingBackward},
        {"reduce_or", toMax},
        {"reduce_and", toMin},
        {"reshape", toReshape},
        {"squeeze", toReshape},
        {"unsqueeze", toReshape},
        {"broadcast", toRepeat},
        {"typecast", toTypecast},
        {"index", toSlice},
        {"pow", toPow},
        {"conv2d", lowerConvolution},
        {"conv_transpose2d", lowerConvolution},
        {"max_pool2d", lowerPool},
        {"avg_pool2d", lowerPool},
        {"dot_general", lowerDot},
        {"batch_norm_inference", lowerBatchNorm},
    };
    for (const std::string_view kind : {"add",
                                        "subtract",
                                        "multiply",
                                        "maximum",
                                        "minimum",
                                        "relu",
                                        "relu6",
                                        "gelu",
                                        "silu",
                                        "sigmoid",
                                        "tanh",
                                        "exp",
                                        "log",
                                        "sqrt",
                                        "rsqrt",
                                        "reciprocal",
                                        "neg",
                                        "abs",
                                        "cos",
                                        "sin",
                                        "tan",
                                        "floor",
                                        "ceil",
                                        "sign",
                                        "erf",
                                        "erfc",
                                        "leaky_relu",
                                        "clamp_scalar",
                                        "clamp_tensor",
                                        "hardsigmoid",
                                        "isfinite",
                                        "expm1",
                                        "log1p",
                                        "cbrt",
                                        "atan",
                                        "atan2",
                                        "eq",
                                        "ne",
                                        "lt",
                                        "le",
                                        "gt",
                                        "ge",
                                        "logical_and",
                                        "logical_or",
                                        "logical_xor",
                                        "logical_not",
                                        "bitwise_and",
                                        "bitwise_or",
                                        "bitwise_xor",
                                        "bitwise_not",
                                        "remainder",
                                        "where",
                                        "permute",
                                        "transpose",
                                        "concat",
                                        "slice_static",
                                        "embedding",
                                        "softmax",
                                        "layer_norm",
                                        "rms_norm",
                                        "sum",
                                        "mean",
                                        "max",
                                        "min",
                                        "prod",
                                        "argmax",
                                        "pad",
                                        "repeat",
                                        "repeat_interleave",
                                        "matmul",
                                        "linear",
                                        "fill_cache",
                                        "update_cache",
                                        "constant",
                                        "arange",
                                        "zeros",
                                        "ones",
                                        "full",
                                        "empty",
                                        "round",
                                        "trunc",
                                        "square",
                                        "exp2",
                                        "sinh",
                                        "cosh",
                                        "asin",
                                        "acos",
                                        "asinh",
                                        "acosh",
                                        "atanh",
                                        "elu",
                                        "celu",
                                        "selu",
                                        "softplus",
                                        "softsign",
                                        "mish",
                                        "hardswish",
                                        "hardtanh",
                                        "logical_left_shift",
                                        "logical_right_shift",
                                        "rand",
                                        "slice_dynamic",
                                        "conv3d",
                                        "global_avg_pool2d",
                                        "max_pool2d_with_indices",
                                        "batch_norm_training",
                                        "group_norm",
                                        "cumsum",
                                        "sort",
                                        "topk",
                                        "gather",
                                        "scatter",
                                        "paged_fill_cache",
                                        "paged_update_cache",
                                        "concatenate_heads",
                                        "split_query_key_value_and_split_heads",
                                        "rotary_embedding",
                                        "scaled_dot_product_attention",
                                        "scaled_dot_product_attention_decode",
                                        "paged_scaled_dot_product_attention_decode",
                                        "quantize",
                                        "dequantize",
                                        "requantize",
                                        "dropout"})
        rules.emplace(kind, sameName);
    return rules;
}

}  // namespace

Rule ruleOf(std::string_view kind) {
    static const std::unordered_map<std::string_view, Rule> kRules = allRules();
    const auto it = kRules.find(kind);
    return it == kRules.end() ? nullptr : it->second;
}

}  // namespace memplan::ttnn::lower

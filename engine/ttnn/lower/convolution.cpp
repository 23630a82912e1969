// SPDX-License-Identifier: Apache-2.0
// Convolutions and pools: images in NHWC, which TTNN wants flattened to [1, 1, N*H*W, C].
#include "engine/ttnn/lower/function_lowering.h"
#include "engine/ttnn/module/type_text.h"
#include "engine/ttnn/options/config_text.h"

#include <algorithm>
#include <array>

namespace memplan::ttnn::lower {

namespace {

constexpr std::int64_t kLargest = std::int64_t{1} << 20;  ///< of strides, paddings and the like

std::optional<Shape> numbersOf(const Operation& op, std::string_view name) {
    const std::string* text = op.find(name);
    if (text == nullptr) return std::nullopt;
    auto list = integersOf(*text);
    if (!list) {
        const auto one = integerOf(*text);
        if (one) list = Shape{*one};
    }
    const auto isUsual = [](std::int64_t n) { return n >= 0 && n <= kLargest; };
    return list && std::ranges::all_of(*list, isUsual) ? list : std::nullopt;
}

/// Height and width: one number means both.
std::optional<Shape> pairOf(const Operation& op, std::string_view name, std::int64_t otherwise) {
    if (op.find(name) == nullptr) return Shape{otherwise, otherwise};
    auto list = numbersOf(op, name);
    if (!list || list->empty() || list->size() > 2) return std::nullopt;
    if (list->size() == 1) list->push_back(list->front());
    return list;
}

struct Window {
    Shape kernel, stride, dilation, padding, outputPadding;
    bool isTransposed = false, ceil = false;

    /// Size of the result in direction 0 (height) or 1 (width).
    [[nodiscard]] std::int64_t out(std::int64_t in, std::size_t d, std::int64_t before, std::int64_t behind) const {
        const std::int64_t window = dilation[d] * (kernel[d] - 1);
        if (isTransposed) return (in - 1) * stride[d] - before - behind + window + outputPadding[d] + 1;
        const std::int64_t room = in + before + behind - window - 1;
        return room < 0 ? 0 : (room + (ceil ? stride[d] - 1 : 0)) / stride[d] + 1;
    }
    /// The sides in the order of `padding`, four of them.
    [[nodiscard]] bool gives(std::int64_t h, std::int64_t w, const Shape& wanted, const Shape& sides) const {
        return out(h, 0, sides[0], sides[2]) == wanted[0] && out(w, 1, sides[1], sides[3]) == wanted[1];
    }
};

std::string readWindow(const Operation& op, Window& window) {
    const auto stride = pairOf(op, "stride", 1), dilation = pairOf(op, "dilation", 1);
    const auto more = pairOf(op, "output_padding", 0);
    if (!stride || (*stride)[0] < 1 || (*stride)[1] < 1) return "its stride has no form that is known";
    if (!dilation || (*dilation)[0] < 1 || (*dilation)[1] < 1) return "its dilation has no form that is known";
    auto padding = op.find("padding") == nullptr ? std::optional(Shape{0, 0}) : numbersOf(op, "padding");
    if (padding && padding->size() == 1) padding->push_back(padding->front());
    if (!padding || (padding->size() != 2 && padding->size() != 4)) return "its padding has no form that is known";
    if (!more) return "its output_padding has no form that is known";
    window.stride = *stride;
    window.dilation = *dilation;
    window.padding = *padding;
    window.outputPadding = *more;
    return {};
}

/// Four sides are top, left, bottom, right; some files list them top, bottom, left, right: the shape says which.
std::string fitPadding(Window& window, const Shape& in, const Shape& out) {
    const Shape& p = window.padding;
    const Shape wanted{out[1], out[2]};
    if (p.size() == 2) {
        const Shape sides{p[0], p[1], p[0], p[1]};
        return window.gives(in[1], in[2], wanted, sides) ? std::string() : "its shapes do not fit its attributes";
    }
    if (window.gives(in[1], in[2], wanted, p)) return {};
    const Shape other{p[0], p[2], p[1], p[3]};
    if (!window.gives(in[1], in[2], wanted, other)) return "its shapes do not fit its attributes";
    window.padding = other;
    return {};
}

/// Positions of batch, height, width and channels; NHWC unless the operation says otherwise.
std::optional<Shape> dimensionOrder(const Operation& op) {
    constexpr std::array<std::string_view, 4> kNames{"batch_dim", "height_dim", "width_dim", "channel_dim"};
    Shape order{0, 1, 2, 3};
    for (std::size_t i = 0; i < 4; ++i) {
        if (const std::string* text = op.find(kNames[i])) order[i] = integerOf(*text).value_or(-1);
    }
    if (const std::string* last = op.find("channel_last"); last != nullptr && boolOf(*last) == false)
        order = {0, 2, 3, 1};
    Shape sorted = order;
    std::ranges::sort(sorted);
    return sorted == Shape{0, 1, 2, 3} ? std::optional(order) : std::nullopt;
}

Shape inverse(const Shape& order) {
    Shape back(order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        back[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
    return back;
}

Shape permuted(const Shape& shape, const Shape& order) {
    Shape out;
    for (const std::int64_t d : order)
        out.push_back(shape[static_cast<std::size_t>(d)]);
    return out;
}

Shape flat(const Shape& image) {
    return {1, 1, image[0] * image[1] * image[2], image[3]};
}

bool isImage(const Type& type) {
    const auto isUsual = [](std::int64_t n) { return n > 0 && n <= (std::int64_t{1} << 31); };
    return type.isTensor && type.shape.size() == 4 && std::ranges::all_of(type.shape, isUsual);
}

/// Input and result of an operation on images, both as NHWC.
struct Images {
    Shape order, in, out;
};

std::string readImages(const FunctionLowering& f, const Operation& op, Images& images) {
    const auto order = dimensionOrder(op);
    if (!order) return "its dimensions have no order that is known";
    const Type result = f.resultType(op);
    if (op.operands.empty() || !isImage(f.sourceType(op.operands[0])) || !isImage(result))
        return "its operand or result is no image of four dimensions";
    images.order = *order;
    images.in = permuted(f.sourceType(op.operands[0]).shape, *order);
    images.out = permuted(result.shape, *order);
    return {};
}

/// Flattens the input, adds the operation, gives the result its shape.
void emitFlat(FunctionLowering& f, const Operation& op, const Images& images, std::vector<ValueId> operands,
              Attributes properties) {
    const ValueId nhwc = f.permute(f.operand(op, 0), images.order, withSuffix(op.location, "_permute_in"));
    operands.insert(operands.begin(), f.reshape(nhwc, flat(images.in), withSuffix(op.location, "_reshape_in")));
    Type type = f.resultType(op);
    type.shape = flat(images.out);
    std::ranges::sort(properties, {}, &Attribute::name);
    const ValueId made = f.emit(op.kind(), std::move(operands), std::move(type), std::move(properties), op.location);
    const ValueId image = f.reshape(made, images.out, withSuffix(op.location, "_reshape_out"));
    f.finish(op, f.permute(image, inverse(images.order), withSuffix(op.location, "_permute_out")));
}

Attributes windowProperties(const Images& images, const Window& window) {
    return {{"batch_size", i32Text(images.in[0])},     {"input_height", i32Text(images.in[1])},
            {"input_width", i32Text(images.in[2])},    {"kernel_size", array32Text(window.kernel)},
            {"stride", array32Text(window.stride)},    {"padding", array32Text(window.padding)},
            {"dilation", array32Text(window.dilation)}};
}

/// The function that the kernel applies goes into its configuration.
void takeActivation(const Operation& op, Attributes& properties) {
    const std::string* given = op.find("conv2d_config");
    Conv2dConfig config = given == nullptr ? Conv2dConfig{} : conv2dConfigOf(*given).value_or(Conv2dConfig{});
    if (const std::string* activation = op.find("activation"))
        config.activation = stringOf(*activation).value_or(*activation);
    if (given != nullptr || config.activation) setAttribute(properties, "conv2d_config", attributeText(config));
}

/// Kinds of output padding that nothing needs where it is none.
bool isZero(const Shape& pair) {
    return std::ranges::all_of(pair, [](std::int64_t n) { return n == 0; });
}

}  // namespace

std::string lowerConvolution(FunctionLowering& f, const Operation& op) {
    Images images;
    Window window;
    window.isTransposed = op.is("conv_transpose2d");
    if (std::string reason = readImages(f, op, images); !reason.empty()) return reason;
    if (std::string reason = readWindow(op, window); !reason.empty()) return reason;
    if (op.operands.size() < 2 || op.operands.size() > 3 || !isImage(f.sourceType(op.operands[1])))
        return "its weights have no four dimensions";
    const Shape weights = f.sourceType(op.operands[1]).shape;
    window.kernel = {weights[2], weights[3]};
    const auto groups = op.find("groups") == nullptr ? 1 : integerOf(*op.find("groups")).value_or(0);
    if (groups < 1 || images.in[3] % groups != 0) return "its groups do not divide its channels";
    if (std::string reason = fitPadding(window, images.in, images.out); !reason.empty()) return reason;
    const std::int64_t channels = images.out[3];
    const bool hasBias = op.operands.size() == 3;
    if (hasBias && elementsOf(f.sourceType(op.operands[2]).shape) != channels)
        return "its bias has no value per channel";

    std::vector<ValueId> operands{f.operand(op, 1)};
    if (hasBias) operands.push_back(f.reshape(f.operand(op, 2), {1, 1, 1, channels}, withSuffix(op.location, "_bias")));
    operands.push_back(f.device());
    Attributes properties = windowProperties(images, window);
    properties.push_back({"in_channels", i32Text(images.in[3])});
    properties.push_back({"out_channels", i32Text(channels)});
    properties.push_back({"groups", i32Text(groups)});
    if (window.isTransposed && !isZero(window.outputPadding))
        properties.push_back({"output_padding", array32Text(window.outputPadding)});
    takeActivation(op, properties);
    emitFlat(f, op, images, std::move(operands), std::move(properties));
    return {};
}

std::string lowerPool(FunctionLowering& f, const Operation& op) {
    Images images;
    Window window;
    if (std::string reason = readImages(f, op, images); !reason.empty()) return reason;
    if (std::string reason = readWindow(op, window); !reason.empty()) return reason;
    const auto kernel = pairOf(op, op.find("kernel") != nullptr ? "kernel" : "kernel_size", 0);
    if (!kernel || (*kernel)[0] < 1 || (*kernel)[1] < 1) return "its kernel has no form that is known";
    window.kernel = *kernel;
    const std::string* ceil = op.find("ceil_mode");
    window.ceil = ceil != nullptr && boolOf(*ceil).value_or(false);
    if (std::string reason = fitPadding(window, images.in, images.out); !reason.empty()) return reason;
    Attributes properties = windowProperties(images, window);
    properties.push_back({"channels", i32Text(images.in[3])});
    properties.push_back({"ceil_mode", window.ceil ? "true" : "false"});
    if (const std::string* count = op.find("count_include_pad")) properties.push_back({"count_include_pad", *count});
    emitFlat(f, op, images, {}, std::move(properties));
    return {};
}

}  // namespace memplan::ttnn::lower

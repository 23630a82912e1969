// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/lower/stablehlo_windows.h"

#include "engine/ttnn/lower/edit.h"
#include "engine/ttnn/module/type_text.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace memplan::ttnn::lower {

namespace {

bool isImages(const Type& type) {
    return type.isTensor && type.shape.size() == 4;
}

/// A list of `count` numbers; `otherwise` for each where there is none.
std::optional<Shape> listOf(const Operation& op, std::string_view name, std::size_t count, std::int64_t otherwise) {
    const std::string* text = op.find(name);
    if (text == nullptr) return Shape(count, otherwise);
    auto list = integersOf(*text);
    return list && list->size() == count ? list : std::nullopt;
}

std::optional<std::int64_t> numberOf(const Operation& op, std::string_view name, std::int64_t otherwise) {
    const std::string* text = op.find(name);
    return text == nullptr ? std::optional(otherwise) : integerOf(*text);
}

/// `padding` of `rank` dimensions, both sides of each: "dense<1> : tensor<2x2xi64>", "dense<[[0, 1], [1, 1]]> : ...".
std::optional<Shape> sidesOf(const Operation& op, std::size_t rank) {
    const std::string* text = op.find("padding");
    if (text == nullptr) return Shape(2 * rank, 0);
    const std::size_t close = text->find('>');
    if (!text->starts_with("dense<") || close == std::string::npos) return std::nullopt;
    std::string inside = text->substr(6, close - 6);
    std::erase_if(inside, [](char c) { return c == '[' || c == ']'; });
    auto sides = integersOf("[" + inside + "]");
    if (sides && sides->size() == 1) sides = Shape(2 * rank, sides->front());
    const auto isNegative = [](std::int64_t n) { return n < 0; };
    if (!sides || sides->size() != 2 * rank || std::ranges::any_of(*sides, isNegative)) return std::nullopt;
    return sides;
}

/// "[b, f, 0, 1]" as positions of the first, rows, columns and the last.
std::optional<Shape> positions(std::string_view list, char first, char last) {
    Shape out(4, -1);
    std::int64_t at = 0;
    for (const char c : list) {
        if (std::string_view("[], >").find(c) != std::string_view::npos) continue;
        const std::array<char, 4> signs{first, '0', '1', last};
        const auto* which = std::ranges::find(signs, c);
        if (which == signs.end() || at > 3) return std::nullopt;
        out[static_cast<std::size_t>(which - signs.begin())] = at++;
    }
    return at == 4 && std::ranges::find(out, -1) == out.end() ? std::optional(out) : std::nullopt;
}

/// Positions in the input (that of the result too) and in the kernel.
struct Order {
    Shape image, kernel;
};

std::optional<Order> orderOf(const Operation& op) {
    const std::string* text = op.find("dimension_numbers");
    if (text == nullptr) return std::nullopt;
    const std::string_view all = *text;
    const std::size_t open = all.find('['), times = all.find("]x["), arrow = all.find("]->[");
    if (open == std::string_view::npos || times == std::string_view::npos || arrow == std::string_view::npos ||
        open > times || times > arrow)
        return std::nullopt;
    const auto in = positions(all.substr(open, times + 1 - open), 'b', 'f');
    const auto kernel = positions(all.substr(times + 2, arrow - times - 1), 'o', 'i');
    const auto out = positions(all.substr(arrow + 3), 'b', 'f');
    if (!in || !kernel || !out || *in != *out) return std::nullopt;
    return Order{*in, *kernel};
}

/// Where batch, rows, columns and features are.
Attributes dimensions(const Shape& image) {
    const auto text = [&](std::size_t i) { return std::to_string(image[i]) + " : i64"; };
    return {{"batch_dim", text(0)}, {"channel_dim", text(3)}, {"height_dim", text(1)}, {"width_dim", text(2)}};
}

void become(Operation& op, std::string_view name, Attributes properties) {
    std::ranges::sort(properties, {}, &Attribute::name);
    for (const char* said : {"feature_group_count", "batch_group_count", "precision_config", "window_dimensions",
                             "window_strides", "padding", "base_dilations", "window_dilations"})
        removeAttribute(op.attributes, said);
    op.properties = std::move(properties);
    op.name = name;
}

/// The kernel as output features, input features, rows, columns.
void orderKernel(Function& function, OperationId id, const Shape& kernel) {
    const Shape order{kernel[0], kernel[3], kernel[1], kernel[2]};
    if (order == Shape{0, 1, 2, 3}) return;
    const Type from = function.typeOf(function.operation(id).operands[1]);
    Shape shape;
    for (const std::int64_t d : order)
        shape.push_back(from.shape[static_cast<std::size_t>(d)]);
    Operation helper;
    helper.name = "ttir.permute";
    helper.operands = {function.operation(id).operands[1]};
    helper.results = {function.addValue(tensorType(shape, from.element))};
    helper.properties = {{"permutation", array64Text(order)}};
    helper.location = withSuffix(function.operation(id).location, "_permute");
    const ValueId result = helper.results.front();
    function.order.push_back(function.addOperation(std::move(helper)));
    function.operation(id).operands[1] = result;
}

bool takesLargest(const Operation& op) {
    if (op.regions.size() != 1 || op.regions[0].blocks.size() != 1) return false;
    const auto& body = op.regions[0].blocks[0].operations;
    return body.size() == 2 && body[0].is("maximum");
}

}  // namespace

void imageConvolution(Function& function, OperationId id) {
    const Operation& op = function.operation(id);
    if (op.operands.size() != 2 || op.results.size() != 1) return;
    for (const ValueId value : {op.operands[0], op.operands[1], op.results[0]})
        if (!isImages(function.typeOf(value))) return;
    const auto order = orderOf(op);
    const auto stride = listOf(op, "window_strides", 2, 1), dilation = listOf(op, "rhs_dilation", 2, 1);
    const auto groups = numberOf(op, "feature_group_count", 1);
    const auto sides = sidesOf(op, 2);
    const std::string* reversal = op.find("window_reversal");
    const bool isReversed = reversal != nullptr && reversal->find("true") != std::string::npos;
    const bool isPlain = listOf(op, "lhs_dilation", 2, 1) == Shape{1, 1} && numberOf(op, "batch_group_count", 1) == 1;
    if (!order || !stride || !dilation || !groups || !sides || isReversed || !isPlain) return;
    const Shape& s = *sides;
    Attributes properties = dimensions(order->image);
    properties.push_back({"dilation", array32Text(*dilation)});
    properties.push_back({"groups", i32Text(*groups)});
    properties.push_back({"padding", array32Text({s[0], s[2], s[1], s[3]})});
    properties.push_back({"stride", array32Text(*stride)});
    orderKernel(function, id, order->kernel);
    become(function.operation(id), "ttir.conv2d", std::move(properties));
}

void imagePool(Function& function, OperationId id) {
    Operation& op = function.operation(id);
    if (op.operands.size() != 2 || op.results.size() != 1 || !takesLargest(op)) return;
    if (!isImages(function.typeOf(op.operands[0])) || !isImages(function.typeOf(op.results[0]))) return;
    const auto window = listOf(op, "window_dimensions", 4, 1), stride = listOf(op, "window_strides", 4, 1);
    const auto dilation = listOf(op, "window_dilations", 4, 1), sides = sidesOf(op, 4);
    if (!window || !stride || !dilation || !sides || listOf(op, "base_dilations", 4, 1) != Shape(4, 1)) return;
    // Channels are the second dimension, or the last.
    const Shape image = (*window)[1] == 1 && (*window)[3] != 1 ? Shape{0, 2, 3, 1} : Shape{0, 1, 2, 3};
    for (const std::size_t d : {static_cast<std::size_t>(image[0]), static_cast<std::size_t>(image[3])})
        if ((*window)[d] != 1 || (*stride)[d] != 1 || (*sides)[2 * d] != 0 || (*sides)[2 * d + 1] != 0) return;
    const auto h = static_cast<std::size_t>(image[1]), w = static_cast<std::size_t>(image[2]);
    Attributes properties = dimensions(image);
    properties.push_back({"ceil_mode", "false"});
    properties.push_back({"dilation", array32Text({(*dilation)[h], (*dilation)[w]})});
    properties.push_back({"kernel", array32Text({(*window)[h], (*window)[w]})});
    properties.push_back(
        {"padding", array32Text({(*sides)[2 * h], (*sides)[2 * w], (*sides)[2 * h + 1], (*sides)[2 * w + 1]})});
    properties.push_back({"stride", array32Text({(*stride)[h], (*stride)[w]})});
    op.operands.pop_back();
    op.regions.clear();
    become(op, "ttir.max_pool2d", std::move(properties));
}

}  // namespace memplan::ttnn::lower

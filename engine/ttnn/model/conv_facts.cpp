// SPDX-License-Identifier: Apache-2.0
// The attributes of convolutions.
#include "engine/ttnn/layout/arithmetic.h"
#include "engine/ttnn/model/facts.h"
#include "engine/ttnn/options/config_text.h"

#include <numeric>

namespace memplan::ttnn::model {
namespace {

using Pair = std::array<std::int64_t, 2>;

constexpr std::int64_t kLargestWindow = std::int64_t{1} << 20;

bool isSmall(std::int64_t value, std::int64_t least) {
    return value >= least && value <= kLargestWindow;
}

/// Height and width; one number means both. None where the attribute has another form.
std::optional<Pair> pairOf(const AttributeReader& attributes, std::string_view name, std::int64_t otherwise) {
    if (!attributes.text(name)) return Pair{otherwise, otherwise};
    const auto list = attributes.integers(name);
    if (!list || list->empty() || list->size() > 2) return std::nullopt;
    return Pair{list->front(), list->back()};
}

/// Top, left, bottom, right; two numbers are height and width.
std::optional<std::array<std::int64_t, 4>> paddingOf(const AttributeReader& attributes) {
    if (!attributes.text("padding")) return std::array<std::int64_t, 4>{0, 0, 0, 0};
    const auto list = attributes.integers("padding");
    if (!list) return std::nullopt;
    const std::vector<std::int64_t>& p = *list;
    if (p.size() == 1) return std::array{p[0], p[0], p[0], p[0]};
    if (p.size() == 2) return std::array{p[0], p[1], p[0], p[1]};
    if (p.size() == 4) return std::array{p[0], p[1], p[2], p[3]};
    return std::nullopt;
}

/// A window has an extent of 1 at least, in both directions.
bool isWindow(const Pair& pair) {
    return isSmall(pair[0], 1) && isSmall(pair[1], 1);
}

std::string readWindow(const AttributeReader& attributes, const OpFacts& facts, ConvFacts& conv) {
    const Shape& weights = facts.operands[1].shape;
    auto kernel = pairOf(attributes, "kernel_size", 0);
    if (kernel && (*kernel)[0] == 0 && weights.size() == 4) kernel = Pair{weights[2], weights[3]};
    if (!kernel || !isWindow(*kernel)) return "kernel_size";
    const auto stride = pairOf(attributes, "stride", 1), dilation = pairOf(attributes, "dilation", 1);
    if (!stride || !isWindow(*stride)) return "stride";
    if (!dilation || !isWindow(*dilation)) return "dilation";
    const auto padding = paddingOf(attributes);
    if (!padding) return "padding";
    for (const std::int64_t side : *padding) {
        if (!isSmall(side, 0)) return "padding";
    }
    conv.kernel = *kernel;
    conv.stride = *stride;
    conv.dilation = *dilation;
    conv.padding = *padding;
    return {};
}

std::int64_t rowsOf(const Shape& shape) {
    return std::accumulate(shape.begin(), shape.end() - 1, std::int64_t{1}, std::multiplies<>());
}

/// Batch, height and width: from the attributes, else from a shape that is not flattened.
std::string readImage(const AttributeReader& attributes, const OpFacts& facts, ConvFacts& conv) {
    const Shape& input = facts.operands[0].shape;
    const bool isFlat = input.size() != 4 || (input[0] == 1 && input[1] == 1);
    const Shape whole = isFlat ? Shape{0, 0, 0} : Shape{input[0], input[1], input[2]};
    conv.batch = attributes.integer("batch_size").value_or(whole[0]);
    conv.height = attributes.integer("input_height").value_or(whole[1]);
    conv.width = attributes.integer("input_width").value_or(whole[2]);
    if (!isSmall(conv.batch, 1)) return "batch_size";
    if (!isSmall(conv.height, 1)) return "input_height";
    return isSmall(conv.width, 1) ? std::string() : std::string("input_width");
}

std::int64_t outWidth(const ConvFacts& conv, bool isTransposed) {
    const std::int64_t window = conv.dilation[1] * (conv.kernel[1] - 1);
    const std::int64_t sides = conv.padding[1] + conv.padding[3];
    if (isTransposed) return std::max<std::int64_t>(1, (conv.width - 1) * conv.stride[1] - sides + window + 1);
    return std::max<std::int64_t>(1, (conv.width + sides - window - 1) / conv.stride[1] + 1);
}

}  // namespace

void readConv(const AttributeReader& attributes, OpFacts& facts) {
    ConvFacts& conv = facts.conv;
    std::string missing = readWindow(attributes, facts, conv);
    if (missing.empty()) missing = readImage(attributes, facts, conv);
    if (!missing.empty()) {
        facts.status = ValidationStatus::NotImplemented;
        facts.problem = facts.word + " has no " + missing + " that can be used, so its buffers cannot be estimated";
        return;
    }
    conv.channels = facts.operands[0].shape.back();
    conv.filters = facts.results[0].shape.back();
    conv.rows = rowsOf(facts.results[0].shape);
    conv.outWidth = outWidth(conv, facts.kind->isTransposed);
    const bool isGrouped = attributes.integer("groups").value_or(1) != 1;
    conv.isProduct = !facts.kind->isTransposed && !isGrouped && conv.kernel == Pair{1, 1} &&
                     conv.stride == Pair{1, 1} && conv.dilation == Pair{1, 1} &&
                     conv.padding == std::array<std::int64_t, 4>{0, 0, 0, 0};
    facts.product.rows = ceilDiv(conv.rows, kTile);
    facts.product.columns = ceilDiv(conv.filters, kTile);
    facts.product.inner = ceilDiv(conv.channels, kTile);
    limitProduct(facts);
    if (const auto text = attributes.text("conv2d_config"))
        facts.convConfig = conv2dConfigOf(*text).value_or(Conv2dConfig{});
}

}  // namespace memplan::ttnn::model

// SPDX-License-Identifier: Apache-2.0
// Convolutions: sharded over output rows, output channels or both, with a halo of input rows around each shard.
#include "engine/ttnn/model/product.h"

#include <algorithm>

namespace memplan::ttnn::model {
namespace {

/// Sizes in tiles.
struct Plan {
    MemLayout mem = MemLayout::HeightSharded;
    Grid grid;
    std::int64_t rows = 1, columns = 1;    ///< of the output on one core
    std::int64_t activation = 1;           ///< rows of an activation block
    std::int64_t channels = 1;             ///< of the input on one core
    std::int64_t inner = 1, innerAll = 1;  ///< of one block and of the whole sum
};

const Conv2dConfig& configOf(const Case& c) {
    const auto* attrs = std::get_if<Conv2dAttrs>(&c.config.attrs);
    return attrs && attrs->config ? *attrs->config : c.facts.convConfig;
}

std::int64_t rowTiles(const Case& c) {
    return c.facts.product.rows;
}
std::int64_t filterTiles(const Case& c) {
    return c.facts.product.columns;
}
std::int64_t channelTiles(const Case& c) {
    return c.facts.product.inner;
}

MemLayout chosenMem(const Case& c) {
    if (c.inputs[0].isSharded()) return *c.inputs[0].mem;
    const std::optional<MemLayout>& configured = configOf(c).shardLayout;
    if (configured && *configured != MemLayout::Interleaved && *configured != MemLayout::NdSharded) return *configured;
    const auto rows = static_cast<double>(rowTiles(c)), filters = static_cast<double>(filterTiles(c));
    if (rows >= c.figures().convHeightRatio * filters) return MemLayout::HeightSharded;
    const bool fillsBlocks = rowTiles(c) >= c.device().workers.rows && filterTiles(c) >= 2;
    return fillsBlocks ? MemLayout::BlockSharded : MemLayout::WidthSharded;
}

std::int32_t largestDivisor(std::int64_t value, std::int64_t upTo) {
    for (std::int64_t d = std::min(value, upTo); d > 1; --d) {
        if (value % d == 0) return static_cast<std::int32_t>(d);
    }
    return 1;
}

Grid derivedGrid(const Case& c, MemLayout mem) {
    const Grid workers = c.device().workers;
    const std::int64_t rows = rowTiles(c);
    if (mem == MemLayout::HeightSharded) {
        const std::int64_t perCore = ceilDiv(rows, std::min(workers.volume(), rows));
        return {static_cast<std::int32_t>(ceilDiv(rows, perCore)), 1};
    }
    if (mem == MemLayout::WidthSharded) return {1, largestDivisor(filterTiles(c), workers.volume())};
    return {static_cast<std::int32_t>(std::min<std::int64_t>(workers.rows, rows)),
            largestDivisor(filterTiles(c), workers.cols)};
}

/// The shards along one dimension are those on the derived grid or on a smaller one.
bool fitsAlong(std::int64_t extent, std::int32_t cores, std::int32_t derived) {
    return cores <= derived || ceilDiv(extent, cores) == ceilDiv(extent, derived);
}

std::string gridText(Grid grid) {
    return std::to_string(grid.rows) + "x" + std::to_string(grid.cols);
}

std::string inputProblem(const Case& c) {
    const Layout& input = c.inputs[0];
    const bool isFine = input.isL1Sharded() || (input.isInDram() && input.isInterleaved());
    if (!isFine) return "the input must be sharded in L1 or interleaved in DRAM, and " + operandWords(c, 0);
    if (const auto k = shardedOperand(c, 1))
        return "weights and bias of " + c.facts.word + " are not sharded, and " + operandWords(c, *k);
    return {};
}

std::string memProblem(const Case& c, MemLayout mem) {
    const ModelFigures& f = c.figures();
    if (mem == MemLayout::HeightSharded && static_cast<double>(c.facts.conv.channels) > f.convHeightMaxChannels)
        return "height_sharded takes at most " + std::to_string(static_cast<std::int64_t>(f.convHeightMaxChannels)) +
               " channels, and there are " + std::to_string(c.facts.conv.channels);
    if (mem == MemLayout::WidthSharded && static_cast<double>(c.facts.conv.rows) > f.convWidthMaxRows)
        return "width_sharded takes at most " + std::to_string(static_cast<std::int64_t>(f.convWidthMaxRows)) +
               " output rows, and there are " + std::to_string(c.facts.conv.rows);
    const Layout* wanted = c.wanted();
    if (!wanted || !wanted->isSharded() || wanted->mem == mem) return {};
    return (c.inputs[0].isSharded() ? operandWords(c, 0) : "the convolution is " + std::string(wordOf(mem))) +
           ", so the result cannot be " + wordsOf(*wanted);
}

/// The grid of a full layout must give the shards of the derived grid, or of a smaller one.
std::string gridProblem(const Case& c, MemLayout mem, Grid derived) {
    const Layout* wanted = c.wanted();
    if (!wanted || !wanted->isSharded() || wanted->ignorePhysicalLayout) return {};
    const bool fits = fitsAlong(rowTiles(c), wanted->grid.rows, derived.rows) &&
                      fitsAlong(filterTiles(c), wanted->grid.cols, derived.cols);
    return fits ? std::string()
                : "the convolution uses at most " + gridText(derived) + " cores " + std::string(wordOf(mem)) +
                      ", and " + wordsOf(*wanted) + " is asked for";
}

std::int64_t innerOf(const Case& c, const Plan& plan) {
    const ConvFacts& conv = c.facts.conv;
    if (plan.mem == MemLayout::HeightSharded) return conv.kernel[1] * plan.channels;
    const std::int64_t divisor = std::max<std::int64_t>(1, configOf(c).actBlockWDiv.value_or(1));
    return std::max<std::int64_t>(1, conv.kernel[0] * conv.kernel[1] * plan.channels / divisor);
}

Plan planOf(const Case& c, MemLayout mem, Grid grid) {
    Plan plan;
    plan.mem = mem;
    plan.grid = grid;
    plan.rows = ceilDiv(rowTiles(c), grid.rows);
    plan.columns = ceilDiv(filterTiles(c), grid.cols);
    const Layout& input = c.inputs[0];
    const std::int32_t channelCores = input.isSharded() ? input.grid.cols : grid.cols;
    plan.channels = mem == MemLayout::HeightSharded ? channelTiles(c) : ceilDiv(channelTiles(c), channelCores);
    const std::int64_t wish = configOf(c).actBlockHOverride.value_or(0);
    plan.activation = wish <= 0 ? plan.rows : std::min(plan.rows, std::max<std::int64_t>(1, wish / kTile));
    plan.inner = innerOf(c, plan);
    plan.innerAll = c.facts.conv.kernel[0] * c.facts.conv.kernel[1] * channelTiles(c);
    return plan;
}

DataType weightType(const Case& c) {
    return configOf(c).weightsDtype.value_or(c.inputs[1].dtype);
}

Bytes buffers(const Case& c, const Plan& plan) {
    const Conv2dConfig& config = configOf(c);
    const Bytes in = tileBytes(c.inputs[0].dtype), out = tileBytes(c.outputType());
    const std::int64_t depthA = config.enableActDoubleBuffer.value_or(false) ? 2 : 1;
    const std::int64_t depthW = config.enableWeightsDoubleBuffer.value_or(false) ? 2 : 1;
    const Bytes outBlock = plan.activation * plan.columns * out;
    const bool writesInPlace = c.wanted() ? c.wanted()->isL1Sharded() : true;
    Bytes bytes = depthA * plan.activation * plan.inner * in;
    bytes += depthW * plan.inner * plan.columns * tileBytes(weightType(c));
    if (!(writesInPlace && plan.activation == plan.rows)) bytes += outBlock;
    if (ceilDiv(plan.innerAll, plan.inner) > 1) bytes += outBlock;
    return bytes + bytesOf(c.figures().convStagingTiles, in);
}

/// Pixels of the input that a core holds while it computes, row-major: the image rows of its outputs, those that the
/// kernel reaches beyond them, and the padding at both sides; two bytes for each channel of whole tiles.
Bytes haloBytes(const Case& c, const Plan& plan) {
    const ConvFacts& conv = c.facts.conv;
    const std::int64_t outRows = ceilDiv(plan.rows * kTile, conv.outWidth);
    const std::int64_t rows = outRows * conv.stride[0] + (conv.kernel[0] - 1) * conv.dilation[0];
    const std::int64_t width = conv.width + conv.padding[1] + conv.padding[3];
    constexpr Bytes kElement = 2;
    return rows * width * plan.channels * kTile * kElement;
}

/// The layout of the result; the grid is the derived one where none is given.
Layout outputOf(const Case& c, const Plan& plan) {
    const Layout* wanted = c.wanted();
    if (wanted && !wanted->ignorePhysicalLayout) return *wanted;
    const PageLayout page = wanted ? wanted->page : configOf(c).outputLayout.value_or(PageLayout::Tile);
    if (wanted && !wanted->isSharded()) return interleaved(c, page, wanted->buffer);
    return makeLayout(c.result().shape, {c.outputType(), page, BufferType::L1, plan.mem, plan.grid}, c.device());
}

/// A matrix product of all pixels with the filters.
Outcome asProduct(const Case& c, MemLayout mem) {
    ProductTerms terms{.size = c.facts.product, .a = c.inputs[0]};
    const Layout& input = c.inputs[0];
    terms.aWidth = input.isTiled() ? input.shard[1] : ceilDiv(input.shard[1], kTile);
    terms.aTile = tileBytes(input.dtype);
    terms.bTile = tileBytes(weightType(c));
    terms.outTile = tileBytes(c.outputType());
    if (c.inputs.size() > 2) terms.biasTile = tileBytes(c.inputs[2].dtype);
    terms.memByDefault = mem;
    terms.pageByDefault = configOf(c).outputLayout.value_or(PageLayout::Tile);
    const auto* attrs = std::get_if<Conv2dAttrs>(&c.config.attrs);
    const ComputeConfig& compute = attrs && attrs->compute ? *attrs->compute : c.facts.compute;
    terms.keepsSumsInF32 = compute.fp32DestAccEn.value_or(false) && c.outputType() != DataType::F32;
    return productOutcome(c, terms);
}

Outcome asWindow(const Case& c, MemLayout mem) {
    const Grid derived = derivedGrid(c, mem);
    if (std::string problem = gridProblem(c, mem, derived); !problem.empty()) return refused(std::move(problem));
    const Layout* wanted = c.wanted();
    const bool hasGrid = wanted && wanted->isSharded() && !wanted->ignorePhysicalLayout;
    const Plan plan = planOf(c, mem, hasGrid ? wanted->grid : derived);
    if (plan.rows % plan.activation != 0)
        return refused("act_block_h_override of " + std::to_string(plan.activation * kTile) + " does not divide the " +
                       std::to_string(plan.rows * kTile) + " rows of a core");
    const bool freesInput = configOf(c).deallocateActivation.value_or(false);
    Outcome outcome;
    outcome.cb = buffers(c, plan);
    outcome.scratch = haloBytes(c, plan);
    outcome.first = freesInput ? FirstOperand::Freed : FirstOperand::InTensorPeak;
    outcome.output = outputOf(c, plan);
    return outcome;
}

}  // namespace

Outcome conv(const Case& c) {
    if (std::string problem = inputProblem(c); !problem.empty()) return refused(std::move(problem));
    const MemLayout mem = chosenMem(c);
    if (std::string problem = memProblem(c, mem); !problem.empty()) return refused(std::move(problem));
    return c.facts.conv.isProduct ? asProduct(c, mem) : asWindow(c, mem);
}

}  // namespace memplan::ttnn::model

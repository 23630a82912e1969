// SPDX-License-Identifier: Apache-2.0
// Elementwise operations of one, two and three tensors.
#include "engine/base/text.h"
#include "engine/ttnn/model/families.h"

#include <algorithm>

namespace memplan::ttnn::model {
namespace {

std::int64_t extentFromEnd(const Shape& shape, std::size_t back) {
    return back < shape.size() ? shape[shape.size() - 1 - back] : 1;
}

/// Extents of the result, from the last dimension on; empty where two operands do not fit, which is then said.
std::vector<std::int64_t> broadcastExtents(OpFacts& facts) {
    std::size_t rank = 0;
    for (const TensorFacts& operand : facts.operands)
        rank = std::max(rank, operand.shape.size());
    std::vector<std::int64_t> extents(rank, 1);
    for (std::size_t back = 0; back < rank; ++back) {
        for (const TensorFacts& operand : facts.operands) {
            const std::int64_t extent = extentFromEnd(operand.shape, back);
            if (extent == 1 || extent == extents[back]) continue;
            if (extents[back] == 1) {
                extents[back] = extent;
                continue;
            }
            facts.status = ValidationStatus::MetalBackendError;
            facts.problem = "shapes " + text::shapeText(facts.operands.front().shape) + " and " +
                            text::shapeText(operand.shape) + " do not broadcast: " + std::to_string(extents[back]) +
                            " against " + std::to_string(extent) + " in dimension " + std::to_string(rank - 1 - back);
            return {};
        }
    }
    return extents;
}

/// The result has these extents, or larger ones where they are 1; otherwise that is said.
bool givesResult(const std::vector<std::int64_t>& extents, OpFacts& facts) {
    if (facts.results.empty()) return true;
    const Shape& shape = facts.results.front().shape;
    for (std::size_t back = 0; back < extents.size(); ++back) {
        if (extents[back] == 1 || extents[back] == extentFromEnd(shape, back)) continue;
        facts.status = ValidationStatus::MetalBackendError;
        facts.problem = "operands with " + std::to_string(extents[back]) + " in dimension " +
                        std::to_string(extents.size() - 1 - back) + " do not give a result of shape " +
                        text::shapeText(shape);
        return false;
    }
    return true;
}

/// A shard does not hold what the result needs of it.
bool broadcastsAcrossShards(const Layout& layout, const TensorFacts& tensor) {
    const bool cutsRows = layout.mem != MemLayout::WidthSharded;
    const bool cutsColumns = layout.mem != MemLayout::HeightSharded;
    return (cutsRows && tensor.broadcastsRows) || (cutsColumns && tensor.broadcastsColumns);
}

std::string pageProblem(const Case& c) {
    const PageLayout page = c.inputs[0].page;
    for (std::size_t k = 1; k < c.inputs.size(); ++k) {
        if (c.inputs[k].page != page)
            return operandWords(c, 0) + " and " + operandWords(c, k) + ": their page layouts differ";
    }
    if (page == PageLayout::RowMajor && !c.facts.kind->takesRowMajor)
        return c.facts.word + " takes tiles only, and " + operandWords(c, 0);
    if (c.wanted() && c.wanted()->page != page)
        return c.facts.word + " keeps the page layout: " + operandWords(c, 0) + ", its result cannot be " +
               wordsOf(*c.wanted());
    return {};
}

/// What is wrong among the operands; `sharded` is the first sharded one.
std::string operandProblem(const Case& c, std::size_t sharded) {
    for (std::size_t k = sharded; k < c.inputs.size(); ++k) {
        const Layout& layout = c.inputs[k];
        if (!layout.isSharded()) continue;
        if (layout.mem != c.inputs[sharded].mem || layout.grid != c.inputs[sharded].grid)
            return operandWords(c, sharded) + " and " + operandWords(c, k) + ": both must be sharded alike";
        if (broadcastsAcrossShards(layout, c.facts.operands[k]))
            return operandWords(c, k) + ", and the dimension that it broadcasts is cut into shards";
    }
    return {};
}

std::int64_t mostCores(const Case& c) {
    std::int64_t cores = 0;
    for (const Layout& layout : c.inputs)
        cores = std::max(cores, layout.isSharded() ? layout.grid.volume() : 0);
    return cores;
}

/// Why a sharded result does not go with the sharded operand.
std::string resultProblem(const Case& c, const Layout& output, std::size_t sharded) {
    const Layout& operand = c.inputs[sharded];
    if (output.mem != operand.mem) return operandWords(c, sharded) + ", so the result cannot be " + wordsOf(output);
    if (c.inputs.size() == 1 && !sharesSharding(output, operand))
        return operandWords(c, sharded) + ", so the result must lie on the same cores, not be " + wordsOf(output);
    if (c.facts.kind->keepsCores && output.grid.volume() < mostCores(c))
        return "the result would use " + std::to_string(output.grid.volume()) + " cores, its operands use " +
               std::to_string(mostCores(c));
    return {};
}

/// The layout that the result takes where it is not given in full; none: a grid is asked for and nothing says which.
std::optional<Layout> decided(const Case& c, std::optional<std::size_t> sharded) {
    const Layout* wanted = c.wanted();
    const PageLayout page = c.inputs[0].page;
    if (wanted && !wanted->isSharded()) return interleaved(c, page, wanted->buffer);
    if (sharded) return shardedAs(c, c.inputs[*sharded]);
    if (wanted) return std::nullopt;
    return interleaved(c, page, c.inputs[0].isInL1() ? BufferType::L1 : BufferType::Dram);
}

bool allShareOneSharding(const Case& c, const Layout& output) {
    return output.isL1Sharded() && std::all_of(c.inputs.begin(), c.inputs.end(),
                                               [&](const Layout& input) { return sharesSharding(input, output); });
}

Bytes buffers(const Case& c, const Layout& output) {
    const Bytes outTile = bufferTile(output);
    Bytes bytes = c.facts.kind->needsExtraTiles ? bytesOf(c.figures().logicalExtraTiles, outTile) : 0;
    if (allShareOneSharding(c, output)) return bytes;
    for (std::size_t k = 0; k < c.inputs.size(); ++k)
        bytes += bytesOf(c.figures().eltwiseTilesPerTensor, bufferTile(c.inputs[k]));
    return bytes + bytesOf(c.figures().eltwiseTilesPerTensor, outTile);
}

}  // namespace

void readEltwise(OpFacts& facts) {
    const std::vector<std::int64_t> extents = broadcastExtents(facts);
    if (extents.empty() || !givesResult(extents, facts)) return;
    for (TensorFacts& operand : facts.operands) {
        operand.broadcastsColumns = extentFromEnd(operand.shape, 0) != extents[0];
        for (std::size_t back = 1; back < extents.size(); ++back)
            operand.broadcastsRows |= extentFromEnd(operand.shape, back) != extents[back];
    }
}

Outcome eltwise(const Case& c) {
    if (std::string problem = pageProblem(c); !problem.empty()) return refused(std::move(problem));
    const std::optional<std::size_t> sharded = shardedOperand(c);
    if (sharded) {
        if (std::string problem = operandProblem(c, *sharded); !problem.empty()) return refused(std::move(problem));
    }
    const bool isGiven = c.wanted() && !c.wanted()->ignorePhysicalLayout;
    std::optional<Layout> output = isGiven ? *c.wanted() : decided(c, sharded);
    if (!output)
        return refused("no operand is sharded, so nothing says on how many cores the result is " +
                       wordsOf(*c.wanted()));
    if (c.wantsSomeGrid() && output->mem != c.wanted()->mem)
        return refused(operandWords(c, *sharded) + ", so the result cannot be " + wordsOf(*c.wanted()));
    if (sharded && output->isSharded()) {
        if (std::string problem = resultProblem(c, *output, *sharded); !problem.empty())
            return refused(std::move(problem));
    }
    Outcome outcome;
    outcome.cb = buffers(c, *output);
    outcome.output = *std::move(output);
    return outcome;
}

}  // namespace memplan::ttnn::model

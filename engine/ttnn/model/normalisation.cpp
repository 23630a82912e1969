// SPDX-License-Identifier: Apache-2.0
// Softmax, norms and rotary embedding: rows stay whole, and a sharded operand gives a result on the same cores.
#include "engine/ttnn/model/families.h"

#include <algorithm>

namespace memplan::ttnn::model {
namespace {

/// The result has the layout of operand 0, or is interleaved where that is.
struct SameOutput {
    std::optional<Layout> layout;
    std::string refusal;
};

SameOutput sameOutput(const Case& c) {
    const Layout& input = c.inputs[0];
    const Layout* wanted = c.wanted();
    if (!wanted || wanted->ignorePhysicalLayout) {
        const BufferType buffer = wanted ? wanted->buffer : input.buffer;
        const std::optional<MemLayout> mem = wanted ? wanted->mem : input.mem;
        if (mem != input.mem || (input.isSharded() && buffer != input.buffer))
            return {std::nullopt, operandWords(c, 0) + ", so the result cannot be " + wordsOf(*wanted)};
        return {input.isSharded() ? shardedAs(c, input) : interleaved(c, input.page, buffer), {}};
    }
    const bool fits = input.isSharded() ? sharesSharding(*wanted, input) : !wanted->isSharded();
    if (!fits || wanted->page != input.page)
        return {std::nullopt, operandWords(c, 0) + ", so the result cannot be " + wordsOf(*wanted)};
    return {*wanted, {}};
}

std::string tileProblem(const Case& c) {
    return c.inputs[0].isTiled() ? std::string() : c.facts.word + " takes tiles only, and " + operandWords(c, 0);
}

Outcome withBuffers(SameOutput output, Bytes cb) {
    if (!output.layout) return refused(std::move(output.refusal));
    Outcome outcome;
    outcome.cb = cb;
    outcome.output = *std::move(output.layout);
    return outcome;
}

/// Tiles of a row on one core.
std::int64_t columnsPerCore(const Case& c) {
    return c.inputs[0].isSharded() ? c.inputs[0].shard[1] : c.facts.operands[0].tiles[1];
}

std::string softmaxProblem(const Case& c) {
    if (std::string problem = tileProblem(c); !problem.empty()) return problem;
    const Layout& input = c.inputs[0];
    if (!input.isSharded()) return {};
    const auto last = static_cast<int>(c.facts.operands[0].shape.size()) - 1;
    if (c.facts.dim != last)
        return "softmax over dimension " + std::to_string(c.facts.dim) + " takes interleaved operands only, and " +
               operandWords(c, 0);
    const bool hasWholeRows =
        input.mem == MemLayout::HeightSharded || (input.mem == MemLayout::BlockSharded && input.grid.cols == 1);
    return hasWholeRows ? std::string() : "softmax needs whole rows on a core, and " + operandWords(c, 0);
}

std::string normProblem(const Case& c) {
    if (std::string problem = tileProblem(c); !problem.empty()) return problem;
    if (c.inputs[0].mem == MemLayout::HeightSharded)
        return c.facts.word + " takes interleaved, block_sharded or width_sharded operands, and " + operandWords(c, 0);
    if (const auto k = shardedOperand(c, 1))
        return "weights and bias of " + c.facts.word + " are interleaved, and " + operandWords(c, *k);
    return {};
}

std::string rotaryProblem(const Case& c) {
    for (std::size_t k = 0; k < c.inputs.size(); ++k) {
        if (c.inputs[k].isSharded() && c.inputs[k].mem != MemLayout::HeightSharded)
            return c.facts.word + " takes height_sharded or interleaved operands, and " + operandWords(c, k);
    }
    return tileProblem(c);
}

}  // namespace

Outcome softmax(const Case& c) {
    if (std::string problem = softmaxProblem(c); !problem.empty()) return refused(std::move(problem));
    const ModelFigures& f = c.figures();
    const Bytes tile = tileBytes(c.inputs[0].dtype);
    const double tiles = c.inputs[0].isSharded()
                             ? f.softmaxShardedTiles
                             : f.softmaxTilesPerColumn * static_cast<double>(columnsPerCore(c)) + f.softmaxTiles;
    return withBuffers(sameOutput(c), bytesOf(tiles, tile));
}

Outcome norm(const Case& c) {
    if (std::string problem = normProblem(c); !problem.empty()) return refused(std::move(problem));
    const ModelFigures& f = c.figures();
    const double tiles = f.normTilesPerColumn * static_cast<double>(columnsPerCore(c)) + f.normTiles;
    return withBuffers(sameOutput(c), bytesOf(std::min(tiles, f.normMaxTiles), tileBytes(c.inputs[0].dtype)));
}

Outcome rotary(const Case& c) {
    if (std::string problem = rotaryProblem(c); !problem.empty()) return refused(std::move(problem));
    return withBuffers(sameOutput(c), bytesOf(c.figures().rotaryTiles, tileBytes(c.inputs[0].dtype)));
}

}  // namespace memplan::ttnn::model

// SPDX-License-Identifier: Apache-2.0
// Operations that move data or read it once: reductions, reshape, transpose, slices and their like, conversions,
// creation, and what has no family of its own.
#include "engine/ttnn/model/families.h"

#include <algorithm>

namespace memplan::ttnn::model {
namespace {

bool isTileAligned(std::int64_t extent) {
    return extent % kTile == 0;
}

std::int64_t last(const Shape& shape) {
    return shape.empty() ? 1 : shape.back();
}

std::int64_t secondLast(const Shape& shape) {
    return shape.size() < 2 ? 1 : shape[shape.size() - 2];
}

Outcome plain(const Case& c, Bytes cb) {
    PlainOutput output = plainOutput(c);
    if (!output.layout) return refused(std::move(output.refusal));
    Outcome outcome;
    outcome.cb = cb;
    outcome.output = *std::move(output.layout);
    return outcome;
}

Bytes inputTile(const Case& c) {
    return bufferTile(c.inputs[0]);
}

/// Of the result: with the layout asked for, or in the page layout of operand 0.
Bytes resultTile(const Case& c) {
    if (c.wanted()) return bufferTile(*c.wanted());
    Layout layout;
    layout.page = c.inputPage();
    layout.dtype = c.result().dtype;
    return bufferTile(layout);
}

/// Two tiles of each tensor, double buffering.
Bytes twoTilesEach(const Case& c) {
    Bytes bytes = 0;
    for (std::size_t k = 0; k < c.inputs.size(); ++k)
        bytes += 2 * bufferTile(c.inputs[k]);
    if (c.facts.results.empty()) return bytes;
    const PageLayout page = c.wanted() ? c.wanted()->page : c.inputPage();
    for (std::size_t i = 1; i < c.facts.results.size(); ++i)
        bytes += 2 * bufferTile(furtherOutput(c.facts.results[i], page, c.device()));
    return bytes + 2 * resultTile(c);
}

/// Of a kernel that reads one operand with a core for each user.
std::string refusalByUser(const Case& c) {
    const auto byUser = static_cast<std::size_t>(c.facts.kind->userOperand);
    for (std::size_t k = 0; k < c.inputs.size(); ++k) {
        const Layout& input = c.inputs[k];
        if (k != byUser && input.isSharded())
            return c.facts.word + " takes its other operands interleaved, and " + operandWords(c, k);
        const bool isHeight = input.isL1Sharded() && input.mem == MemLayout::HeightSharded && input.isTiled();
        if (k == byUser && !(isHeight && input.grid.rows == usersOf(c.facts.operands[k].shape)))
            return c.facts.word + " reads operand " + std::to_string(k) +
                   " from L1, height sharded with a core for each user, and " + operandWords(c, k);
    }
    return {};
}

/// The layout that such a kernel gives by itself: width sharded with a core for each head.
bool isByHead(const Case& c) {
    const Layout* wanted = c.wanted();
    const std::int64_t head = c.facts.operands[static_cast<std::size_t>(c.facts.kind->userOperand)].width();
    return wanted && !wanted->ignorePhysicalLayout && wanted->isL1Sharded() && wanted->isTiled() &&
           wanted->mem == MemLayout::WidthSharded && wanted->grid.cols * head == c.result().width();
}

/// A tensor that keeps its rows where dimensions -3 and -2 change places, height sharded.
Outcome swappedRows(const Case& c) {
    const Layout& input = c.inputs[0];
    const Layout* wanted = c.wanted();
    const bool isWholeAnswer = !wanted || wanted->ignorePhysicalLayout;
    Layout output = isWholeAnswer ? shardedAs(c, input) : *wanted;
    const bool asksForOther = wanted && (wanted->mem != input.mem || wanted->page != input.page);
    if (asksForOther || !sharesSharding(output, input))
        return refused(operandWords(c, 0) + ", so the result cannot be " + wordsOf(*wanted));
    Outcome outcome;
    outcome.cb = 2 * inputTile(c) + 2 * bufferTile(output);
    outcome.output = std::move(output);
    return outcome;
}

Bytes movementBuffers(const Case& c) {
    const ModelFigures& f = c.figures();
    switch (c.facts.kind->buffers) {
    case Buffers::Slice:
        return bytesOf(f.sliceTiles, inputTile(c));
    case Buffers::Pad:
        return bytesOf(f.padTiles, inputTile(c));
    case Buffers::Lookup:
        return bytesOf(f.lookupTiles, resultTile(c));
    case Buffers::Repeat:
        return bytesOf(f.repeatBytes, 1);
    case Buffers::PerTensor:
        break;
    }
    return twoTilesEach(c);
}

}  // namespace

bool isViewReshape(const Shape& from, const Shape& to, PageLayout page) {
    if (last(from) != last(to) || !haveSameElements(from, to)) return false;
    if (page == PageLayout::RowMajor || secondLast(from) == secondLast(to)) return true;
    return isTileAligned(secondLast(from)) && isTileAligned(secondLast(to));
}

void readReshape(OpFacts& facts) {
    facts.isView = isViewReshape(facts.operands[0].shape, facts.results[0].shape, PageLayout::Tile);
    facts.isRowView = isViewReshape(facts.operands[0].shape, facts.results[0].shape, PageLayout::RowMajor);
}

void readPermute(const AttributeReader& attributes, OpFacts& facts) {
    const auto rank = static_cast<std::int64_t>(facts.operands[0].shape.size());
    if (rank < 3) return;
    if (const auto order = attributes.integers("permutation")) {
        std::vector<std::int64_t> swap(static_cast<std::size_t>(rank));
        for (std::size_t i = 0; i < swap.size(); ++i)
            swap[i] = static_cast<std::int64_t>(i);
        std::swap(swap[swap.size() - 3], swap[swap.size() - 2]);
        facts.swapsRows = *order == swap;
        return;
    }
    const auto first = attributes.integer("dim0"), second = attributes.integer("dim1");
    if (!first || !second) return;
    const std::int64_t a = *first < 0 ? *first : *first - rank, b = *second < 0 ? *second : *second - rank;
    facts.swapsRows = std::min(a, b) == -3 && std::max(a, b) == -2;
}

Outcome reduction(const Case& c) {
    const Bytes scratch = bytesOf(c.figures().reductionScratchBytes, 1);
    return plain(c, 2 * inputTile(c) + scratch + 2 * resultTile(c));
}

Outcome reshape(const Case& c) {
    Outcome outcome = plain(c, 0);
    if (outcome.status != ValidationStatus::Success) return outcome;
    const Layout& input = c.inputs[0];
    const Layout& output = outcome.output;
    const bool keepsPlace = output.buffer == input.buffer && output.page == input.page && output.dtype == input.dtype;
    if (keepsPlace && (input.isTiled() ? c.facts.isView : c.facts.isRowView)) {
        outcome.first = FirstOperand::Aliased;
        return outcome;
    }
    outcome.cb = bytesOf(c.figures().reshapeTiles, inputTile(c));
    return outcome;
}

Outcome permute(const Case& c) {
    const Layout& input = c.inputs[0];
    const bool mayBeSharded = c.facts.swapsRows && !input.isTiled() && input.mem == MemLayout::HeightSharded;
    return mayBeSharded ? swappedRows(c) : plain(c, 2 * inputTile(c) + 2 * resultTile(c));
}

Outcome movement(const Case& c) {
    return plain(c, movementBuffers(c));
}

Outcome other(const Case& c) {
    const bool readsUsers = c.facts.kind->userOperand >= 0;
    if (std::string refusal = readsUsers ? refusalByUser(c) : refusalOfSharded(c); !refusal.empty())
        return refused(std::move(refusal));
    Outcome outcome;
    outcome.cb = twoTilesEach(c);
    if (c.facts.results.empty()) return outcome;
    PlainOutput output = readsUsers && isByHead(c) ? PlainOutput{*c.wanted(), {}} : plainResult(c);
    if (!output.layout) return refused(std::move(output.refusal));
    outcome.output = *std::move(output.layout);
    return outcome;
}

Outcome creation(const Case& c) {
    Outcome outcome;
    const Layout* wanted = c.wanted();
    if (wanted && !wanted->ignorePhysicalLayout) {
        outcome.output = *wanted;
        return outcome;
    }
    if (c.wantsSomeGrid()) return refused("nothing says on how many cores the result is " + wordsOf(*wanted));
    const PageLayout page = c.facts.ownLayout ? c.facts.ownLayout->page : PageLayout::Tile;
    if (!wanted && c.facts.ownLayout)
        outcome.output = *c.facts.ownLayout;
    else
        outcome.output = interleaved(c, page, wanted ? wanted->buffer : BufferType::Dram);
    return outcome;
}

Outcome conversion(const Case& c) {
    const Layout& input = c.inputs[0];
    const Layout* wanted = c.wanted() ? c.wanted() : (c.facts.ownLayout ? &*c.facts.ownLayout : &input);
    if (wanted->ignorePhysicalLayout && wanted->isSharded())
        return refused("nothing says on how many cores the result is " + wordsOf(*wanted));
    Outcome outcome;
    outcome.output = wanted->ignorePhysicalLayout ? interleaved(c, wanted->page, wanted->buffer) : *wanted;
    outcome.first = FirstOperand::InPeak;
    const Layout& output = outcome.output;
    if (input.page != output.page) {
        outcome.cb = bytesOf(c.figures().tilizeTiles, tileBytes(input.isTiled() ? input.dtype : output.dtype));
    } else if (!(sharesSharding(input, output) && input == output)) {
        outcome.cb = 2 * inputTile(c) + 2 * bufferTile(output);
    }
    return outcome;
}

Outcome nothing(const Case&) {
    return {};
}

}  // namespace memplan::ttnn::model

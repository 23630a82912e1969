// SPDX-License-Identifier: Apache-2.0
// What the families share.
#include "engine/ttnn/model/families.h"

#include <array>
#include <cmath>
#include <utility>

namespace memplan::ttnn::model {

Outcome outcomeOf(const Case& c) {
    // In the order of Family.
    constexpr std::array kFunctions{eltwise, matmul,     conv,   softmax,  norm,     reduction, reshape, permute,
                                    concat,  conversion, rotary, creation, movement, other,     nothing};
    return kFunctions[static_cast<std::size_t>(c.facts.kind->family)](c);
}

Outcome refused(std::string message) {
    Outcome outcome;
    outcome.status = ValidationStatus::MetalBackendError;
    outcome.message = std::move(message);
    return outcome;
}

std::string wordsOf(const Layout& layout) {
    std::string words(wordOf(layout.buffer));
    if (layout.mem) words.append(" ").append(wordOf(*layout.mem));
    if (layout.isSharded() && !layout.ignorePhysicalLayout)
        words.append(" ").append(std::to_string(layout.grid.rows)).append("x").append(std::to_string(layout.grid.cols));
    if (!layout.isTiled()) words += " row_major";
    return words;
}

std::string operandWords(const Case& c, std::size_t k) {
    return "operand " + std::to_string(k) + " is " + wordsOf(c.inputs[k]);
}

Bytes bufferTile(const Layout& layout) {
    if (layout.isTiled()) return tileBytes(layout.dtype);
    constexpr Bytes kAlignment = 16;
    return kTile * ceilDiv(layout.shard[1] * elementBytes(layout.dtype), kAlignment) * kAlignment;
}

Bytes bytesOf(double tiles, Bytes tile) {
    return static_cast<Bytes>(std::llround(tiles * static_cast<double>(tile)));
}

bool sharesSharding(const Layout& a, const Layout& b) {
    return a.isSharded() && a.mem == b.mem && a.buffer == b.buffer && a.grid == b.grid && a.cores == b.cores;
}

std::optional<std::size_t> shardedOperand(const Case& c, std::size_t from) {
    for (std::size_t k = from; k < c.inputs.size(); ++k) {
        if (c.inputs[k].isSharded()) return k;
    }
    return std::nullopt;
}

Layout interleaved(const Case& c, PageLayout page, BufferType buffer) {
    const Grid grid = buffer == BufferType::L1 ? c.device().workers : Grid{};
    return makeLayout(c.result().shape, {c.outputType(), page, buffer, MemLayout::Interleaved, grid}, c.device());
}

Layout shardedAs(const Case& c, const Layout& like) {
    Layout layout =
        makeLayout(c.result().shape, {c.outputType(), like.page, like.buffer, like.mem, like.grid}, c.device());
    layout.cores = like.cores;
    return layout;
}

Layout furtherOutput(const TensorFacts& tensor, PageLayout page, const Device& device) {
    return makeLayout(tensor.shape, {tensor.dtype, page, BufferType::Dram, MemLayout::Interleaved, {}}, device);
}

std::string refusalOfSharded(const Case& c) {
    const auto k = shardedOperand(c);
    return k ? c.facts.word + " takes interleaved operands only, and " + operandWords(c, *k) : std::string();
}

PlainOutput plainOutput(const Case& c) {
    std::string refusal = refusalOfSharded(c);
    return refusal.empty() ? plainResult(c) : PlainOutput{std::nullopt, std::move(refusal)};
}

PlainOutput plainResult(const Case& c) {
    const Layout* wanted = c.wanted();
    if (!wanted) {
        const bool inL1 = !c.inputs.empty() && c.inputs[0].isInL1();
        return {interleaved(c, c.inputPage(), inL1 ? BufferType::L1 : BufferType::Dram), {}};
    }
    if (wanted->isSharded())
        return {std::nullopt, c.facts.word + " gives interleaved results only, not " + wordsOf(*wanted)};
    if (wanted->ignorePhysicalLayout) return {interleaved(c, wanted->page, wanted->buffer), {}};
    return {*wanted, {}};
}

}  // namespace memplan::ttnn::model

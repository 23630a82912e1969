// SPDX-License-Identifier: Apache-2.0
// Concatenation: interleaved operands, or shards that each core joins by itself.
#include "engine/ttnn/model/families.h"

namespace memplan::ttnn::model {
namespace {

/// The only dimension along which the operands' extents add up to that of the result.
int inferredDim(const OpFacts& facts) {
    const Shape& result = facts.results[0].shape;
    int found = -1;
    for (std::size_t dim = 0; dim < result.size(); ++dim) {
        std::int64_t sum = 0;
        for (const TensorFacts& operand : facts.operands)
            sum += operand.shape.size() == result.size() ? operand.shape[dim] : 0;
        if (sum != result[dim] || facts.operands.size() == 1) continue;
        if (found >= 0) return -1;
        found = static_cast<int>(dim);
    }
    return found;
}

/// Memory layout in which the shards of a core can be joined along that dimension (6.2); none for others.
std::optional<MemLayout> joinable(const OpFacts& facts) {
    const auto rank = static_cast<int>(facts.results[0].shape.size());
    if (facts.dim < 0) return std::nullopt;
    if (facts.dim == rank - 1) return MemLayout::HeightSharded;
    if (facts.dim == rank - 2) return MemLayout::WidthSharded;
    return std::nullopt;
}

std::string along(const OpFacts& facts) {
    return facts.dim < 0 ? "along a dimension that is not known" : "along dimension " + std::to_string(facts.dim);
}

std::string shardedProblem(const Case& c) {
    const std::optional<MemLayout> needed = joinable(c.facts);
    const Layout& first = c.inputs[0];
    for (std::size_t k = 0; k < c.inputs.size(); ++k) {
        const Layout& layout = c.inputs[k];
        if (!needed)
            return "a concat " + along(c.facts) + " takes interleaved operands only, and " +
                   operandWords(c, *shardedOperand(c));
        if (layout.mem != needed)
            return "a concat " + along(c.facts) + " needs every operand " + std::string(wordOf(*needed)) + ", and " +
                   operandWords(c, k);
        if (layout.grid != first.grid || layout.cores != first.cores)
            return operandWords(c, 0) + " and " + operandWords(c, k) + ": their cores differ";
        const std::size_t kept = *needed == MemLayout::HeightSharded ? 0 : 1;
        if (layout.shard[kept] != first.shard[kept] || layout.page != first.page)
            return operandWords(c, 0) + " and " + operandWords(c, k) + ": their shards do not fit side by side";
    }
    return {};
}

std::string outputProblem(const Case& c, const Layout& output) {
    const Layout* wanted = c.wanted();
    if (!wanted) return {};
    const bool fits = wanted->ignorePhysicalLayout ? wanted->mem == output.mem && wanted->buffer == output.buffer
                                                   : sharesSharding(*wanted, output) && wanted->page == output.page;
    return fits ? std::string()
                : "the operands are " + wordsOf(c.inputs[0]) + ", so the result cannot be " + wordsOf(*wanted);
}

}  // namespace

void readConcat(const AttributeReader& attributes, OpFacts& facts) {
    const auto rank = static_cast<std::int64_t>(facts.results[0].shape.size());
    const auto dim = attributes.integer("dim");
    if (!dim) {
        facts.dim = inferredDim(facts);
        return;
    }
    const std::int64_t counted = *dim < 0 ? *dim + rank : *dim;
    if (counted >= 0 && counted < rank) {
        facts.dim = static_cast<int>(counted);
        return;
    }
    facts.status = ValidationStatus::MetalBackendError;
    facts.problem =
        "dimension " + std::to_string(*dim) + " is outside the " + std::to_string(rank) + " dimensions of the result";
}

Outcome concat(const Case& c) {
    Outcome outcome;
    outcome.cb = bytesOf(c.figures().concatTiles, bufferTile(c.inputs[0]));
    if (!shardedOperand(c)) {
        PlainOutput output = plainOutput(c);
        if (!output.layout) return refused(std::move(output.refusal));
        outcome.output = *std::move(output.layout);
        return outcome;
    }
    if (std::string problem = shardedProblem(c); !problem.empty()) return refused(std::move(problem));
    Layout output = shardedAs(c, c.inputs[0]);
    if (std::string problem = outputProblem(c, output); !problem.empty()) return refused(std::move(problem));
    const bool isGiven = c.wanted() && !c.wanted()->ignorePhysicalLayout;
    outcome.output = isGiven ? *c.wanted() : std::move(output);
    return outcome;
}

}  // namespace memplan::ttnn::model

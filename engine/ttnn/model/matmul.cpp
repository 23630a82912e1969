// SPDX-License-Identifier: Apache-2.0
#include "engine/base/text.h"
#include "engine/ttnn/model/product.h"
#include "engine/ttnn/options/config_text.h"

#include <algorithm>

namespace memplan::ttnn::model {
namespace {

/// Rows, columns and batches of a factor, as it is multiplied.
struct Factor {
    std::int64_t rows = 1, columns = 1, batch = 1;
};

Factor factorOf(const Shape& shape, bool isFirst, bool isTransposed) {
    Factor factor;
    const std::size_t rank = shape.size();
    if (rank == 1) {
        (isFirst ? factor.columns : factor.rows) = shape[0];
        return factor;
    }
    factor.rows = shape[rank - 2];
    factor.columns = shape[rank - 1];
    for (std::size_t i = 0; i + 2 < rank; ++i)
        factor.batch *= shape[i];
    if (isTransposed) std::swap(factor.rows, factor.columns);
    return factor;
}

std::int64_t tilesOf(std::int64_t extent) {
    return ceilDiv(extent, kTile);
}

std::string tileProblem(const Case& c) {
    for (std::size_t k = 0; k < c.inputs.size(); ++k) {
        if (!c.inputs[k].isTiled()) return c.facts.word + " takes tiles only, and " + operandWords(c, k);
    }
    const bool isPageGiven =
        c.wanted() && !c.wanted()->ignorePhysicalLayout;  // else buffer and memory layout only (9.1)
    if (isPageGiven && !c.wanted()->isTiled())
        return c.facts.word + " gives tiles only, and its result is to be " + wordsOf(*c.wanted());
    if (const auto k = shardedOperand(c, 1))
        return "only operand 0 of " + c.facts.word + " may be sharded, and " + operandWords(c, *k);
    return {};
}

}  // namespace

void readProduct(const AttributeReader& attributes, OpFacts& facts) {
    const Factor a = factorOf(facts.operands[0].shape, true, attributes.flag("transpose_a"));
    const Factor b = factorOf(facts.operands[1].shape, false, attributes.flag("transpose_b"));
    if (a.columns != b.rows) {
        facts.status = ValidationStatus::MetalBackendError;
        facts.problem = "shapes " + text::shapeText(facts.operands[0].shape) + " and " +
                        text::shapeText(facts.operands[1].shape) + " do not multiply: operand 0 has " +
                        std::to_string(a.columns) + " columns, operand 1 " + std::to_string(b.rows) + " rows";
        return;
    }
    ProductFacts& size = facts.product;
    size.isBatched = b.batch > 1;
    size.batch = size.isBatched ? std::max(a.batch, b.batch) : 1;
    size.rows = tilesOf(a.rows) * (size.isBatched ? 1 : a.batch);
    size.columns = tilesOf(b.columns);
    size.inner = tilesOf(a.columns);
    size.transposesA = attributes.flag("transpose_a");
    limitProduct(facts);
    if (const auto text = attributes.text("matmul_program_config")) facts.matmulProgram = matmulProgramOf(*text);
}

ProductTerms matmulTerms(const Case& c) {
    ProductTerms terms{.size = c.facts.product, .a = c.inputs[0]};
    terms.aWidth = c.inputs[0].shard[1];
    terms.aTile = tileBytes(c.inputs[0].dtype);
    terms.bTile = tileBytes(c.inputs[1].dtype);
    const DataType outType = c.outputType();
    terms.outTile = tileBytes(outType);
    if (c.inputs.size() > 2) terms.biasTile = tileBytes(c.inputs[2].dtype);
    const auto* attrs = std::get_if<MatmulAttrs>(&c.config.attrs);
    if (attrs && attrs->program) terms.program = &*attrs->program;
    if (!attrs && c.facts.matmulProgram) terms.program = &*c.facts.matmulProgram;
    const ComputeConfig& compute = attrs && attrs->compute ? *attrs->compute : c.facts.compute;
    terms.keepsSumsInF32 = compute.fp32DestAccEn.value_or(false) && outType != DataType::F32;
    terms.hasL1Interleaved = std::any_of(c.inputs.begin(), c.inputs.end(), [](const Layout& layout) {
        return layout.isInL1() && layout.isInterleaved();
    });
    return terms;
}

Outcome matmul(const Case& c) {
    if (std::string problem = tileProblem(c); !problem.empty()) return refused(std::move(problem));
    return productOutcome(c, matmulTerms(c));
}

}  // namespace memplan::ttnn::model

// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/model/product.h"

#include <algorithm>

namespace memplan::ttnn::model {
namespace {

using Kind = MatmulProgram::Kind;

bool cutsInner(const Layout& a) {
    return a.mem == MemLayout::WidthSharded || a.mem == MemLayout::BlockSharded;
}

std::int64_t largestDivisor(std::int64_t value, std::int64_t upTo) {
    for (std::int64_t d = std::min(value, upTo); d > 1; --d) {
        if (value % d == 0) return d;
    }
    return 1;
}

MemLayout memOf(const MatmulProgram& program) {
    if (program.kind == Kind::Multicast2d) return MemLayout::BlockSharded;
    return program.mcastIn0 ? MemLayout::WidthSharded : MemLayout::HeightSharded;
}

/// Memory layout of the result.
MemLayout outputMem(const Case& c, const ProductTerms& terms) {
    if (c.wanted()) return c.wanted()->mem.value_or(MemLayout::Interleaved);
    if (terms.program) return memOf(*terms.program);
    if (terms.a.isSharded()) return *terms.a.mem;
    return terms.memByDefault.value_or(MemLayout::Interleaved);
}

struct Cut {
    MemLayout mem = MemLayout::Interleaved;
    Grid grid;
};

Grid gridOfAll(MemLayout mem, Grid workers) {
    const auto cores = static_cast<std::int32_t>(workers.volume());
    if (mem == MemLayout::HeightSharded) return {cores, 1};
    return mem == MemLayout::WidthSharded ? Grid{1, cores} : workers;
}

/// Whose grid the work follows: that of a sharded result, else of a sharded A, else all cores.
Cut cutOf(const Case& c, const ProductTerms& terms) {
    const MemLayout mem = outputMem(c, terms);
    if (c.wanted() && c.wanted()->isSharded() && !c.wanted()->ignorePhysicalLayout) return {mem, c.wanted()->grid};
    if (terms.a.isSharded()) return {*terms.a.mem, terms.a.grid};
    return {mem, gridOfAll(mem, c.device().workers)};
}

/// What is wrong with the sharding of A and of the result, before any program.
std::string shardingProblem(const Case& c, const ProductTerms& terms) {
    const MemLayout mem = outputMem(c, terms);
    const bool isSharded = terms.a.isSharded() || mem != MemLayout::Interleaved;
    if (terms.size.isBatched && isSharded)
        return "operand 1 has batches, so operands and result are interleaved, and " +
               (terms.a.isSharded() ? operandWords(c, 0) : "the result is " + std::string(wordOf(mem)));
    if (!terms.a.isSharded()) return {};
    if (terms.size.transposesA) return "operand 0 is transposed, so it must be interleaved, and " + operandWords(c, 0);
    if (mem != MemLayout::Interleaved && mem != *terms.a.mem)
        return operandWords(c, 0) + ", so the result cannot be " + std::string(wordOf(mem));
    return {};
}

std::string programProblem(const Case& c, const ProductTerms& terms, const MatmulProgram& program) {
    if (program.perCoreM <= 0 || program.perCoreN <= 0 || program.in0BlockW <= 0)
        return "a block of the program has no tiles: per_core_m " + std::to_string(program.perCoreM) + ", per_core_n " +
               std::to_string(program.perCoreN) + ", in0_block_w " + std::to_string(program.in0BlockW);
    if (cutsInner(terms.a) && terms.aWidth % program.in0BlockW != 0)
        return operandWords(c, 0) + " with " + std::to_string(terms.aWidth) +
               " tiles of a row on a core, no multiple of the program's in0_block_w of " +
               std::to_string(program.in0BlockW);
    return {};
}

std::int64_t limitedTo32Bits(std::int64_t value) {
    return std::min<std::int64_t>(value, 1 << 30);
}

Grid outputGrid(const ProductFacts& size, const MatmulProgram& program) {
    return {static_cast<std::int32_t>(limitedTo32Bits(ceilDiv(size.rows, program.perCoreM))),
            static_cast<std::int32_t>(limitedTo32Bits(ceilDiv(size.columns, program.perCoreN)))};
}

std::string gridText(Grid grid) {
    return std::to_string(grid.rows) + "x" + std::to_string(grid.cols);
}

/// The sharded result on the cores that the program uses.
PlainOutput shardedOutput(const Case& c, const ProductTerms& terms, const MatmulProgram& program) {
    const MemLayout mem = outputMem(c, terms);
    const Grid grid = outputGrid(terms.size, program);
    const Layout* wanted = c.wanted();
    if (wanted && !wanted->ignorePhysicalLayout && wanted->grid != grid)
        return {std::nullopt, "the result lies on " + gridText(grid) + " cores with " +
                                  std::to_string(program.perCoreM) + "x" + std::to_string(program.perCoreN) +
                                  " tiles each, and " + wordsOf(*wanted) + " is asked for"};
    if (terms.a.mem == MemLayout::BlockSharded && mem == MemLayout::BlockSharded && grid.rows != terms.a.grid.rows)
        return {std::nullopt,
                operandWords(c, 0) + ", and the result would have " + std::to_string(grid.rows) + " rows of cores"};
    if (wanted && !wanted->ignorePhysicalLayout) return {*wanted, {}};
    const Result<CoreRanges> cores = canonicalPlacement(mem, grid, c.device());
    if (!cores) return {std::nullopt, cores.error().primary().message};
    return {makeLayout(c.result().shape, {c.outputType(), terms.pageByDefault, BufferType::L1, mem, grid}, c.device()),
            {}};
}

PlainOutput productOutput(const Case& c, const ProductTerms& terms, const MatmulProgram& program) {
    if (outputMem(c, terms) != MemLayout::Interleaved) return shardedOutput(c, terms, program);
    const Layout* wanted = c.wanted();
    if (wanted && !wanted->ignorePhysicalLayout) return {*wanted, {}};
    const bool inL1 = wanted ? wanted->isInL1() : terms.a.isInL1();
    return {interleaved(c, terms.pageByDefault, inL1 ? BufferType::L1 : BufferType::Dram), {}};
}

Bytes buffers(const Case& c, const ProductTerms& terms, const MatmulProgram& p, const Layout& output) {
    const bool isHeight = p.kind == Kind::Multicast1d && !p.mcastIn0;
    const bool aSharded = terms.a.isL1Sharded();
    const std::int64_t blocks = ceilDiv(terms.size.inner, p.in0BlockW);
    const std::int64_t depth = blocks > 1 ? 2 : 1;
    const std::int64_t outTiles = p.perCoreM * p.perCoreN;
    Bytes bytes = depth * p.in0BlockW * p.perCoreN * terms.bTile + p.perCoreN * terms.biasTile;
    if (!(aSharded && isHeight)) bytes += depth * p.perCoreM * p.in0BlockW * terms.aTile;
    if (aSharded && !isHeight) bytes += bytesOf(c.figures().matmulSemaphoreBytes, 1);
    if (!output.isL1Sharded()) bytes += outTiles * terms.outTile;
    if (terms.keepsSumsInF32 && blocks > 1) bytes += bytesOf(c.figures().matmulPartialsBytesPerTile, outTiles);
    const bool isConservative = c.environment.conservativeMatmulCb;
    if (isConservative && (terms.hasL1Interleaved || (output.isInL1() && output.isInterleaved())))
        bytes += outTiles * terms.outTile;
    return bytes;
}

}  // namespace

MatmulProgram derivedProgram(const Case& c, const ProductTerms& terms) {
    const ProductFacts& size = terms.size;
    const Cut cut = cutOf(c, terms);
    MatmulProgram program;
    program.gridX = cut.grid.cols;
    program.gridY = cut.grid.rows;
    const bool isOneRow = cut.grid.rows == 1, isOneColumn = cut.grid.cols == 1;
    const bool isWidth = cut.mem == MemLayout::WidthSharded || (cut.mem == MemLayout::BlockSharded && isOneRow);
    const bool isHeight =
        cut.mem == MemLayout::HeightSharded || (cut.mem == MemLayout::BlockSharded && isOneColumn && !isOneRow);
    program.kind = isWidth || isHeight ? Kind::Multicast1d : Kind::Multicast2d;
    program.mcastIn0 = isWidth;
    program.perCoreM = isWidth ? size.rows : ceilDiv(size.rows, isHeight ? cut.grid.volume() : cut.grid.rows);
    program.perCoreN = isHeight ? size.columns : ceilDiv(size.columns, isWidth ? cut.grid.volume() : cut.grid.cols);
    if (cutsInner(terms.a))
        program.in0BlockW = terms.aWidth;
    else if (isHeight || terms.a.mem == MemLayout::HeightSharded)
        program.in0BlockW = size.inner;
    else
        program.in0BlockW = largestDivisor(size.inner, static_cast<std::int64_t>(c.figures().matmulBlockMaxTiles));
    return program;
}

Outcome productOutcome(const Case& c, const ProductTerms& terms) {
    if (std::string problem = shardingProblem(c, terms); !problem.empty()) return refused(std::move(problem));
    const MatmulProgram program = terms.program ? *terms.program : derivedProgram(c, terms);
    if (std::string problem = programProblem(c, terms, program); !problem.empty()) return refused(std::move(problem));
    PlainOutput output = productOutput(c, terms, program);
    if (!output.layout) return refused(std::move(output.refusal));
    Outcome outcome;
    outcome.cb = buffers(c, terms, program, *output.layout);
    outcome.output = *std::move(output.layout);
    return outcome;
}

}  // namespace memplan::ttnn::model

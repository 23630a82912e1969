// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/scratchpad/split_words.h"

#include "engine/plan/dimension_name.h"
#include "engine/spyre/division/core_view.h"
#include "engine/spyre/texts/reasons.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace memplan::spyre {
namespace {

struct DividedLoop {
    std::size_t position = 0;
    std::int64_t slices = 1;
};

/// The loops of the operation that are divided over the cores, in their order.
std::vector<DividedLoop> dividedLoops(const Program& program, OpId op) {
    std::vector<DividedLoop> loops;
    if (op.at() >= program.divisions.size()) return loops;
    const Splits& splits = program.divisions[op.at()].splits;
    for (std::size_t v = 0; v < splits.size() && v < program.ops[op.at()].loops.size(); ++v) {
        if (splits[v] > 1) loops.push_back({v, splits[v]});
    }
    return loops;
}

std::int64_t stepOf(const Access& access, std::size_t loop) {
    return loop < access.index.coefficients.size() ? access.index.coefficients[loop] : 0;
}

std::string nameOf(const Program& program, BufferId id, std::size_t dim) {
    static const std::vector<std::string> none;
    const auto& declared = id.at() < program.namedDims.size() ? program.namedDims[id.at()] : none;
    return dimensionName(dim, program.buffers[id.at()].size.size(), declared);
}

/// Dimensions of the buffer over which a loop of this extent and step moves; more than one where the loop runs over
/// several as if they were one. An inner block of a dimension counts as that dimension.
std::vector<std::size_t> dimensionsUnder(const Buffer& buffer, std::int64_t step, std::int64_t extent) {
    std::vector<std::size_t> dims;
    for (std::size_t d = 0; d < buffer.size.size() && d < buffer.stride.size(); ++d) {
        const std::int64_t stride = buffer.stride[d];
        if (buffer.size[d] <= 1 || stride <= 0) continue;
        const bool isReached = stride < step * extent;
        const bool isPassed = stride * buffer.size[d] <= step;
        if (isReached && !isPassed) dims.push_back(d);
    }
    return dims;
}

/// "rows (512)", "dimension 0 x rows of "x" (12 x 128)"; nothing where no dimension moves with the loop. `ofWhat`: the
/// buffer is named where the sentence speaks of another one.
std::optional<Statement> dimensions(const Program& program, BufferId id, bool ofWhat, std::int64_t step,
                                    std::int64_t extent) {
    const Buffer& buffer = program.buffers[id.at()];
    std::vector<std::string> names;
    std::vector<std::int64_t> extents;
    for (const std::size_t d : dimensionsUnder(buffer, step, extent)) {
        names.push_back(nameOf(program, id, d));
        extents.push_back(buffer.size[d]);
    }
    if (names.empty()) return std::nullopt;
    if (!ofWhat) return Statement(say::kDimensions, std::move(names), std::move(extents));
    return Statement(say::kDimensionsOf, std::move(names), std::move(extents), buffer.name);
}

const Access* accessOf(const Op& op, BufferId buffer) {
    if (op.write.buffer == buffer) return &op.write;
    const auto read =
        std::find_if(op.reads.begin(), op.reads.end(), [buffer](const Access& a) { return a.buffer == buffer; });
    return read != op.reads.end() ? &*read : nullptr;
}

/// Pieces along the dimensions of a buffer, and the cores that hold each.
struct Pieces {
    std::vector<Statement> along;
    std::int64_t copies = 1;
};

/// A division by sticks gives the last cores less where the sticks are not full.
bool isRagged(const DividedLoop& loop, const StickUnits& units, const Op& op) {
    const std::size_t v = loop.position;
    return v < units.size() && units[v] > 0 && op.loops[v].extent % units[v] != 0;
}

Pieces countPieces(const Program& program, OpId id, BufferId buffer) {
    const Op& op = program.ops[id.at()];
    const Access* access = accessOf(op, buffer);
    Pieces pieces;
    const std::vector<DividedLoop> loops = dividedLoops(program, id);
    if (loops.empty()) return pieces;
    const StickUnits units = stickUnits(program, op);
    for (const DividedLoop& loop : loops) {
        const std::size_t v = loop.position;
        std::optional<Statement> along;
        if (access != nullptr) along = dimensions(program, buffer, false, stepOf(*access, v), op.loops[v].extent);
        if (!along) {
            pieces.copies *= loop.slices;
            continue;
        }
        const Wording& wording = isRagged(loop, units, op) ? say::kStickPiecesAlong : say::kPiecesAlong;
        pieces.along.emplace_back(wording, loop.slices, std::move(*along));
    }
    return pieces;
}

Statement stated(Pieces pieces) {
    if (pieces.along.empty()) return {say::kOnePiece};
    if (pieces.copies == 1) return {say::kPieces, std::move(pieces.along)};
    return {say::kSharedPieces, std::move(pieces.along), pieces.copies};
}

}  // namespace

Statement divisionClause(const Program& program, OpId id, BufferId buffer) {
    Pieces pieces = countPieces(program, id, buffer);
    if (!pieces.along.empty()) return {say::kDivides, stated(std::move(pieces))};
    const Op& op = program.ops[id.at()];
    const bool writes = accessOf(op, buffer) == &op.write;
    if (pieces.copies == 1) return {writes ? say::kWritesWholeOnOne : say::kReadsWholeOnOne};
    return {writes ? say::kWritesWhole : say::kReadsWhole, pieces.copies};
}

Statement piecesOf(const Program& program, OpId id, BufferId buffer) {
    return stated(countPieces(program, id, buffer));
}

std::vector<Statement> splitReductions(const Program& program, OpId id) {
    const Op& op = program.ops[id.at()];
    std::vector<Statement> parts;
    const std::vector<DividedLoop> loops = dividedLoops(program, id);
    if (loops.empty()) return parts;
    const StickUnits units = stickUnits(program, op);
    for (const DividedLoop& loop : loops) {
        const std::size_t v = loop.position;
        if (stepOf(op.write, v) != 0) continue;
        std::optional<Statement> reduced;
        for (std::size_t r = 0; r < op.reads.size() && !reduced; ++r)
            reduced = dimensions(program, op.reads[r].buffer, true, stepOf(op.reads[r], v), op.loops[v].extent);
        if (!reduced) reduced = Statement(say::kLoop, op.loops[v].name, op.loops[v].extent);
        const Wording& wording = isRagged(loop, units, op) ? say::kStickPiecesReduced : say::kPiecesReduced;
        parts.emplace_back(wording, loop.slices, std::move(*reduced));
    }
    return parts;
}

}  // namespace memplan::spyre

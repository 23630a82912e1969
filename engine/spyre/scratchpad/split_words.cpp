// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/scratchpad/split_words.h"

#include "engine/base/text.h"
#include "engine/plan/dimension_name.h"
#include "engine/spyre/division/core_view.h"

#include <algorithm>
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

/// "rows (512)", "dimension 0 x rows (12 x 128)"; empty when no dimension moves with the loop.
std::string dimensionsText(const Program& program, BufferId id, const std::string& ofWhat, std::int64_t step,
                           std::int64_t extent) {
    const Buffer& buffer = program.buffers[id.at()];
    std::vector<std::string> names;
    std::vector<std::string> extents;
    for (const std::size_t d : dimensionsUnder(buffer, step, extent)) {
        names.push_back(nameOf(program, id, d));
        extents.push_back(text::grouped(buffer.size[d]));
    }
    if (names.empty()) return {};
    return text::join(names, " x ") + ofWhat + " (" + text::join(extents, " x ") + ")";
}

const Access* accessOf(const Op& op, BufferId buffer) {
    if (op.write.buffer == buffer) return &op.write;
    const auto read =
        std::find_if(op.reads.begin(), op.reads.end(), [buffer](const Access& a) { return a.buffer == buffer; });
    return read != op.reads.end() ? &*read : nullptr;
}

/// Pieces along the dimensions of a buffer, and the cores that hold each.
struct Pieces {
    std::vector<std::string> along;
    std::int64_t copies = 1;
};

/// "4 pieces"; a division by sticks gives the last cores less where the sticks are not full.
std::string countText(const DividedLoop& loop, const StickUnits& units, const Op& op) {
    const std::size_t v = loop.position;
    const bool isRagged = v < units.size() && units[v] > 0 && op.loops[v].extent % units[v] != 0;
    return std::to_string(loop.slices) + (isRagged ? " pieces of whole sticks" : " pieces");
}

Pieces piecesOf(const Program& program, OpId id, BufferId buffer) {
    const Op& op = program.ops[id.at()];
    const Access* access = accessOf(op, buffer);
    Pieces pieces;
    const std::vector<DividedLoop> loops = dividedLoops(program, id);
    if (loops.empty()) return pieces;
    const StickUnits units = stickUnits(program, op);
    for (const DividedLoop& loop : loops) {
        const std::size_t v = loop.position;
        const std::string along =
            access != nullptr ? dimensionsText(program, buffer, "", stepOf(*access, v), op.loops[v].extent) : "";
        if (along.empty())
            pieces.copies *= loop.slices;
        else
            pieces.along.push_back(countText(loop, units, op) + " along " + along);
    }
    return pieces;
}

std::string textOf(const Pieces& pieces) {
    if (pieces.along.empty()) return "one piece";
    return text::join(pieces.along, " and ") +
           (pieces.copies > 1 ? ", each on " + std::to_string(pieces.copies) + " cores" : "");
}

}  // namespace

std::string divisionClause(const Program& program, OpId id, BufferId buffer) {
    const Pieces pieces = piecesOf(program, id, buffer);
    if (!pieces.along.empty()) return "divides it into " + textOf(pieces);
    const Op& op = program.ops[id.at()];
    return std::string(accessOf(op, buffer) == &op.write ? "writes" : "reads") + " it whole on " +
           (pieces.copies == 1 ? "one core" : "each of " + std::to_string(pieces.copies) + " cores");
}

std::string piecesText(const Program& program, OpId id, BufferId buffer) {
    return textOf(piecesOf(program, id, buffer));
}

std::string splitReductionText(const Program& program, OpId id) {
    const Op& op = program.ops[id.at()];
    std::vector<std::string> parts;
    const std::vector<DividedLoop> loops = dividedLoops(program, id);
    if (loops.empty()) return {};
    const StickUnits units = stickUnits(program, op);
    for (const DividedLoop& loop : loops) {
        const std::size_t v = loop.position;
        if (stepOf(op.write, v) != 0) continue;
        std::string reduced;
        for (std::size_t r = 0; r < op.reads.size() && reduced.empty(); ++r) {
            const std::string of = " of \"" + program.buffers[op.reads[r].buffer.at()].name + "\"";
            reduced = dimensionsText(program, op.reads[r].buffer, of, stepOf(op.reads[r], v), op.loops[v].extent);
        }
        if (reduced.empty()) reduced = op.loops[v].name + " (" + text::grouped(op.loops[v].extent) + ")";
        parts.push_back(countText(loop, units, op) + " of the reduced " + reduced);
    }
    return text::join(parts, " and ");
}

}  // namespace memplan::spyre

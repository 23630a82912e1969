// SPDX-License-Identifier: Apache-2.0
#include "engine/base/text.h"
#include "engine/spyre/layout/coordinates.h"
#include "engine/spyre/lower/strided_view.h"
#include "engine/spyre/program_edit.h"
#include "engine/spyre/state.h"
#include "engine/spyre/texts/decisions.h"
#include "engine/spyre/tiling/form_groups.h"
#include "engine/spyre/tiling/passes.h"
#include "engine/spyre/tiling/read_copies/read_copies.h"

#include <algorithm>
#include <map>

namespace memplan::spyre {
namespace {

using Cut = std::vector<std::vector<int>>;  ///< per level: dimensions of the input that move with it

/// An input that nobody writes and that is stored row by row: its tiles have the layout that a loop gives them.
bool canBeCopied(const Program& program, BufferId id) {
    const Buffer& b = program.buffers[id.at()];
    if (b.kind == BufferKind::Computed || b.kind == BufferKind::Constant || !b.layout) return false;
    if (b.stride != rowMajorStrides(b.size)) return false;
    return std::none_of(program.ops.begin(), program.ops.end(), [id](const Op& op) {
        const bool further = std::find(op.extraWrites.begin(), op.extraWrites.end(), id) != op.extraWrites.end();
        return op.write.buffer == id || further;
    });
}

/// Loops of a member that a level tiles.
std::vector<int> tiledLoops(const OutputRanges& ranges, const std::vector<int>& dims) {
    std::vector<int> loops;
    for (const int d : dims) {
        const bool known = d >= 0 && static_cast<std::size_t>(d) < ranges.loopOf.size();
        if (known && ranges.loopOf[static_cast<std::size_t>(d)] >= 0)
            loops.push_back(ranges.loopOf[static_cast<std::size_t>(d)]);
    }
    return loops;
}

/// How one read of the whole input is cut by the loops of its group; nothing when it is no plain read of all of it.
std::optional<Cut> cutOf(const Program& program, const TileGroup& group, std::size_t member, const Access& read) {
    const Op& op = program.ops[group.ops[member].at()];
    const Buffer& input = program.buffers[read.buffer.at()];
    const std::optional<OutputRanges> ranges = outputRanges(program, op);
    if (!ranges || read.indirect || read.index.offset != 0) return std::nullopt;
    const Coordinates host = hostCoordinates(input, op.loops, read.index);
    Cut cut(group.counts.size());
    for (std::size_t d = 0; d < host.size(); ++d) {
        if (input.size[d] == 1) continue;
        const std::optional<int> loop = host[d].bareLoop();
        if (!loop || op.loops[static_cast<std::size_t>(*loop)].extent != input.size[d]) return std::nullopt;
        for (std::size_t level = 0; level < group.counts.size(); ++level) {
            const std::vector<int> tiled = tiledLoops(*ranges, group.dims[member][level]);
            if (std::find(tiled.begin(), tiled.end(), *loop) != tiled.end()) cut[level].push_back(static_cast<int>(d));
        }
    }
    return cut;
}

bool moves(const Cut& cut) {
    return std::any_of(cut.begin(), cut.end(), [](const std::vector<int>& dims) { return !dims.empty(); });
}

/// The one way in which a member reads the input; nothing when it does not, or reads it in several ways.
std::optional<Cut> onlyCut(const Program& program, const TileGroup& group, std::size_t member, BufferId input) {
    const Op& op = program.ops[group.ops[member].at()];
    std::optional<Cut> cut;
    for (const Access& read : op.reads) {
        if (read.buffer != input) continue;
        std::optional<Cut> own = cutOf(program, group, member, read);
        if (!own || (cut && *cut != *own)) return std::nullopt;
        cut = std::move(own);
    }
    return cut;
}

/// The copy in front of its first reader, as another member of the group; the readers take the tile from it.
std::string insertCopy(Program& program, std::size_t g, BufferId input, const Cut& cut,
                       const std::vector<std::size_t>& readers) {
    const std::size_t first = readers.front();
    const OpId before = program.tileGroups[g].ops[first];
    const Buffer like = program.buffers[input.at()];
    const BufferId tile =
        addBuffer(program, like, NameMaker(program).make("coarse_tile_read_" + like.name), kReadCopies);
    Op copy = identityOp(program, input, tile, before);
    copy.fn = "identity";
    const std::string name = copy.name;
    for (const std::size_t member : readers) {
        for (Access& read : program.ops[program.tileGroups[g].ops[member].at()].reads)
            read.buffer = read.buffer == input ? tile : read.buffer;
    }
    const std::size_t count = program.ops.size();
    ProgramEdit edit(program);
    for (std::size_t i = 0; i < count; ++i) {
        if (i == before.at()) edit.add(std::move(copy));
        edit.keep(i);
    }
    edit.finish();
    for (TileGroup& group : program.tileGroups) {
        for (OpId& id : group.ops)
            id = id.index >= before.index ? OpId{id.index + 1} : id;
    }
    TileGroup& group = program.tileGroups[g];
    group.ops.insert(group.ops.begin() + static_cast<std::ptrdiff_t>(first), before);
    group.dims.insert(group.dims.begin() + static_cast<std::ptrdiff_t>(first), cut);
    return name;
}

}  // namespace

Result<PassOutcome> addReadCopies(State& state, PassContext& context) {
    const bool all = context.settings.boolean("spyre.tile_read_copies_always");
    const std::vector<std::string> copies = insertReadCopies(state.program, all ? 1 : 2);
    for (std::size_t i = 0; i < state.program.ops.size(); ++i) {
        const Op& op = state.program.ops[i];
        if (std::find(copies.begin(), copies.end(), op.name) == copies.end()) continue;
        Decision d;
        d.op = OpId::of(i);
        d.buffer = op.write.buffer;
        d.kind = DecisionKind::ReadCopy;
        d.chosen = {say::kOneTileOf, state.program.buffers[op.reads.front().buffer.at()].name};
        d.why = {all ? say::kEveryInputTiled : say::kSharedTile};
        context.decide(std::move(d));
    }
    return PassOutcome{!copies.empty(), {{"read_copies", static_cast<std::int64_t>(copies.size())}}};
}

std::vector<std::string> insertReadCopies(Program& program, std::size_t readers) {
    std::vector<std::string> names;
    const std::vector<BufferId> inputs = program.inputs;
    for (std::size_t g = 0; g < program.tileGroups.size(); ++g) {
        for (const BufferId input : inputs) {
            if (!canBeCopied(program, input)) continue;
            std::map<Cut, std::vector<std::size_t>> cuts;
            const TileGroup& group = program.tileGroups[g];
            for (std::size_t m = 0; m < group.ops.size(); ++m) {
                if (!isTileable(program.ops[group.ops[m].at()])) continue;
                if (auto cut = onlyCut(program, group, m, input); cut && moves(*cut)) cuts[*cut].push_back(m);
            }
            // One copy for each input and loop: with two cuts the tiles are different ones.
            if (cuts.size() != 1 || cuts.begin()->second.size() < readers) continue;
            Program trial = program;
            std::string name = insertCopy(trial, g, input, cuts.begin()->first, cuts.begin()->second);
            if (whyNotLoop(trial, trial.tileGroups[g])) continue;
            program = std::move(trial);
            names.push_back(std::move(name));
        }
    }
    return names;
}

}  // namespace memplan::spyre

// SPDX-License-Identifier: Apache-2.0
#include "engine/solve/problem/bounds.h"
#include "engine/spyre/cost/model_settings.h"
#include "engine/spyre/division/core_view.h"
#include "engine/spyre/layout/coordinates.h"
#include "engine/spyre/program_edit.h"
#include "engine/spyre/scratchpad/buffers.h"
#include "engine/spyre/scratchpad/placement/candidate_problem.h"
#include "engine/spyre/scratchpad/placement/trial_plan.h"
#include "engine/spyre/state.h"
#include "engine/spyre/texts/decisions.h"
#include "engine/spyre/tiling/group_forms.h"
#include "engine/spyre/tiling/loop_access.h"
#include "engine/spyre/tiling/read_copies/read_copies.h"
#include "engine/spyre/tiling/tile_program.h"

#include <algorithm>

namespace memplan::spyre {
namespace {

const Splits& splitsOf(const Program& program, OpId op) {
    static const Splits kUnsplit;
    return op.at() < program.divisions.size() ? program.divisions[op.at()].splits : kUnsplit;
}

std::vector<OpId> readersOf(const Program& program, BufferId buffer) {
    std::vector<OpId> readers;
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        const auto& reads = program.ops[i].reads;
        if (std::any_of(reads.begin(), reads.end(), [buffer](const Access& a) { return a.buffer == buffer; }))
            readers.push_back(OpId::of(i));
    }
    return readers;
}

/// The tile's dimension d moves with the loop at the same levels for copy and consumer.
bool advancesAlike(const Program& program, const Op& copy, const Op& consumer, const Access& read) {
    const Buffer& tile = program.buffers[read.buffer.at()];
    const Coordinates host = hostCoordinates(tile, consumer.loops, read.index);
    for (std::size_t level = 0; level < copy.loop.counts.size(); ++level) {
        std::vector<int> moving = consumer.loop.tiledLoops[level];
        std::erase_if(moving, [&](int v) { return read.index.coefficients[static_cast<std::size_t>(v)] == 0; });
        for (const int d : copy.loop.tiledDims[level]) {
            const auto at = static_cast<std::size_t>(d);
            if (d < 0 || at >= host.size()) return false;
            const auto own = std::find(moving.begin(), moving.end(), host[at].bareLoop().value_or(-1));
            if (own == moving.end()) return false;
            moving.erase(own);
        }
        if (!moving.empty()) return false;
    }
    return true;
}

/// Over all iterations no element outside of the input is read.
bool staysInside(const Buffer& input, const Op& consumer, const Index& index) {
    std::int64_t lowest = index.offset;
    std::int64_t highest = index.offset;
    const std::vector<LoopVar> loops = fullLoops(consumer);
    for (std::size_t v = 0; v < loops.size(); ++v) {
        const std::int64_t reach = index.coefficients[v] * (loops[v].extent - 1);
        (reach < 0 ? lowest : highest) += reach;
    }
    std::int64_t elements = 1;
    for (const std::int64_t extent : input.size)
        elements *= extent;
    return lowest >= 0 && highest < elements;
}

bool sameSlices(const Program& program, OpId copy, OpId consumer, const Access& tileRead, const Access& direct,
                bool kAdjacentMap) {
    const CoreMapOptions map{kAdjacentMap};
    const auto view = [&](OpId op, const Access& access) {
        return perCoreView(program, program.ops[op.at()], access, splitsOf(program, op), map);
    };
    const Op& c = program.ops[copy.at()];
    if (program.coresOf(copy) != program.coresOf(consumer)) return false;
    if (program.coresOf(copy) == 1) return true;
    return view(copy, c.write).sameView(view(consumer, tileRead)) &&
           view(copy, c.reads.front()).sameView(view(consumer, direct));
}

DirectRead doubtful(Statement why) {
    return {{}, std::move(why)};
}

OpId opNamed(const Program& program, const std::string& name) {
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        if (program.ops[i].name == name) return OpId::of(i);
    }
    return {};
}

void dropOp(Program& program, OpId op) {
    const std::size_t count = program.ops.size();
    ProgramEdit edit(program);
    for (std::size_t i = 0; i < count; ++i) {
        if (i != op.at()) edit.keep(i);
    }
    edit.finish();
}

/// Lifetimes move by one step; the places are kept.
void keepPlacement(State& trial, BufferId tile, const BufferRules& rules) {
    std::vector<ScratchpadState::Entry>& before = trial.scratchpad.entries;
    std::vector<ScratchpadState::Entry> after = measureBuffers(trial.program, rules);
    std::vector<ScratchpadState::Entry> judged = after;
    judgeEligibility(trial.program, rules, judged, nullptr);
    keepDecisions(before, after);
    for (std::size_t b = 0; b < after.size(); ++b) {
        // It may name the copy, which is gone: its reader stands in its place.
        if (after[b].reason && judged[b].reason && judged[b].reason->code == after[b].reason->code)
            after[b].reason->stated = judged[b].reason->stated;
        after[b].inPlaceParents = std::move(before[b].inPlaceParents);
        std::erase(after[b].inPlaceParents, tile);
        if (after[b].inPlaceOf == tile) after[b].inPlaceOf = {};
    }
    after[tile.at()].address.reset();
    after[tile.at()].isCandidate = false;
    after[tile.at()].reason.reset();
    trial.scratchpad.entries = std::move(after);
}

/// Removes the copy and lets its readers read the input; why it has to stay, with `trial` in any condition, else
/// empty. `onChip`: bytes that are no longer written to and read from the scratchpad.
Statement takeOut(State& trial, OpId copy, const BufferRules& rules, Bytes& onChip) {
    Program& program = trial.program;
    const Op& c = program.ops[copy.at()];
    const BufferId tile = c.write.buffer;
    const BufferId input = c.reads.front().buffer;
    const bool placed = trial.scratchpad.entries[tile.at()].address.has_value();
    const std::vector<OpId> readers = readersOf(program, tile);
    if (placed && readers.size() > 1) return {say::kSeveralTakeTile};
    std::vector<std::pair<OpId, Index>> direct;
    for (const OpId reader : readers) {
        DirectRead read = directRead(program, copy, reader, placed, rules.kAdjacentMap);
        if (!read.doubt.isEmpty()) return std::move(read.doubt);
        direct.emplace_back(reader, std::move(read.index));
    }
    if (placed) onChip = 2 * trial.scratchpad.entries[tile.at()].size * iterations(c);
    for (auto& [reader, index] : direct) {
        for (Access& read : program.ops[reader.at()].reads) {
            if (read.buffer == tile) read = {input, index, false};
        }
    }
    dropOp(program, copy);
    std::erase_if(program.propagation, [tile](const TilePropagation& p) { return p.buffer == tile; });
    keepPlacement(trial, tile, rules);
    return {};
}

/// Bounds speak of the candidates, and the tiles are none any more.
void boundAgain(State& state, const SpyreMachine& machine) {
    ScratchpadState& pad = state.scratchpad;
    const solve::Bounds bounds =
        solve::bounds(candidateProblem(state.program, pad.entries, pad.capacity, machine.lxAlignment).problem);
    pad.boundPerStep = bounds.spacePerTick;
    pad.peakLowerBound = bounds.peakLowerBound;
    pad.spillLowerBound = bounds.spillLowerBound;
    // An exact solver knows more than the general bound, and fewer candidates do not raise it.
    const bool isExact = pad.solver == "exact";
    pad.pinnedUpperBound = isExact ? std::min(pad.pinnedUpperBound, bounds.pinnedUpperBound) : bounds.pinnedUpperBound;
}

void report(const State& state, OpId copy, const Statement& why, Bytes saved, Bytes onChip, PassContext& context) {
    const Op& c = state.program.ops[copy.at()];
    Decision d;
    d.op = copy;
    d.buffer = c.reads.front().buffer;
    d.kind = DecisionKind::ReadCopy;
    d.chosen = {why.isEmpty() ? say::kReadDirectly : say::kCopyKept};
    d.why = why.isEmpty() ? Statement(say::kCopyGoes, c.name, saved, onChip) : Statement(say::kCopyStays, c.name, why);
    context.decide(std::move(d));
}

}  // namespace

Result<PassOutcome> elideReadCopies(State& state, PassContext& context) {
    const cost::Calibration calibration = context.calibration();
    const BufferRules rules = BufferRules::from(context.settings, context.machine);
    const Bytes start = plannedTraffic(state);
    PassOutcome outcome;
    std::vector<std::string> copies;
    for (const Op& op : state.program.ops) {
        if (op.addedBy == kReadCopies) copies.push_back(op.name);
    }
    for (const std::string& name : copies) {
        if (context.cancelled()) return cancelledError();
        if (context.control.timedOut()) break;
        const Bytes before = plannedTraffic(state);
        const double price = estimatedMicroseconds(state, calibration);
        const OpId copy = opNamed(state.program, name);
        State trial = state;
        Bytes onChip = 0;
        Statement why = takeOut(trial, copy, rules, onChip);
        const Bytes after = plannedTraffic(trial);
        if (why.isEmpty() && (after > before || estimatedMicroseconds(trial, calibration) > price))
            why = {say::kInputCostsMore};
        report(state, copy, why, before - after, onChip, context);
        outcome.counts[why.isEmpty() ? "elided" : "kept"] += 1;
        if (!why.isEmpty()) continue;
        outcome.counts["lx_bytes_saved"] += onChip;
        outcome.changed = true;
        state = std::move(trial);
    }
    if (outcome.changed) boundAgain(state, context.machine);
    countTraffic(outcome, start, plannedTraffic(state));
    return outcome;
}

DirectRead directRead(const Program& program, OpId copyId, OpId consumerId, bool onChip, bool kAdjacentMap) {
    const Op& copy = program.ops[copyId.at()];
    const Op& consumer = program.ops[consumerId.at()];
    if (copy.reads.size() != 1) return doubtful({say::kReadsMoreBuffers});
    const BufferId tileId = copy.write.buffer;
    const Buffer& tile = program.buffers[tileId.at()];
    const Buffer& input = program.buffers[copy.reads.front().buffer.at()];
    if (input.kind == BufferKind::Computed || !input.layout || !tile.layout) return doubtful({say::kNoInputSource});
    const auto first = std::find_if(consumer.reads.begin(), consumer.reads.end(),
                                    [tileId](const Access& a) { return a.buffer == tileId; });
    const auto reads = std::count_if(consumer.reads.begin(), consumer.reads.end(),
                                     [tileId](const Access& a) { return a.buffer == tileId; });
    if (reads != 1 || first->indirect) return doubtful({say::kReadsOftener, consumer.name});
    const bool rightOperand = consumer.isMatmul() && consumer.reads.size() == 2 && first == consumer.reads.begin() + 1;
    // A tile without address is only a detour: whatever could read it before the copy was made can again.
    const bool anyReader = !onChip && consumer.kind == OpClass::Reduction;
    if (consumer.kind != OpClass::Pointwise && !rightOperand && !anyReader)
        return doubtful({say::kNoTileReader, consumer.name});
    if (consumer.loop.groupId != copy.loop.groupId || consumer.loop.counts != copy.loop.counts)
        return doubtful({say::kNotInLoop, consumer.name});
    if (!(tile.layout->dtype == input.layout->dtype) || tile.layout->arrangement != input.layout->arrangement)
        return doubtful({say::kStoredOtherwise});
    if (stickDimension(*tile.layout, tile.stride) != stickDimension(*input.layout, input.stride))
        return doubtful({say::kSticksElsewhere});
    for (std::size_t d = 0; d < tile.size.size(); ++d) {
        // A dimension of one element has no coordinate of its own to take over.
        if (tile.size[d] == 1 && input.size[d] > 1) return doubtful({say::kOneElementWide});
    }
    if (!advancesAlike(program, copy, consumer, *first)) return doubtful({say::kMovesOtherwise, consumer.name});
    std::optional<Index> index = rebased(first->index, consumer.loops, tile, input.stride);
    if (!index) return doubtful({say::kReadsReshaped, consumer.name});
    if (!staysInside(input, consumer, *index)) return doubtful({say::kLeavesInput});
    const Access direct{copy.reads.front().buffer, *index, false};
    if (onChip && !sameSlices(program, copyId, consumerId, *first, direct, kAdjacentMap))
        return doubtful({say::kOtherSlices, consumer.name});
    return {std::move(*index), {}};
}

}  // namespace memplan::spyre

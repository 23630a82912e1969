// SPDX-License-Identifier: Apache-2.0
#include "engine/base/text.h"
#include "engine/spyre/hint_values.h"
#include "engine/spyre/program_edit.h"
#include "engine/spyre/state.h"
#include "engine/spyre/texts/decisions.h"
#include "engine/spyre/tiling/form_groups.h"
#include "engine/spyre/tiling/groups.h"
#include "engine/spyre/tiling/manual_groups.h"
#include "engine/spyre/tiling/passes.h"
#include "engine/spyre/tiling/stick_cuts.h"
#include "engine/spyre/tiling/tile_program.h"

#include <algorithm>
#include <array>

namespace memplan::spyre {
namespace {

std::string namesOf(const Program& program, const std::vector<OpId>& ops) {
    std::vector<std::string> names;
    for (const OpId id : ops)
        names.push_back(program.ops[id.at()].name);
    return text::join(names, ", ");
}

// ---- 12.1 ----------------------------------------------------------------------------------------------

void reportStuck(const std::vector<OrderedOp>& ops, const std::vector<int>& order, const StuckOp& stuck,
                 PassContext& context) {
    const std::string& name = ops[static_cast<std::size_t>(stuck.op)].name;
    std::vector<std::string> run;
    for (const int op : stuck.run)
        run.push_back(ops[static_cast<std::size_t>(op)].name);
    std::vector<std::string> ids;
    for (const int id : stuck.hintIds)
        ids.push_back(std::to_string(id));
    Diagnostic d;
    d.severity = Severity::Warning;
    d.code = "HNT-007";
    d.where = name;
    d.message = "\"" + name + "\" stands inside the run of hints " + text::join(ids, ", ") + " (" +
                text::join(run, ", ") +
                ") and can move neither in front of it nor behind it, it exchanges values with both sides: the "
                "run stays in parts, each with loops of its own";
    d.hint = "include \"" + name + "\" in the scope of the hints";
    const auto now = std::find(order.begin(), order.end(), stuck.op) - order.begin();
    d.ops = {OpId::of(static_cast<std::size_t>(now))};
    context.report(std::move(d));
}

OrderedOp orderedOp(const Program& program, std::size_t i) {
    const Op& op = program.ops[i];
    OrderedOp out;
    out.name = op.name;
    if (op.isComputed() && i < program.dimHints.size()) out.hints = &program.dimHints[i];
    for (const Access& read : op.reads)
        out.reads.push_back(program.buffers[read.buffer.at()].name);
    if (op.write.buffer.isValid()) out.writes.push_back(program.buffers[op.write.buffer.at()].name);
    for (const BufferId extra : op.extraWrites)
        out.writes.push_back(program.buffers[extra.at()].name);
    return out;
}

// ---- 12.2 ----------------------------------------------------------------------------------------------

/// Under the device stride model every operand has to advance by whole sticks (4.4).
std::optional<GroupRefusal> cutRefusal(const Program& program, const TileGroup& group, PassContext& context) {
    if (mayShareSticks(context.settings)) return std::nullopt;
    const std::optional<UnevenCut> cut = unevenCut(program, group);
    if (!cut) return std::nullopt;
    Diagnostic d;
    d.severity = Severity::Warning;
    d.code = "CT-026";
    d.where = program.ops[cut->op.at()].name;
    d.message = cut->why(program) + "; " + namesOf(program, group.ops) + " get no loop";
    d.hint = cut->fix();
    d.ops = {cut->op};
    context.report(std::move(d));
    return GroupRefusal{cut->why(program), cut->fix()};
}

/// How many tensors a loop touches in main memory shows when its kernel is made: the compile then starts again
/// without it.
std::optional<GroupRefusal> earlierRefusal(const State& state, std::size_t number) {
    const auto at = state.refusedLoops.find(number);
    if (at == state.refusedLoops.end()) return std::nullopt;
    return at->second;
}

void take(State& state, TileGroup group, std::size_t number) {
    state.program.tileGroups.push_back(std::move(group));
    state.loopNumbers.push_back(number);
}

void takeGiven(State& state, std::vector<GivenGroup> given, LoopOutcomes& outcomes, PassContext& context) {
    for (std::size_t g = 0; g < given.size(); ++g) {
        if (!given[g].refusal) given[g].refusal = cutRefusal(state.program, given[g].group, context);
        if (!given[g].refusal) given[g].refusal = earlierRefusal(state, g);
        if (given[g].refusal)
            outcomes.refused(g, std::move(*given[g].refusal));
        else
            take(state, std::move(given[g].group), g);
    }
}

void reportIgnored(const Program& program, const std::vector<int>& run, PassContext& context) {
    std::vector<OpId> ops;
    for (const int at : run)
        ops.push_back(OpId::of(static_cast<std::size_t>(at)));
    Diagnostic d;
    d.severity = Severity::Warning;
    d.code = "CT-020";
    d.where = program.ops[ops.front().at()].name;
    d.message = "no operation of " + namesOf(program, ops) +
                " iterates over the hinted dimension in its result: the hint makes no loop";
    d.hint = "name a dimension that their results keep";
    d.ops = std::move(ops);
    context.report(std::move(d));
}

/// The steps after this one call a multiply or a reduced dimension in a loop an error; a hint never ends a compile.
void takeHinted(State& state, LoopOutcomes& outcomes, PassContext& context) {
    std::vector<std::vector<int>> ignored;
    std::vector<TileGroup> groups = groupsFromHints(state.program, ignored);
    for (const std::vector<int>& run : ignored)
        reportIgnored(state.program, run, context);
    for (std::size_t g = 0; g < groups.size(); ++g) {
        auto refusal = whyRefused(state.program, groups[g], state.program.tileGroups.size());
        if (!refusal) refusal = cutRefusal(state.program, groups[g], context);
        if (!refusal) refusal = earlierRefusal(state, g);
        if (refusal)
            outcomes.refused(groups[g], *refusal);
        else
            take(state, std::move(groups[g]), g);
    }
}

// ---- 12.3 ----------------------------------------------------------------------------------------------

void reportBroken(const Program& program, const BrokenStick& b, PassContext& context) {
    Diagnostic d;
    d.severity = Severity::Warning;
    d.code = "CT-026";
    d.where = program.ops[b.op.at()].name;
    d.message = "the tile of \"" + d.where + "\" has " + text::grouped(b.extent) + " elements along dimension " +
                std::to_string(b.dim) + ", its stick holds " + std::to_string(b.elemsPerStick) +
                ": a core shares sticks with the next iteration";
    d.hint = "choose a count that leaves a multiple of " + std::to_string(b.elemsPerStick);
    d.ops = {b.op};
    context.report(std::move(d));
}

void report(const Program& program, OpId id, PassContext& context) {
    const Op& op = program.ops[id.at()];
    Decision d;
    d.op = id;
    d.buffer = op.write.buffer;
    d.kind = DecisionKind::Tile;
    d.chosen = {say::kIterations, op.loop.counts};
    d.why = {say::kLoopGroup, op.loop.groupId.front(), program.buffers[op.write.buffer.at()].size};
    context.decide(std::move(d));
}

// ---- 12.4 ----------------------------------------------------------------------------------------------

void report(const Program& program, const TilePropagation& p, PassContext& context) {
    Decision d;
    d.buffer = p.buffer;
    d.kind = DecisionKind::Propagate;
    if (p.kind == PropagationCase::LoopInternal) {
        d.chosen = {say::kLoopInternal};
        d.why = {say::kOneTileEnough};
    } else {
        const std::string& full = program.buffers[p.fullBuffer.at()].name;
        const bool copied = p.kind == PropagationCase::Copy;
        d.buffer = p.fullBuffer;
        d.chosen = {copied ? say::kCopiedTo : say::kWrittenTo, full};
        d.why = copied ? Statement(say::kCarriesTiles, p.copyOp) : Statement(say::kWritesSlices);
    }
    context.decide(std::move(d));
}

}  // namespace

/// The original's later versions end the compile where an op can move nowhere. A hint never ends one of ours: the
/// run stays in parts, as without this step, and a problem says so.
Result<PassOutcome> moveInterlopers(State& state, PassContext& context) {
    Program& program = state.program;
    std::vector<OrderedOp> ops;
    for (std::size_t i = 0; i < program.ops.size(); ++i)
        ops.push_back(orderedOp(program, i));
    const Reordered found = reorderInterlopers(ops);
    for (const StuckOp& stuck : found.stuck)
        reportStuck(ops, found.order, stuck, context);
    std::int64_t moved = 0;
    for (std::size_t i = 0; i < found.order.size(); ++i)
        moved += found.order[i] != static_cast<int>(i) ? 1 : 0;
    if (moved == 0) return PassOutcome{};
    ProgramEdit edit(program);
    for (const int at : found.order)
        edit.keep(static_cast<std::size_t>(at));
    edit.finish();
    return PassOutcome{true, {{"positions_changed", moved}}};
}

Result<PassOutcome> formTileGroups(State& state, PassContext& context) {
    Program& program = state.program;
    LoopOutcomes outcomes(state, context);
    Result<std::optional<std::vector<GivenGroup>>> manual = manualGroups(state, context);
    if (!manual) return std::move(manual).error();
    program.tileGroups.clear();
    state.loopNumbers.clear();
    if (manual.value()) {
        takeGiven(state, std::move(*manual.value()), outcomes, context);
    } else {
        takeHinted(state, outcomes, context);
    }
    outcomes.write(manual.value().has_value());
    const auto count = static_cast<std::int64_t>(program.tileGroups.size());
    return PassOutcome{count > 0, {{"groups", count}}};
}

Result<PassOutcome> stampLoops(State& state, PassContext& context) {
    Program& program = state.program;
    if (program.tileGroups.empty()) return PassOutcome{};
    Result<std::vector<BrokenStick>> broken = stampGroups(program);
    if (!broken) return std::move(broken).error();
    for (const BrokenStick& b : broken.value())
        reportBroken(program, b, context);
    std::int64_t tiled = 0;
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        if (!program.ops[i].loop.isTiled()) continue;
        report(program, OpId::of(i), context);
        ++tiled;
    }
    return PassOutcome{tiled > 0, {{"ops_tiled", tiled}}};
}

Result<PassOutcome> propagateLoopBuffers(State& state, PassContext& context) {
    Program& program = state.program;
    if (program.tileGroups.empty()) return PassOutcome{};
    Result<void> done = propagateTiles(program, context.settings.boolean("spyre.copy_when_input_internal"));
    if (!done) return done.error();
    PassOutcome outcome{true, {}};
    for (const TilePropagation& p : program.propagation) {
        static constexpr std::array<const char*, 3> kNames{"loop_internal", "copies", "rewired"};
        outcome.counts[kNames[static_cast<std::size_t>(p.kind)]] += 1;
        report(program, p, context);
    }
    return outcome;
}

}  // namespace memplan::spyre

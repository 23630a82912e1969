// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/scratchpad/placement/passes.h"

#include "engine/base/text.h"
#include "engine/solve/problem/bounds.h"
#include "engine/spyre/scratchpad/buffers.h"
#include "engine/spyre/scratchpad/clone_inputs.h"
#include "engine/spyre/scratchpad/hints.h"
#include "engine/spyre/scratchpad/moves.h"
#include "engine/spyre/scratchpad/op_order.h"
#include "engine/spyre/scratchpad/placement/place.h"
#include "engine/spyre/scratchpad/placement/placement_wishes.h"
#include "engine/spyre/scratchpad/placement/room.h"
#include "engine/spyre/state.h"
#include "engine/spyre/texts/decisions.h"
#include "engine/spyre/texts/reasons.h"

namespace memplan::spyre {
namespace {

// ---- 16.5 ----------------------------------------------------------------------------------------------

void markStopped(std::vector<ScratchpadState::Entry>& entries) {
    for (ScratchpadState::Entry& e : entries) {
        if (!e.isCandidate || e.address || e.reason) continue;
        Reason r;
        r.code = ReasonCode::SolverStopped;
        r.stated = {say::kSolverStopped};
        e.reason = std::move(r);
    }
}

void reportInput(const Program& program, BufferId clone, const std::vector<ScratchpadState::Entry>& before,
                 std::vector<ScratchpadState::Entry>& after) {
    after[clone.at()].isCandidate = false;
    const std::optional<Reason> cause = before[clone.at()].reason;
    after[clone.at()].reason.reset();
    std::optional<Reason>& reason = after[program.buffers[clone.at()].cloneOf.at()].reason;
    if (!cause || !reason) return;
    reason->others.push_back(cause->code);
    const bool noRoom = cause->code == ReasonCode::NoRoom && cause->gapStep >= 0;
    if (noRoom) {
        reason->clones.emplace_back(say::kCloneWithoutRoom, before[clone.at()].sizePerCore, cause->largestGap);
        return;
    }
    reason->clones.emplace_back(say::kCloneOffChip, cause->stated);
    reason->clones.insert(reason->clones.end(), cause->clones.begin(), cause->clones.end());
}

/// The evidence speaks of steps, and those moved when the clones went.
void explainAgain(State& state, const PassContext& context) {
    ScratchpadState& pad = state.scratchpad;
    for (ScratchpadState::Entry& e : pad.entries) {
        if (e.isCandidate && e.reason && e.reason->code == ReasonCode::NoRoom) e.reason.reset();
    }
    explainLostPacking(state.program, pad.capacity, context.machine.lxAlignment, pad.entries);
    const solve::Bounds bounds = solve::bounds(problemOf(state, context.machine).problem);
    pad.boundPerStep = bounds.spacePerTick;
    pad.peakLowerBound = bounds.peakLowerBound;
}

/// Left in place an unplaced clone would only add traffic: its users read the input again, which
/// shows the reason of its clone (9.1).
void takeOut(State& state, const std::vector<BufferId>& dropped, PassContext& context) {
    ScratchpadState& pad = state.scratchpad;
    const std::vector<ScratchpadState::Entry> before = pad.entries;
    removeClones(state.program, dropped);
    std::vector<ScratchpadState::Entry> after =
        measureBuffers(state.program, BufferRules::from(context.settings, context.machine));
    keepDecisions(before, after);
    for (std::size_t b = 0; b < after.size(); ++b)
        after[b].inPlaceParents = before[b].inPlaceParents;
    for (const BufferId clone : dropped)
        reportInput(state.program, clone, before, after);
    pad.entries = std::move(after);
    explainAgain(state, context);
}

}  // namespace

Result<PassOutcome> cloneSharedInputs(State& state, PassContext& context) {
    const BufferRules rules = BufferRules::from(context.settings, context.machine);
    applyOpOrder(state, context);
    const std::vector<ClonedInput> clones = cloneInputs(state.program, rules, clonePolicy(state, context, true));
    for (const ClonedInput& c : clones) {
        Decision d;
        d.op = c.op;
        d.buffer = c.clone;
        d.kind = DecisionKind::Clone;
        d.chosen = {say::kCloneOf, state.program.buffers[c.input.at()].name};
        const bool asked = ScratchpadHints(context, state).cloneWish(c.input).value_or(false);
        d.why = {asked ? say::kHintWantsInput : say::kCopyFitsBudget};
        context.decide(std::move(d));
    }
    return PassOutcome{!clones.empty(), {{"clones", static_cast<std::int64_t>(clones.size())}}};
}

Result<PassOutcome> pushAddresses(State& state, PassContext& context) {
    ScratchpadState& pad = state.scratchpad;
    if (pad.solverStopped) markStopped(pad.entries);
    explainLostPacking(state.program, pad.capacity, context.machine.lxAlignment, pad.entries);
    if (const ScratchpadHints hints(context, state); !hints.empty()) hints.report(state, context);
    markIdleEvictions(state.program, pad.entries);
    const std::vector<BufferId> dropped = unplacedInputClones(state);
    if (!dropped.empty()) takeOut(state, dropped, context);
    return PassOutcome{!dropped.empty(), {{"clones_removed", static_cast<std::int64_t>(dropped.size())}}};
}

}  // namespace memplan::spyre

// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/scratchpad/placement/place.h"

#include "engine/plan/search_decision.h"
#include "engine/solve/hinted.h"
#include "engine/solve/problem/bounds.h"
#include "engine/solve/solver.h"
#include "engine/solve/solver_settings.h"
#include "engine/spyre/scratchpad/buffers.h"
#include "engine/spyre/scratchpad/clone_inputs.h"
#include "engine/spyre/scratchpad/hints.h"
#include "engine/spyre/scratchpad/op_order.h"
#include "engine/spyre/scratchpad/placement/placement_wishes.h"
#include "engine/spyre/solver_keys.h"
#include "engine/spyre/texts/decisions.h"
#include "engine/spyre/texts/reasons.h"

#include <algorithm>

namespace memplan::spyre {
namespace {

void reportCandidate(const Program& program, BufferId id, const ScratchpadState::Entry& e, PassContext& context) {
    Decision d;
    d.buffer = id;
    d.kind = DecisionKind::Candidate;
    d.chosen = {say::kCandidate};
    d.why = {say::kAllowed, e.cores, e.uses.size()};
    for (const BufferId p : e.inPlaceParents)
        d.alternatives.push_back({{say::kSlotOf, program.buffers[p.at()].name}, 0.0});
    context.decide(std::move(d));
}

void record(State& state, const CandidateProblem& candidates, const solve::Solution& solution, PassContext& context) {
    takeSolution(candidates, solution, state.scratchpad.entries);
    for (const BufferId id : candidates.ids) {
        const ScratchpadState::Entry& e = state.scratchpad.entries[id.at()];
        Decision d;
        d.buffer = id;
        d.chosen = e.address ? Statement(say::kAddress, *e.address) : Statement(say::kMainMemory);
        if (e.inPlaceOf.isValid()) {
            d.kind = DecisionKind::InPlace;
            d.why = {say::kTakesSlot, state.program.buffers[e.inPlaceOf.at()].name};
        } else if (e.address) {
            d.kind = DecisionKind::Placed;
            d.why = {say::kFreeForSteps, e.life.begin, e.life.end - 1};
        } else {
            d.kind = DecisionKind::Spilled;
            d.why = {say::kNoFreeBlock, e.sizePerCore};
        }
        context.decide(std::move(d));
    }
}

}  // namespace

Result<PassOutcome> measureCandidates(State& state, PassContext& context) {
    const BufferRules rules = BufferRules::from(context.settings, context.machine);
    applyOpOrder(state, context);
    // With the pass before switched off, clones that a hint asks for are still made.
    if (!context.settings.boolean("spyre.clone_inputs")) {
        ClonePolicy policy = clonePolicy(state, context, false);
        policy.maker = kBuffersStep;
        (void)cloneInputs(state.program, rules, policy);
    }
    const ScratchpadHints hints(context, state);
    ScratchpadState& pad = state.scratchpad;
    pad.capacity = rules.capacity;
    pad.entries = measureBuffers(state.program, rules);
    judgeEligibility(state.program, rules, pad.entries, &hints);
    findInPlaceParents(state.program, rules, hints, pad.entries);
    std::int64_t buffers = 0;
    std::int64_t candidates = 0;
    for (std::size_t b = 0; b < pad.entries.size(); ++b) {
        const ScratchpadState::Entry& e = pad.entries[b];
        if (e.uses.empty()) continue;
        ++buffers;
        if (!e.isCandidate) continue;
        ++candidates;
        reportCandidate(state.program, BufferId::of(b), e, context);
    }
    PassOutcome outcome{true, {}};
    if (buffers > 0) outcome.counts = {{"buffers", buffers}, {"candidates", candidates}};
    return outcome;
}

CandidateProblem problemOf(const State& state, const SpyreMachine& machine) {
    CandidateProblem result =
        candidateProblem(state.program, state.scratchpad.entries, state.scratchpad.capacity, machine.lxAlignment);
    result.problem.name = state.graph ? state.graph->name : "";
    return result;
}

Result<PassOutcome> assignAddresses(State& state, PassContext& context) {
    const solve::Solver* solver = solve::findSolver(context.settings.text("spyre.layout_solver"));
    if (solver == nullptr) {
        return makeError("SET-002", "spyre.layout_solver",
                         "unknown solver \"" + context.settings.text("spyre.layout_solver") + "\"",
                         "use greedy, firstfit, bestfit, annealing or exact");
    }
    CandidateProblem candidates = problemOf(state, context.machine);
    const solve::Wishes wishes = takeHints(ScratchpadHints(context, state), state.program, candidates);
    Result<solve::HintedSolution> hinted =
        solve::solveWithWishes(candidates.problem, wishes, *solver, solve::paramsFrom(context.settings, kSolverKeys),
                               solverControl(context, context.settings));
    if (!hinted) return std::move(hinted).error();
    for (const solve::WishFailure& f : hinted.value().failures) {
        state.scratchpad.hintFailures[candidates.ids[static_cast<std::size_t>(f.item)]] = f.why;
    }
    Result<solve::Solution> solution = std::move(hinted.value().solution);
    record(state, candidates, solution.value(), context);
    if (solution.value().search) context.decide(searchDecision(*solution.value().search));
    ScratchpadState& pad = state.scratchpad;
    pad.solver = std::string(solver->id());
    pad.solverStopped = solution.value().status == solve::Status::Stopped;
    const solve::Bounds bounds = solve::bounds(candidates.problem);
    pad.boundPerStep = bounds.spacePerTick;
    pad.peakLowerBound = bounds.peakLowerBound;
    pad.spillLowerBound = bounds.spillLowerBound;
    pad.pinnedUpperBound = bounds.pinnedUpperBound;
    if (solution.value().upperBoundBytes) {
        pad.pinnedUpperBound = std::min(pad.pinnedUpperBound, *solution.value().upperBoundBytes);
    }
    pad.planned = true;
    PassOutcome outcome{!candidates.ids.empty(), {}};
    const auto placed =
        std::count_if(pad.entries.begin(), pad.entries.end(), [](const auto& e) { return e.address.has_value(); });
    outcome.counts["placed"] = placed;
    outcome.counts["lost"] = static_cast<std::int64_t>(candidates.ids.size()) - placed;
    return outcome;
}

RunControl solverControl(const PassContext& context, const Settings& settings) {
    return needsScreening(settings) ? solve::withTimeLimit(context.control, settings)
                                    : solve::withoutDeadline(context.control);
}

bool needsScreening(const Settings& settings) {
    const std::string& solver = settings.text("spyre.layout_solver");
    return solver == "annealing" || solver == "exact";
}

void measureWithoutPlanning(State& state, const Settings& settings, const SpyreMachine& machine) {
    const BufferRules rules = BufferRules::from(settings, machine);
    state.scratchpad.capacity = rules.capacity;
    state.scratchpad.entries = measureBuffers(state.program, rules);
    for (ScratchpadState::Entry& e : state.scratchpad.entries) {
        e.reason.reset();  // what measuring comes across is not judged in the order of precedence
        if (settings.boolean("spyre.lx_planning")) continue;
        Reason r;
        r.code = ReasonCode::PlanningOff;
        r.stated = {say::kPlanningOff};
        e.reason = std::move(r);
    }
}

}  // namespace memplan::spyre

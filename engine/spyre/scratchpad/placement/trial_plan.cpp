// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/scratchpad/placement/trial_plan.h"

#include "engine/solve/solver_settings.h"
#include "engine/spyre/estimate/estimate.h"
#include "engine/spyre/scratchpad/clone_inputs.h"
#include "engine/spyre/scratchpad/placement/place.h"
#include "engine/spyre/scratchpad/traffic.h"

namespace memplan::spyre {
namespace {

Bytes sumOf(const Program& program, const std::vector<ScratchpadState::Entry>& entries) {
    Bytes sum = 0;
    for (const OpTraffic& t : trafficPerOp(program, entries))
        sum += t.read + t.write;
    return sum;
}

}  // namespace

Bytes plannedTraffic(const State& state) {
    const std::vector<BufferId> dropped = unplacedInputClones(state);
    if (dropped.empty()) return sumOf(state.program, state.scratchpad.entries);
    Program left = state.program;
    removeClones(left, dropped);
    return sumOf(left, state.scratchpad.entries);
}

Result<void> placeAgain(State& trial, const PassContext& context, const Settings& settings) {
    PassContext silent = context.silent(kBuffersStep, settings);
    if (auto done = measureCandidates(trial, silent); !done) return std::move(done).error();
    PassContext placing = context.silent(kSolveStep, settings);
    if (auto done = assignAddresses(trial, placing); !done) return std::move(done).error();
    return {};
}

double estimatedMicroseconds(const State& state, const cost::Calibration& calibration) {
    cost::EstimateInput input;
    input.program = &state.program;
    input.inLx = [&](BufferId id) { return state.scratchpad.entries[id.at()].address.has_value(); };
    return cost::estimate(input, calibration).totalMicroseconds;
}

Settings screeningSettings(const Settings& settings) {
    Settings quick = settings;
    (void)quick.set("spyre.layout_solver", "bestfit");
    (void)quick.set("spyre.solver_ordering", "scored");
    return quick;
}

void countTraffic(PassOutcome& outcome, Bytes before, Bytes after) {
    outcome.counts["bytes_saved"] = before - after;
    outcome.counts["traffic_before"] = before;
    outcome.counts["traffic_after"] = after;
}

Result<TrialPlan> planTrial(State state, const PassContext& context) {
    return planTrial(std::move(state), context, context.settings);
}

Result<TrialPlan> planTrial(State state, const PassContext& context, const Settings& settings) {
    if (auto done = placeAgain(state, context, settings); !done) return std::move(done).error();
    TrialPlan plan{std::move(state), 0};
    plan.traffic = plannedTraffic(plan.state);
    return plan;
}

}  // namespace memplan::spyre

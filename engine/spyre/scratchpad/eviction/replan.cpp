// SPDX-License-Identifier: Apache-2.0
#include "spyre/scratchpad/eviction/replan.h"

#include "spyre/scratchpad/eviction/moves.h"
#include "spyre/scratchpad/passes.h"
#include "spyre/scratchpad/traffic.h"

namespace memplan::spyre {
namespace {

const Pass* stepNamed(std::string_view id) {
    for (const Pass* pass : scratchpadPasses()) {
        if (pass->info().id == id) return pass;
    }
    return nullptr;
}

}  // namespace

Result<void> replan(State& trial, const PassContext& context, const Settings& settings) {
    for (const std::string_view id : {"scratchpad_planning.buffers", "scratchpad_planning.solve"}) {
        PassContext silent(id, settings, context.machine, context.hints, context.control);
        if (auto done = stepNamed(id)->run(trial, silent); !done) return std::move(done).error();
    }
    return {};
}

Bytes settledTraffic(const State& state) {
    Bytes sum = 0;
    for (const OpTraffic& t : trafficPerOp(state.program, state.scratchpad.entries))
        sum += t.read + t.write;
    // The copy reads the original and writes the clone; the clone's readers read the original instead.
    for (const BufferId copy : uselessCopies(state.program, state.scratchpad.entries))
        sum -= 2 * state.scratchpad.entries[copy.at()].size;
    return sum;
}

bool needsScreening(const Settings& settings) {
    const std::string& solver = settings.text("spyre.layout_solver");
    return solver == "annealing" || solver == "exact";
}

Settings screeningSettings(const Settings& settings) {
    Settings quick = settings;
    (void)quick.set("spyre.layout_solver", "bestfit");
    (void)quick.set("spyre.solver_ordering", "scored");
    return quick;
}

}  // namespace memplan::spyre

// SPDX-License-Identifier: Apache-2.0
// Step free_renaming: keeps the renamings under which the solver's plan moves fewer bytes.
#include "engine/base/text.h"
#include "engine/spyre/program_edit.h"
#include "engine/spyre/scratchpad/eviction/renaming.h"
#include "engine/spyre/scratchpad/hints.h"
#include "engine/spyre/scratchpad/placement/trial_plan.h"
#include "engine/spyre/state.h"
#include "engine/spyre/texts/decisions.h"

#include <algorithm>

namespace memplan::spyre {
namespace {

constexpr std::size_t kSingleTrials = 64;  ///< renamings tried one by one when all together gain nothing

/// What a hint speaks of keeps its name and its one address.
std::set<BufferId> hinted(const State& state, const PassContext& context) {
    std::set<BufferId> kept;
    const ScratchpadHints hints(context, state);
    for (std::size_t b = 0; !hints.empty() && b < state.program.buffers.size(); ++b) {
        if (hints.find(state.program, BufferId::of(b)) != nullptr) kept.insert(BufferId::of(b));
    }
    return kept;
}

/// Traffic of the plan under these renamings.
Result<Bytes> trafficWith(const State& state, const std::vector<Renaming>& renamings, const PassContext& context) {
    if (context.cancelled()) return cancelledError();
    State trial = state;
    for (const Renaming& r : renamings)
        (void)applyRenaming(trial.program, r, nullptr);
    auto plan = planTrial(std::move(trial), context);
    if (!plan) return std::move(plan).error();
    return plan.value().traffic;
}

Result<void> oneByOne(const State& state, const std::vector<Renaming>& found, const PassContext& context,
                      std::vector<Renaming>& chosen, Bytes& traffic) {
    chosen.clear();
    for (std::size_t i = 0; found.size() > 1 && i < std::min(found.size(), kSingleTrials); ++i) {
        std::vector<Renaming> trial = chosen;
        trial.push_back(found[i]);
        auto bytes = trafficWith(state, trial, context);
        if (!bytes) return std::move(bytes).error();
        if (bytes.value() >= traffic) continue;
        traffic = bytes.value();
        chosen = std::move(trial);
    }
    return {};
}

void report(PassContext& context, BufferId buffer, Statement chosen, Statement why) {
    Decision d;
    d.buffer = buffer;
    d.kind = DecisionKind::Renamed;
    d.chosen = std::move(chosen);
    d.why = std::move(why);
    context.decide(std::move(d));
}

void apply(State& state, const Renaming& r, PassContext& context) {
    std::vector<std::string> writers;
    for (const OpId op : r.starts)
        writers.push_back(state.program.ops[op.at()].name);
    const std::string name = state.program.buffers[r.buffer.at()].name;
    const std::vector<BufferId> parts = applyRenaming(state.program, r, state.graph.get());
    for (std::size_t k = 0; k < parts.size(); ++k)
        report(context, parts[k], {say::kPartOf, k, name}, {say::kOverwrites, writers, writers.size(), name});
}

}  // namespace

Result<PassOutcome> renameBuffers(State& state, PassContext& context) {
    const std::vector<Renaming> found = findRenamings(state.program, hinted(state, context));
    if (found.empty()) return PassOutcome{false, {{"buffers_renamed", 0}, {"bytes_saved", 0}}};
    auto start = trafficWith(state, {}, context);
    if (!start) return std::move(start).error();
    std::vector<Renaming> chosen = found;
    auto best = trafficWith(state, chosen, context);
    if (!best) return std::move(best).error();
    Bytes traffic = best.value();
    if (traffic >= start.value()) {
        traffic = start.value();
        if (auto done = oneByOne(state, found, context, chosen, traffic); !done) return std::move(done).error();
    }
    for (const Renaming& r : chosen)
        apply(state, r, context);
    for (const Renaming& r : found) {
        if (chosen.empty()) report(context, r.buffer, {say::kNone}, {say::kRenamingSavesNothing});
    }
    PassOutcome outcome{!chosen.empty(), {}};
    outcome.counts["buffers_renamed"] = static_cast<std::int64_t>(chosen.size());
    countTraffic(outcome, start.value(), traffic);
    return outcome;
}

}  // namespace memplan::spyre

// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/scratchpad/clones/clone_passes.h"

#include "engine/base/text.h"
#include "engine/spyre/scratchpad/clone_inputs.h"
#include "engine/spyre/scratchpad/clones/choose_clones.h"
#include "engine/spyre/scratchpad/hints.h"
#include "engine/spyre/scratchpad/op_order.h"
#include "engine/spyre/scratchpad/reorder/order_trial.h"
#include "engine/spyre/texts/decisions.h"

#include <algorithm>
#include <set>

namespace memplan::spyre {
namespace {

/// Inputs that no hint forbids to copy.
std::vector<CloneOffer> allowed(std::vector<CloneOffer> offers, const ScratchpadHints& hints, const Program& program) {
    std::erase_if(offers, [&](const CloneOffer& o) {
        if (!o.isOutput) return hints.cloneWish(o.source) == std::optional(false);
        const BufferWishes* wishes = hints.find(program, o.source);
        return wishes != nullptr && wishes->barrier() != nullptr;
    });
    return offers;
}

/// The record of the order without operations that are taken out: another one may get such a name, elsewhere.
void forget(OperationOrder& order, const std::set<std::string>& names) {
    std::vector<int> place(order.original.size(), -1);
    std::vector<std::string> kept;
    for (std::size_t i = 0; i < order.original.size(); ++i) {
        if (names.contains(order.original[i])) continue;
        place[i] = static_cast<int>(kept.size());
        kept.push_back(order.original[i]);
    }
    std::vector<int> permutation;
    for (const int position : order.permutation) {
        if (const int now = place[static_cast<std::size_t>(position)]; now >= 0) permutation.push_back(now);
    }
    order.original = std::move(kept);
    order.distance = distanceOf(OpOrder(permutation.begin(), permutation.end()));
    order.permutation = std::move(permutation);
}

/// The program without the copies that 9.1 chose by its budget; those that a hint asks for stay.
State withoutBudgetClones(const State& state, const ScratchpadHints& hints) {
    State bare = state;
    std::vector<BufferId> clones;
    std::set<std::string> names;
    for (const Op& op : state.program.ops) {
        const BufferId made = op.write.buffer;
        if (op.addedBy != "scratchpad_planning.clone_inputs" || !made.isValid()) continue;
        if (!isInputClone(state.program, made)) continue;
        const bool asked = hints.cloneWish(state.program.buffers[made.at()].cloneOf).value_or(false);
        if (asked) continue;
        clones.push_back(made);
        names.insert(op.name);
    }
    removeClones(bare.program, clones);
    if (bare.scratchpad.operationOrder) forget(*bare.scratchpad.operationOrder, names);
    // Buffers are never removed, so the dead ones make way for copies of the same name.
    for (const BufferId clone : clones)
        bare.program.buffers[clone.at()].name += " (left out)";
    return bare;
}

void report(PassContext& context, const ClonesChosen& chosen, Bytes gain) {
    for (std::size_t i = 0; i < chosen.offers.size(); ++i) {
        const CloneOffer& offer = chosen.offers[i];
        const Program& program = chosen.inserted.program;
        const std::string& name = program.buffers[offer.source.at()].name;
        Decision d;
        d.buffer = chosen.subjects[i];
        d.kind = DecisionKind::Clone;
        if (offer.isOutput) {
            d.chosen = {say::kOutputCopy, name};
            d.why = {say::kStaysForReaders, name, offer.saved};
        } else {
            d.chosen = {say::kCloneOf, name};
            d.why = {say::kReadersSave, offer.readers.size(), offer.saved};
        }
        context.decide(std::move(d));
    }
    Decision all;
    all.kind = DecisionKind::Clone;
    all.chosen = {say::kCopies, chosen.offers.size()};
    all.why = {say::kLessTraffic, gain};
    context.decide(std::move(all));
}

}  // namespace

Result<PassOutcome> addSolverClones(State& state, PassContext& context) {
    applyOpOrder(state, context);
    const BufferRules rules = BufferRules::from(context.settings, context.machine);
    const ScratchpadHints hints(context, state);
    PassOutcome outcome{false, {{"clones", 0}}};
    Result<TrialPlan> heuristic = planTrial(state, context);
    if (!heuristic) return std::move(heuristic).error();
    std::optional<ClonesChosen> best;
    Bytes least = heuristic.value().traffic;
    countTraffic(outcome, least, least);
    const State bare = withoutBudgetClones(state, hints);
    for (const State* base : {&bare, static_cast<const State*>(&state)}) {
        const auto offers = allowed(inputOffers(base->program, rules, true), hints, base->program);
        if (offers.empty()) continue;
        auto chosen = chooseClones(*base, offers, context.pass(), least, context);
        if (!chosen) return std::move(chosen).error();
        if (!chosen.value()) continue;
        best = std::move(chosen).value();
        least = best->plan.traffic;
    }
    if (!best) return outcome;
    report(context, *best, heuristic.value().traffic - least);
    outcome.changed = true;
    outcome.counts["clones"] = static_cast<std::int64_t>(best->offers.size());
    countTraffic(outcome, heuristic.value().traffic, least);
    state = std::move(best->inserted);
    return outcome;
}

Result<PassOutcome> addOutputClones(State& state, PassContext& context) {
    const BufferRules rules = BufferRules::from(context.settings, context.machine);
    const ScratchpadHints hints(context, state);
    const Bytes before = plannedTraffic(state);
    PassOutcome outcome{false, {{"clones", 0}}};
    countTraffic(outcome, before, before);
    std::vector<CloneOffer> offers = outputOffers(state.program, rules);
    const std::vector<CloneOffer> inputs = inputOffers(state.program, rules, false);
    offers.insert(offers.end(), inputs.begin(), inputs.end());
    offers = allowed(std::move(offers), hints, state.program);
    if (offers.empty()) return outcome;
    auto chosen = chooseClones(state, offers, context.pass(), before, context);
    if (!chosen) return std::move(chosen).error();
    if (!chosen.value()) return outcome;
    ClonesChosen& best = *chosen.value();
    report(context, best, before - best.plan.traffic);
    outcome.changed = true;
    outcome.counts["clones"] = static_cast<std::int64_t>(best.offers.size());
    countTraffic(outcome, before, best.plan.traffic);
    state = std::move(best.plan.state);
    return outcome;
}

}  // namespace memplan::spyre

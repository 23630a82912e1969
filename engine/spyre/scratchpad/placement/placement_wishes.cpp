// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/scratchpad/placement/placement_wishes.h"

namespace memplan::spyre {

solve::Wishes takeHints(const ScratchpadHints& hints, const Program& program, CandidateProblem& candidates) {
    solve::Wishes wishes;
    if (hints.empty()) return wishes;
    for (std::size_t i = 0; i < candidates.ids.size(); ++i) {
        const BufferWishes* w = hints.find(program, candidates.ids[i]);
        if (w == nullptr) continue;
        if (w->addressLimit) candidates.problem.items[i].addressLimit = w->limitValue;
        candidates.problem.items[i].onlyInParentSlot = w->inPlace && w->forceInPlace;
        if (w->pin) wishes.pinned.push_back(static_cast<int>(i));
    }
    for (const BufferId named : hints.addressOrder()) {
        for (std::size_t i = 0; i < candidates.ids.size(); ++i) {
            const BufferId source = program.buffers[candidates.ids[i].at()].cloneOf;
            if ((source.isValid() ? source : candidates.ids[i]) != named) continue;
            const BufferWishes* w = hints.find(program, candidates.ids[i]);
            wishes.addresses.push_back({static_cast<int>(i), w->addressValue});
        }
    }
    return wishes;
}

void findInPlaceParents(const Program& program, const BufferRules& rules, const ScratchpadHints& hints,
                        std::vector<ScratchpadState::Entry>& entries) {
    findInPlaceParents(program, rules, entries);
    for (std::size_t b = 0; !hints.empty() && b < entries.size(); ++b) {
        const BufferWishes* w = hints.find(program, BufferId::of(b));
        if (w != nullptr && w->inPlace && !w->forceInPlace) entries[b].inPlaceParents.clear();
    }
}

ClonePolicy clonePolicy(const State& state, const PassContext& context, bool byBudget) {
    ClonePolicy policy;
    policy.byBudget = byBudget;
    const ScratchpadHints hints(context, state);
    for (const BufferId input : state.program.inputs) {
        if (const auto wish = hints.cloneWish(input)) policy.wanted[input] = *wish;
    }
    return policy;
}

}  // namespace memplan::spyre

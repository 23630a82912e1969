// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/scratchpad/placement/candidate_problem.h"

#include "engine/base/numeric.h"
#include "engine/spyre/scratchpad/traffic.h"

#include <algorithm>

namespace memplan::spyre {

CandidateProblem candidateProblem(const Program& program, const std::vector<ScratchpadState::Entry>& entries,
                                  Bytes capacity, Bytes alignment) {
    CandidateProblem result;
    result.problem.capacity = capacity;
    result.problem.alignment = alignment;
    for (std::size_t b = 0; b < entries.size(); ++b) {
        if (entries[b].isCandidate) result.ids.push_back(BufferId::of(b));
    }
    std::stable_sort(result.ids.begin(), result.ids.end(),
                     [&](BufferId a, BufferId b) { return entries[a.at()].life.begin < entries[b.at()].life.begin; });
    std::vector<int> itemOf(entries.size(), -1);
    for (std::size_t i = 0; i < result.ids.size(); ++i)
        itemOf[result.ids[i].at()] = static_cast<int>(i);
    for (const BufferId id : result.ids) {
        const ScratchpadState::Entry& e = entries[id.at()];
        solve::Item item;
        item.name = program.buffers[id.at()].name;
        item.size = e.sizePerCore;
        item.start = e.life.begin;
        item.end = e.uses.back().index + 1;
        if (e.life.end > item.end) item.endOverride = e.life.end;
        for (const OpId use : e.uses)
            item.uses.push_back(use.index);
        const std::int64_t saved = accessesSaved(program, e, id);
        if (saved != static_cast<std::int64_t>(e.uses.size())) item.spillTraffic = saturatedMul(e.sizePerCore, saved);
        for (const BufferId p : e.inPlaceParents)
            item.inPlaceParents.push_back(itemOf[p.at()]);
        result.problem.items.push_back(std::move(item));
    }
    return result;
}

void takeSolution(const CandidateProblem& candidates, const solve::Solution& solution,
                  std::vector<ScratchpadState::Entry>& entries) {
    for (std::size_t i = 0; i < candidates.ids.size(); ++i) {
        ScratchpadState::Entry& e = entries[candidates.ids[i].at()];
        e.address = solution.addresses[i];
        const int parent = i < solution.inPlaceParent.size() ? solution.inPlaceParent[i] : -1;
        if (e.address && parent >= 0) e.inPlaceOf = candidates.ids[static_cast<std::size_t>(parent)];
    }
}

}  // namespace memplan::spyre

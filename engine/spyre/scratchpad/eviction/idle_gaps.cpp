// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/scratchpad/eviction/idle_gaps.h"

#include "engine/base/numeric.h"

#include <algorithm>

namespace memplan::spyre {
namespace {

/// Written once, by its first access and outside of an allocation: its value never changes.
bool holdsOneValue(const Program& program, std::span<const BufferAccess> accesses) {
    if (accesses.empty() || !accesses.front().isWrite || accesses.front().access == nullptr) return false;
    for (std::size_t i = 0; i < accesses.size(); ++i) {
        const Op& op = program.ops[accesses[i].op.at()];
        if (op.isAllocation() || accesses[i].access == nullptr || (i > 0 && accesses[i].isWrite)) return false;
    }
    return true;
}

/// Candidates without address that live at some step of [from, to).
bool anyoneWaits(const std::vector<StepRange>& waiting, std::size_t from, std::size_t to) {
    return std::any_of(waiting.begin(), waiting.end(),
                       [&](StepRange r) { return r.begin < static_cast<Step>(to) && static_cast<Step>(from) < r.end; });
}

void addGaps(const Program& program, const ScratchpadState::Entry& entry, BufferId id,
             const std::vector<StepRange>& waiting, std::vector<IdleGap>& gaps) {
    for (std::size_t u = 0; u + 1 < entry.uses.size(); ++u) {
        if (entry.uses[u + 1].index - entry.uses[u].index < 2) continue;
        IdleGap gap;
        gap.buffer = id;
        gap.leave = groupEnd(program, entry.uses[u].at());
        gap.come = groupBegin(program, entry.uses[u + 1].at());
        if (gap.leave >= gap.come) continue;
        if (entry.address && !anyoneWaits(waiting, gap.leave, gap.come)) continue;
        for (std::size_t v = 0; v < entry.uses.size(); ++v) {
            const bool isRead = !isEvict(program.ops[entry.uses[v].at()]);
            (v <= u ? gap.readsBefore : gap.readsAfter) += isRead ? readsPerRun(program, entry.uses[v], id) : 0;
            if (v > u) gap.readers.push_back(entry.uses[v]);
        }
        gap.weight = saturatedMul(entry.size, static_cast<std::int64_t>(gap.come - gap.leave));
        if (gap.readsBefore + gap.readsAfter >= 2) gaps.push_back(std::move(gap));
    }
}

}  // namespace

std::vector<IdleGap> idleGaps(const Program& program, const std::vector<ScratchpadState::Entry>& entries,
                              const std::set<BufferId>& kept) {
    std::vector<StepRange> waiting;
    for (const ScratchpadState::Entry& e : entries) {
        if (e.isCandidate && !e.address) waiting.push_back(e.life);
    }
    std::vector<IdleGap> gaps;
    if (waiting.empty()) return gaps;
    const AccessLists accesses(program);
    for (std::size_t b = 0; b < entries.size(); ++b) {
        const BufferId id = BufferId::of(b);
        if (!entries[b].isCandidate || kept.contains(id) || program.buffers[b].holdsOneTile()) continue;
        if (holdsOneValue(program, accesses[b])) addGaps(program, entries[b], id, waiting, gaps);
    }
    std::stable_sort(gaps.begin(), gaps.end(), [](const IdleGap& a, const IdleGap& b) { return a.weight > b.weight; });
    return gaps;
}

std::vector<MovePlan> departures(const Program& program, const IdleGap& gap) {
    const bool clean = program.buffers[gap.buffer.at()].cloneOf.isValid();
    std::vector<MovePlan> plans;
    const auto add = [&](bool writeOut, bool reload) {
        plans.push_back({gap.buffer, writeOut && !clean, gap.leave, {{gap.readers, reload, gap.come}}});
    };
    // Without a read before the gap the producer may as well write to main memory itself.
    if (gap.readsAfter >= 2 && (clean || gap.readsBefore >= 1)) add(true, true);
    if (gap.readsBefore >= 1) add(true, false);
    if (gap.readsAfter >= 2 && !clean) add(false, true);
    return plans;
}

}  // namespace memplan::spyre

// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/scratchpad/placement/room.h"

#include "engine/base/numeric.h"
#include "engine/spyre/texts/reasons.h"

#include <algorithm>
#include <limits>

namespace memplan::spyre {
namespace {

constexpr std::size_t kNamedBlockers = 8;

struct StepRoom {
    Bytes largestGap = 0;
    Bytes free = 0;
};

/// Largest aligned gap and free bytes at every step of a finished placement.
std::vector<StepRoom> roomPerStep(const std::vector<std::vector<BufferId>>& liveAt,
                                  const std::vector<ScratchpadState::Entry>& entries, Bytes capacity, Bytes alignment) {
    std::vector<StepRoom> room(liveAt.size());
    std::vector<AddressRange> blocks;
    for (std::size_t step = 0; step < liveAt.size(); ++step) {
        blocks.clear();
        for (const BufferId b : liveAt[step]) {
            const ScratchpadState::Entry& e = entries[b.at()];
            blocks.push_back({*e.address, *e.address + e.sizePerCore});
        }
        std::sort(blocks.begin(), blocks.end());
        Address top = 0;
        const auto gapTo = [&](Address end) {
            room[step].free += std::max<Bytes>(0, end - top);
            room[step].largestGap = std::max(room[step].largestGap, end - alignUp(top, alignment));
        };
        for (const auto& [begin, end] : blocks) {
            if (begin > top) gapTo(begin);
            top = std::max(top, end);
        }
        if (capacity > top) gapTo(capacity);
    }
    return room;
}

std::vector<std::vector<BufferId>> placedPerStep(const Program& program,
                                                 const std::vector<ScratchpadState::Entry>& entries) {
    std::vector<std::vector<BufferId>> live(program.ops.size());
    for (std::size_t b = 0; b < entries.size(); ++b) {
        if (!entries[b].address) continue;
        for (Step s = entries[b].life.begin; s < entries[b].life.end; ++s) {
            live[static_cast<std::size_t>(s)].push_back(BufferId::of(b));
        }
    }
    return live;
}

Statement lostPacking(const Program& program, const ScratchpadState::Entry& entry, const Reason& reason, Bytes free) {
    const bool isGapEverywhere = reason.largestGap >= entry.sizePerCore;
    const bool isBlocked = !reason.blockers.empty();
    const Wording& wording = isGapEverywhere ? (isBlocked ? say::kNoCommonGapBlocked : say::kNoCommonGap)
                                             : (isBlocked ? say::kNoGapBlocked : say::kNoGap);
    std::vector<std::string> names;
    for (const BufferId b : reason.blockers)
        names.push_back(program.buffers[b.at()].name);
    return {wording, entry.sizePerCore, entry.life.begin, entry.life.end - 1, reason.gapStep, reason.largestGap,
            free,    std::move(names)};
}

}  // namespace

void explainLostPacking(const Program& program, Bytes capacity, Bytes alignment,
                        std::vector<ScratchpadState::Entry>& entries) {
    const bool anyLost = std::any_of(entries.begin(), entries.end(), [](const ScratchpadState::Entry& e) {
        return e.isCandidate && !e.address && !e.reason;
    });
    if (!anyLost) return;
    const auto live = placedPerStep(program, entries);
    const auto room = roomPerStep(live, entries, capacity, alignment);
    for (ScratchpadState::Entry& entry : entries) {
        if (!entry.isCandidate || entry.address || entry.reason) continue;
        Reason reason;
        reason.code = ReasonCode::NoRoom;
        reason.largestGap = std::numeric_limits<Bytes>::max();
        for (Step s = entry.life.begin; s < entry.life.end; ++s) {
            const Bytes gap = room[static_cast<std::size_t>(s)].largestGap;
            if (gap >= reason.largestGap) continue;
            reason.largestGap = gap;
            reason.gapStep = s;
        }
        const auto tightest = static_cast<std::size_t>(reason.gapStep);
        reason.blockers = live[tightest];
        std::stable_sort(reason.blockers.begin(), reason.blockers.end(), [&](BufferId a, BufferId b) {
            return entries[a.at()].sizePerCore > entries[b.at()].sizePerCore;
        });
        if (reason.blockers.size() > kNamedBlockers) reason.blockers.resize(kNamedBlockers);
        reason.stated = lostPacking(program, entry, reason, room[tightest].free);
        entry.reason = std::move(reason);
    }
}

}  // namespace memplan::spyre

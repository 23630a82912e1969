// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/room.h"

#include "engine/base/numeric.h"
#include "engine/plan/memory_use.h"

#include <algorithm>

namespace memplan {
namespace {

bool isNeighbour(const PlanBuffer& other, const PlanBuffer& self) {
    return other.address && isOnChip(other.space) && other.life.overlaps(self.life);
}

std::vector<TakenRange> rangesWithout(const Plan& plan, const std::vector<BufferId>& ids, BufferId skipped) {
    std::vector<TakenRange> ranges;
    for (const BufferId id : ids) {
        const PlanBuffer& b = plan.buffer(id);
        if (id != skipped) ranges.push_back({*b.address, *b.address + b.sizePerCore, id});
    }
    return ranges;
}

}  // namespace

LargestGap largestGap(std::vector<TakenRange> taken, Bytes capacity, Bytes alignment) {
    std::ranges::stable_sort(taken, {}, &TakenRange::begin);
    LargestGap gap;
    BufferId last;
    Address free = 0;
    const auto offer = [&](Address end, BufferId next) {
        if (end - free > gap.size) gap = {free, end - free, last, next};
    };
    for (const TakenRange& range : taken) {
        offer(std::min(range.begin, capacity), range.buffer);
        const Address end = alignUp(range.end, alignment);
        if (end <= free) continue;
        free = end;
        last = range.buffer;
    }
    offer(capacity, BufferId{});
    return gap;
}

LargestGap gapOverLife(const Plan& plan, BufferId id) {
    const PlanBuffer& self = plan.buffer(id);
    std::vector<TakenRange> taken;
    for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
        const PlanBuffer& b = plan.buffers[i];
        if (BufferId::of(i) != id && isNeighbour(b, self))
            taken.push_back({*b.address, *b.address + b.sizePerCore, BufferId::of(i)});
    }
    return largestGap(std::move(taken), plan.memory.capacity, std::max<Bytes>(plan.memory.alignment, 1));
}

std::optional<TightestStep> tightestStep(const Plan& plan, BufferId id) {
    const std::optional<Reason>& reason = plan.buffer(id).reason;
    if (!reason || reason->largestGap < 0 || reason->gapStep < 0) return std::nullopt;
    return TightestStep{reason->gapStep, reason->largestGap, useAt(plan, reason->gapStep).free};
}

RoomFor roomFor(const Plan& plan, BufferId id) {
    const PlanBuffer& self = plan.buffer(id);
    const Bytes alignment = std::max<Bytes>(plan.memory.alignment, 1);
    RoomFor room;
    room.needed = self.sizePerCore;
    for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
        const BufferId other = BufferId::of(i);
        if (other != id && isNeighbour(plan.buffers[i], self)) room.neighbours.push_back(other);
    }
    const auto larger = [&](BufferId a, BufferId b) { return plan.buffer(a).sizePerCore > plan.buffer(b).sizePerCore; };
    std::stable_sort(room.neighbours.begin(), room.neighbours.end(), larger);
    const auto gapWithout = [&](BufferId skipped) {
        return largestGap(rangesWithout(plan, room.neighbours, skipped), plan.memory.capacity, alignment).size;
    };
    room.largestGap = gapWithout(BufferId{});
    Address top = 0;
    for (const TakenRange& r : rangesWithout(plan, room.neighbours, BufferId{}))
        top = std::max(top, r.end);
    room.capacityNeeded = alignUp(top, alignment) + room.needed;
    for (auto it = room.neighbours.rbegin(); it != room.neighbours.rend(); ++it) {
        if (room.largestGap < room.needed && gapWithout(*it) >= room.needed) room.singleMoves.push_back(*it);
    }
    return room;
}

}  // namespace memplan

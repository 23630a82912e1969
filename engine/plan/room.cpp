// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/room.h"

#include "engine/base/numeric.h"

#include <algorithm>

namespace memplan {
namespace {

struct AddressRange {
    Address begin = 0;
    Address end = 0;
};

bool isNeighbour(const PlanBuffer& other, const PlanBuffer& self) {
    return other.address && isOnChip(other.space) && other.life.overlaps(self.life);
}

Bytes largestGapAmong(std::vector<AddressRange> taken, Bytes capacity, Bytes alignment) {
    std::sort(taken.begin(), taken.end(),
              [](const AddressRange& a, const AddressRange& b) { return a.begin < b.begin; });
    Bytes largest = 0;
    Address free = 0;
    for (const AddressRange& range : taken) {
        largest = std::max(largest, range.begin - free);
        free = std::max(free, alignUp(range.end, alignment));
    }
    return std::max(largest, capacity - free);
}

std::vector<AddressRange> rangesWithout(const Plan& plan, const std::vector<BufferId>& ids, BufferId skipped) {
    std::vector<AddressRange> ranges;
    for (const BufferId id : ids) {
        const PlanBuffer& b = plan.buffer(id);
        if (id != skipped) ranges.push_back({*b.address, *b.address + b.sizePerCore});
    }
    return ranges;
}

}  // namespace

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
        return largestGapAmong(rangesWithout(plan, room.neighbours, skipped), plan.memory.capacity, alignment);
    };
    room.largestGap = gapWithout(BufferId{});
    Address top = 0;
    for (const AddressRange& r : rangesWithout(plan, room.neighbours, BufferId{}))
        top = std::max(top, r.end);
    room.capacityNeeded = alignUp(top, alignment) + room.needed;
    for (auto it = room.neighbours.rbegin(); it != room.neighbours.rend(); ++it) {
        if (room.largestGap < room.needed && gapWithout(*it) >= room.needed) room.singleMoves.push_back(*it);
    }
    return room;
}

}  // namespace memplan

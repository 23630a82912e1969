// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/gantt/data/gantt_drag.h"

#include "engine/hints/kinds.h"

#include <algorithm>
#include <cstdlib>

namespace memplan::ui {

namespace {

constexpr Bytes kStick = 128;

Bytes roundUp(Bytes value) {
    return (value + kStick - 1) / kStick * kStick;
}

std::vector<GanttItem> liveWith(const GanttData& data, BufferId buffer, StepRange life) {
    std::vector<GanttItem> items;
    for (const auto* list : {&data.items, &data.longItems})
        for (const GanttItem& item : *list)
            if (item.buffer != buffer && StepRange{item.start, item.end}.overlaps(life)) items.push_back(item);
    std::ranges::sort(items, {}, [](const GanttItem& i) { return std::pair(i.address, i.buffer); });
    return items;
}

/// The first buffer of its slot. The step bound keeps a damaged plan whose buffers follow each other in a ring finite.
BufferId slotOf(const Plan& plan, BufferId id) {
    for (std::size_t i = 0; i < plan.buffers.size() && plan.buffer(id).inPlaceOf.isValid(); ++i)
        id = plan.buffer(id).inPlaceOf;
    return id;
}

Address magnetTo(const std::vector<GanttItem>& near, Address wanted, Bytes size, Bytes usable, Bytes magnet) {
    Address best = wanted;
    Bytes distance = magnet + 1;
    const auto offer = [&](Address at) {
        if (at < 0 || at + size > usable || std::abs(at - wanted) >= distance) return;
        best = at;
        distance = std::abs(at - wanted);
    };
    offer(0);
    offer((usable - size) / kStick * kStick);
    for (const GanttItem& item : near) {
        offer(roundUp(item.address + item.size));
        offer((item.address - size) / kStick * kStick);
    }
    return best;
}

}  // namespace

GanttDrag dragProposal(const GanttData& data, BufferId buffer, Address wanted, bool isLimit, Bytes magnet) {
    const PlanBuffer& b = data.plan->buffer(buffer);
    GanttDrag drag{buffer, 0, isLimit, b.sizePerCore, b.life, {}, b.sizePerCore > data.usable};
    if (drag.overLimit) return drag;
    const std::vector<GanttItem> near = liveWith(data, buffer, b.life);
    const Address highest = (data.usable - drag.size) / kStick * kStick;
    const Address pulled = magnet > 0 ? magnetTo(near, wanted, drag.size, data.usable, magnet) : wanted;
    drag.address = std::clamp((std::max<Address>(pulled, 0) + kStick / 2) / kStick * kStick, Address{0}, highest);
    if (isLimit) return drag;
    const BufferId slot = slotOf(*data.plan, buffer);
    for (const GanttItem& item : near) {
        const bool overlaps = item.address < drag.address + drag.size && drag.address < item.address + item.size;
        // The others of its slot go where it goes: none of them has to give way.
        if (!overlaps || slotOf(*data.plan, item.buffer) == slot) continue;
        drag.conflicts.push_back(item.buffer);
    }
    return drag;
}

std::optional<Address> dragStart(const GanttData& data, BufferId buffer) {
    if (!data.plan || data.stacked || hints::findKind(data.plan->target, "address") == nullptr) return std::nullopt;
    const PlanBuffer& b = data.plan->buffer(buffer);
    if (b.address && isOnChip(b.space)) return b.address;
    if (const auto ghost = ghostOf(data, buffer)) return ghost->address;
    return std::nullopt;
}

}  // namespace memplan::ui

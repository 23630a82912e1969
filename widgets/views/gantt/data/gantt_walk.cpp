// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/gantt/data/gantt_walk.h"

#include "widgets/plan/plan_look.h"

#include <algorithm>
#include <cstdlib>
#include <tuple>

namespace memplan::ui {

std::optional<BufferId> nextInSchedule(const Plan& plan, BufferId from, int direction) {
    const auto key = [&plan](BufferId id) { return std::pair(plan.buffer(id).life.begin, id); };
    std::optional<BufferId> best;
    for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
        const BufferId id = BufferId::of(i);
        const bool beyond = direction > 0 ? key(id) > key(from) : key(id) < key(from);
        if (beyond && (!best || (direction > 0 ? key(id) < key(*best) : key(id) > key(*best)))) best = id;
    }
    return best;
}

std::optional<BufferId> nextInAddresses(const Plan& plan, BufferId from, bool higher) {
    const PlanBuffer& self = plan.buffer(from);
    const auto key = [&](BufferId id) {
        const PlanBuffer& b = plan.buffer(id);
        return std::tuple(std::abs(*b.address - *self.address), b.life.begin, id);
    };
    std::optional<BufferId> best;
    for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
        const BufferId id = BufferId::of(i);
        const PlanBuffer& b = plan.buffer(id);
        if (!isPlaced(b) || !b.life.overlaps(self.life) || *b.address == *self.address) continue;
        if ((*b.address > *self.address) == higher && (!best || key(id) < key(*best))) best = id;
    }
    return best;
}

std::optional<Step> nextPeak(const GanttData& data, std::optional<Step> from, int direction) {
    const auto live = [&data](Step s) { return data.useAt(s).live; };
    const auto isPeak = [&](Step s) {
        const bool rises = s == 0 || live(s - 1) < live(s);
        Step after = s;
        while (after + 1 < data.steps && live(after + 1) == live(s))
            ++after;
        return rises && (after + 1 == data.steps || live(after + 1) < live(s));
    };
    Step s = from.value_or(direction > 0 ? -1 : data.steps);
    for (s += direction; s >= 0 && s < data.steps; s += direction)
        if (isPeak(s)) return s;
    return std::nullopt;
}

StepRange stepsOf(const Plan& plan, const LoopGroups& loops, ItemId id) {
    if (id.kind == ItemKind::Buffer) return plan.buffer(BufferId{id.index}).life;
    if (id.kind == ItemKind::Loop) return loops.group(id.index).steps();
    return id.kind == ItemKind::Op || id.kind == ItemKind::Step ? StepRange{id.index, id.index + 1} : StepRange{};
}

std::vector<BufferId> hintedBuffers(const PlanPtr& plan, const std::vector<ItemId>& items) {
    std::vector<BufferId> buffers;
    for (const ItemId item : items) {
        if (item.kind == ItemKind::Buffer) buffers.push_back(BufferId{item.index});
        if (item.kind == ItemKind::Op && plan)
            buffers.insert(buffers.end(), plan->op(OpId{item.index}).outputs.begin(),
                           plan->op(OpId{item.index}).outputs.end());
    }
    std::ranges::sort(buffers);
    const std::vector<BufferId> named = buffers;
    for (std::size_t i = 0; plan && i < plan->buffers.size(); ++i)
        if (std::ranges::binary_search(named, plan->buffers[i].cloneOf)) buffers.push_back(BufferId::of(i));
    std::ranges::sort(buffers);
    buffers.erase(std::unique(buffers.begin(), buffers.end()), buffers.end());
    return buffers;
}

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/gantt/data/gantt_data.h"

#include "engine/plan/given_name.h"
#include "widgets/plan/loop_groups.h"

#include <algorithm>
#include <map>

namespace memplan::ui {

namespace {

constexpr int kLongShare = 16;
constexpr std::size_t kHistogramRows = 256, kLabelledRows = 24;

bool isOnChipHere(const PlanBuffer& b) {
    return isOnChip(b.space);
}

/// Reservations without decided addresses: each takes the lowest room over its lifetime, in order of
/// reservation, so that heights add up as the reservations do (user-experience 7.13).
std::map<std::int32_t, Address> stackedAddresses(const Plan& plan) {
    std::map<std::int32_t, Address> result;
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < plan.buffers.size(); ++i)
        if (isOnChipHere(plan.buffers[i]) && !plan.buffers[i].address) order.push_back(i);
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return plan.buffers[i].life.begin; });
    std::vector<std::size_t> open;  // live at the start of the current one
    for (const std::size_t i : order) {
        const PlanBuffer& b = plan.buffers[i];
        std::erase_if(open, [&](std::size_t o) { return plan.buffers[o].life.end <= b.life.begin; });
        std::vector<std::pair<Address, Address>> taken;
        for (const std::size_t o : open) {
            const Address at = result[static_cast<std::int32_t>(o)];
            taken.emplace_back(at, at + plan.buffers[o].sizePerCore);
        }
        std::ranges::sort(taken);
        Address at = 0;
        for (const auto& [from, to] : taken) {
            if (at + b.sizePerCore <= from) break;
            at = std::max(at, to);
        }
        result[static_cast<std::int32_t>(i)] = at;
        open.push_back(i);
    }
    return result;
}

std::vector<GanttItem> placedItems(const Plan& plan, bool& stacked) {
    const std::map<std::int32_t, Address> stack = stackedAddresses(plan);
    stacked = !stack.empty();
    std::vector<GanttItem> items;
    for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
        const PlanBuffer& b = plan.buffers[i];
        if (!isOnChipHere(b) || b.life.end <= b.life.begin) continue;
        const auto found = stack.find(static_cast<std::int32_t>(i));
        const Address at = b.address ? *b.address : found->second;
        items.push_back({b.life.begin, b.life.end, b.life.end, at, b.sizePerCore, BufferId::of(i)});
    }
    return items;
}

std::vector<UsedBlock> blocksOf(const std::vector<GanttItem>& items) {
    std::vector<UsedBlock> blocks;
    blocks.reserve(items.size());
    for (const GanttItem& item : items)
        blocks.push_back({{item.start, item.end}, item.address, item.size});
    return blocks;
}

/// An in-place child that covers its parent's slot hides the parent's tail.
void cutParents(const Plan& plan, std::vector<GanttItem>& items) {
    std::vector<std::int32_t> position(plan.buffers.size(), -1);
    for (std::size_t i = 0; i < items.size(); ++i)
        position[items[i].buffer.at()] = static_cast<std::int32_t>(i);
    for (const GanttItem& child : items) {
        const BufferId parent = plan.buffer(child.buffer).inPlaceOf;
        if (!parent.isValid() || position[parent.at()] < 0) continue;
        GanttItem& p = items[static_cast<std::size_t>(position[parent.at()])];
        const bool covers = child.address <= p.address && child.address + child.size >= p.address + p.size;
        if (covers && child.start > p.start) p.drawEnd = std::min(p.drawEnd, child.start);
    }
}

void splitByLength(GanttData& data, std::vector<GanttItem> items) {
    std::ranges::sort(items, {}, [](const GanttItem& i) { return std::pair(i.start, i.buffer); });
    const Step limit = std::max<Step>(1, data.steps / kLongShare);
    for (const GanttItem& item : items)
        (item.end - item.start > limit && data.steps > kLongShare ? data.longItems : data.items).push_back(item);
    Step highest = 0;
    for (const GanttItem& item : data.items)
        data.maxEnd.push_back(highest = std::max(highest, item.end));
}

std::vector<double> addressHistogram(const GanttData& data, const std::vector<GanttItem>& items) {
    std::vector<double> rows(kHistogramRows, 0.0);
    if (data.steps == 0 || data.top <= 0) return rows;
    const auto rowOf = [&](Address a) {
        return std::min<std::size_t>(kHistogramRows, static_cast<std::size_t>(std::max<Address>(0, a)) *
                                                         kHistogramRows / static_cast<std::size_t>(data.top));
    };
    for (const GanttItem& item : items) {
        // A row counts when its first byte is in use.
        const std::size_t first = rowOf(item.address + data.top / static_cast<Bytes>(kHistogramRows) - 1);
        const std::size_t last = std::max(first + 1, rowOf(item.address + item.size - 1) + 1);
        for (std::size_t r = first; r < std::min(last, kHistogramRows); ++r)
            rows[r] += item.drawEnd - item.start;
    }
    for (double& r : rows)
        r = std::min(1.0, r / data.steps);
    return rows;
}

Bytes offChipTraffic(const PlanBuffer& b) {
    return b.size * static_cast<Bytes>(std::max<std::size_t>(1, b.uses.size()));
}

std::vector<OffChipItem> offChipItems(const Plan& plan) {
    std::vector<OffChipItem> items;
    for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
        const PlanBuffer& b = plan.buffers[i];
        if (isOnChipHere(b) || b.life.end <= b.life.begin) continue;
        items.push_back({BufferId::of(i), b.life, offChipTraffic(b), 0});
    }
    std::ranges::stable_sort(items, std::ranges::greater{}, &OffChipItem::traffic);
    return items;
}

/// Steps that the name of a bar takes beside it in a lane of common width; few bars get that room.
Step labelSteps(const GanttData& data, const OffChipItem& item) {
    if (data.offChip.size() > kLabelledRows) return 0;
    const auto letters = static_cast<double>(shownName(*data.plan, item.buffer).size());
    return static_cast<Step>((letters * 6.5 + 14.0) * data.steps / 640.0);
}

/// First row whose bars leave the lifetime free; rows are kept as sorted interval maps.
void assignRows(GanttData& data) {
    std::vector<std::map<Step, Step>> rows;
    for (OffChipItem& placed : data.offChip) {
        OffChipItem item = placed;
        const Step label = labelSteps(data, item);
        if (item.life.end + label <= data.steps)
            item.life.end += label;
        else
            item.life.begin = std::max<Step>(0, item.life.begin - label);
        const auto isFree = [&item](const std::map<Step, Step>& row) {
            const auto next = row.lower_bound(item.life.begin);
            if (next != row.end() && next->first < item.life.end) return false;
            return next == row.begin() || std::prev(next)->second <= item.life.begin;
        };
        const auto found = std::ranges::find_if(rows, isFree);
        placed.row = static_cast<int>(found - rows.begin());
        if (found == rows.end()) rows.emplace_back();
        rows[static_cast<std::size_t>(placed.row)].emplace(item.life.begin, item.life.end);
    }
}

std::string lastPart(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? path : path.substr(slash + 1);
}

std::vector<StepRun> groupRuns(const Plan& plan) {
    std::vector<StepRun> runs;
    for (std::size_t i = 0; i < plan.ops.size(); ++i) {
        const auto s = static_cast<Step>(i);
        const std::string name = lastPart(plan.ops[i].groupPath);
        if (!runs.empty() && runs.back().steps.end == s && runs.back().text == name)
            runs.back().steps.end = s + 1;
        else if (!name.empty())
            runs.push_back({{s, s + 1}, name, {}});
    }
    return runs;
}

/// Every level of a nest has runs of its own, the outer ones first.
std::vector<StepRun> loopRuns(const Plan& plan) {
    std::vector<StepRun> runs;
    const LoopGroups loops = loopGroups(plan);
    for (std::size_t g = 0; g < loops.groups.size(); ++g) {
        const LoopGroup& loop = loops.groups[g];
        const std::string count = "\u00d7" + std::to_string(loop.count());
        const std::string name = loop.name.substr(0, loop.name.find(" \u00d7"));
        const std::size_t first = runs.size();
        for (const OpId op : loop.ops)
            if (runs.size() > first && runs.back().steps.end == op.index)
                runs.back().steps.end = op.index + 1;
            else
                runs.push_back({{op.index, op.index + 1},
                                name,
                                loop.counts.empty() ? std::string() : count,
                                static_cast<int>(g),
                                static_cast<int>(loop.path.size()) - 1});
    }
    std::ranges::stable_sort(runs, {}, &StepRun::level);
    return runs;
}

/// What the importer of a bundle (BND-106) or the validator (VER-003) found.
std::vector<GanttOverlap> overlapsOf(const Plan& plan) {
    std::vector<GanttOverlap> overlaps;
    for (const Diagnostic& d : plan.problems) {
        if ((d.code != "BND-106" && d.code != "VER-003") || d.buffers.size() != 2) continue;
        const PlanBuffer& a = plan.buffer(d.buffers[0]);
        const PlanBuffer& b = plan.buffer(d.buffers[1]);
        if (!isOnChipHere(a) || !isOnChipHere(b) || !a.address || !b.address) continue;
        const StepRange steps{std::max(a.life.begin, b.life.begin), std::min(a.life.end, b.life.end)};
        const Address from = std::max(*a.address, *b.address);
        const Address to = std::min(*a.address + a.sizePerCore, *b.address + b.sizePerCore);
        if (steps.begin < steps.end && from < to)
            overlaps.push_back({d.buffers[0], d.buffers[1], steps, from, to - from});
    }
    return overlaps;
}

}  // namespace

GanttDataPtr buildGanttData(PlanPtr plan) {
    auto data = std::make_shared<GanttData>();
    if (!plan) return data;
    data->plan = plan;
    data->steps = static_cast<Step>(plan->ops.size());
    std::vector<GanttItem> items = placedItems(*plan, data->stacked);
    cutParents(*plan, items);
    for (const GanttItem& item : items)
        data->steps = std::max(data->steps, item.end);
    for (const GanttItem& item : items)
        data->top = std::max(data->top, item.address + item.size);
    data->usable = plan->memory.capacity > 0 ? plan->memory.capacity : std::max<Bytes>(1, data->top);
    data->physical = std::max({plan->memory.physical, data->usable, data->top});
    data->use = usePerStep(blocksOf(items), data->steps, data->usable);
    for (std::size_t s = 0; s < data->use.size(); ++s)
        data->peak.add(static_cast<Step>(s), data->use[s]);
    data->histogram = addressHistogram(*data, items);
    splitByLength(*data, std::move(items));
    data->offChip = offChipItems(*plan);
    assignRows(*data);
    data->overlaps = overlapsOf(*plan);
    data->groups = groupRuns(*plan);
    data->loops = loopRuns(*plan);
    return data;
}

std::pair<std::size_t, std::size_t> visibleItems(const GanttData& data, double t0, double t1) {
    const auto first = std::ranges::upper_bound(data.maxEnd, t0, {}, [](Step s) { return static_cast<double>(s); });
    const auto last =
        std::ranges::lower_bound(data.items, t1, {}, [](const GanttItem& i) { return static_cast<double>(i.start); });
    const auto a = static_cast<std::size_t>(first - data.maxEnd.begin());
    return {a, std::max(a, static_cast<std::size_t>(last - data.items.begin()))};
}

std::optional<GhostPlace> ghostOf(const GanttData& data, BufferId refused) {
    const PlanBuffer& b = data.plan->buffer(refused);
    if (isOnChip(b.space) || !b.reason || b.life.end <= b.life.begin) return std::nullopt;
    const ReasonCode code = b.reason->code;
    if (code == ReasonCode::GraphInput || code == ReasonCode::GraphOutput || code == ReasonCode::PlanningOff)
        return std::nullopt;
    std::vector<TakenRange> taken;
    for (const auto* list : {&data.items, &data.longItems})
        for (const GanttItem& item : *list)
            if (StepRange{item.start, item.end}.overlaps(b.life))
                taken.push_back({item.address, item.address + item.size, item.buffer});
    const LargestGap gap = largestGap(std::move(taken), data.usable, std::max<Bytes>(1, data.plan->memory.alignment));
    GhostPlace ghost{gap.begin, b.sizePerCore, b.life, gap.size, 0, !gap.above.isValid(), b.reason->blockers};
    ghost.shortBy = std::max<Bytes>(0, ghost.size - ghost.gap);
    ghost.tightest = tightestStep(*data.plan, refused);
    if (!ghost.blockers.empty() || ghost.shortBy == 0) return ghost;
    for (const BufferId id : {gap.below, gap.above})
        if (id.isValid()) ghost.blockers.push_back(id);
    return ghost;
}

}  // namespace memplan::ui

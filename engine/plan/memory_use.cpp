// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/memory_use.h"

#include <algorithm>
#include <map>
#include <set>

namespace memplan {
namespace {

/// How many blocks cover each address: runs of equal count by their first address, the last one without an end.
class Coverage {
public:
    explicit Coverage(Bytes limit) : limit_(limit) {
        runs_.emplace(0, 0);
        keep(runs_.begin());
    }

    /// Adds a block (`by` = 1) or takes it away again (-1).
    void change(Address from, Address to, int by) {
        from = std::max<Address>(from, 0);
        if (from >= to) return;
        auto first = std::prev(runs_.upper_bound(from));
        if (first->first == from && first != runs_.begin()) --first;  // may become one run with what follows
        const auto end = runs_.upper_bound(to);
        for (auto it = first; it != end; ++it)
            drop(it);
        const auto begin = split(from), last = split(to);
        for (auto it = begin; it != last; ++it)
            cover(it, by);
        join(last);
        join(begin);
        for (auto it = first; it != end; ++it)
            keep(it);
    }

    [[nodiscard]] MemoryUse use() const {
        return {live_, runs_.rbegin()->first, free_, gaps_.empty() ? 0 : *gaps_.rbegin()};
    }

private:
    using Runs = std::map<Address, int>;

    [[nodiscard]] Runs::iterator split(Address at) {
        const auto before = std::prev(runs_.upper_bound(at));
        return before->first == at ? before : runs_.emplace_hint(std::next(before), at, before->second);
    }

    void cover(Runs::iterator run, int by) {
        const Bytes length = std::next(run)->first - run->first;
        if (run->second == 0) live_ += length;
        run->second += by;
        if (run->second == 0) live_ -= length;
    }

    /// With the run before it, where both are covered alike.
    void join(Runs::iterator run) {
        if (run != runs_.begin() && std::prev(run)->second == run->second) runs_.erase(run);
    }

    /// Bytes of a free run; 0 for one in use. The last one ends at the limit.
    [[nodiscard]] Bytes freeBytes(Runs::const_iterator run) const {
        if (run->second != 0) return 0;
        const auto next = std::next(run);
        const Address end = next == runs_.end() ? limit_ : next->first;
        return std::max<Bytes>(0, end - run->first);
    }

    void keep(Runs::const_iterator run) {
        const Bytes bytes = freeBytes(run);
        free_ += bytes;
        if (bytes > 0) gaps_.insert(bytes);
    }

    void drop(Runs::const_iterator run) {
        const Bytes bytes = freeBytes(run);
        free_ -= bytes;
        if (bytes > 0) gaps_.erase(gaps_.find(bytes));
    }

    Bytes limit_;
    Runs runs_;
    std::multiset<Bytes> gaps_;
    Bytes live_ = 0, free_ = 0;
};

struct Event {
    Step step = 0;
    int by = 0;
    std::size_t block = 0;
};

std::vector<Event> eventsOf(const std::vector<UsedBlock>& blocks) {
    std::vector<Event> events;
    events.reserve(2 * blocks.size());
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        if (blocks[i].life.end <= blocks[i].life.begin) continue;
        events.push_back({blocks[i].life.begin, 1, i});
        events.push_back({blocks[i].life.end, -1, i});
    }
    std::ranges::stable_sort(events, {}, &Event::step);
    return events;
}

}  // namespace

double MemoryUse::fragmentation() const {
    return free <= 0 ? 0.0 : 1.0 - static_cast<double>(largestFree) / static_cast<double>(free);
}

void PeakUse::add(Step step, const MemoryUse& use) {
    if (use.top > top || (use.top == top && use.live > liveAtTop_)) {
        top = use.top;
        topStep = step;
        liveAtTop_ = use.live;
    }
    if (use.live > live) {
        live = use.live;
        liveStep = step;
    }
    if (use.fragmentation() > fragmentation) {
        fragmentation = use.fragmentation();
        fragmentationStep = step;
    }
}

std::vector<UsedBlock> usedBlocks(const Plan& plan) {
    std::vector<UsedBlock> blocks;
    for (const PlanBuffer& b : plan.buffers)
        if (isOnChip(b.space) && b.address) blocks.push_back({b.life, *b.address, b.sizePerCore});
    return blocks;
}

void sweepUse(const std::vector<UsedBlock>& blocks, Bytes limit,
              const std::function<void(StepRange, const MemoryUse&)>& visit) {
    const std::vector<Event> events = eventsOf(blocks);
    Coverage coverage(limit);
    for (std::size_t i = 0; i < events.size();) {
        const Step step = events[i].step;
        for (; i < events.size() && events[i].step == step; ++i) {
            const UsedBlock& b = blocks[events[i].block];
            coverage.change(b.begin, b.begin + b.size, events[i].by);
        }
        if (i < events.size()) visit({step, events[i].step}, coverage.use());
    }
}

std::vector<MemoryUse> usePerStep(const std::vector<UsedBlock>& blocks, Step steps, Bytes limit) {
    std::vector<MemoryUse> use(static_cast<std::size_t>(steps), MemoryUse{0, 0, limit, limit});
    sweepUse(blocks, limit, [&use, steps](StepRange run, const MemoryUse& now) {
        for (Step s = std::max<Step>(run.begin, 0); s < std::min(run.end, steps); ++s)
            use[static_cast<std::size_t>(s)] = now;
    });
    return use;
}

MemoryUse useAt(const Plan& plan, Step step) {
    Coverage coverage(plan.memory.capacity);
    for (const UsedBlock& b : usedBlocks(plan))
        if (b.life.contains(step)) coverage.change(b.begin, b.begin + b.size, 1);
    return coverage.use();
}

Step peakStep(const Plan& plan) {
    const std::vector<OccupancyPoint>& points = plan.memory.occupancy;
    std::optional<OccupancyPoint> best;
    for (const UsedBlock& b : usedBlocks(plan)) {
        if (b.begin + b.size != plan.memory.peak) continue;
        // A point holds until the next one.
        auto at = std::ranges::upper_bound(points, b.life.begin, {}, &OccupancyPoint::step);
        if (at != points.begin()) --at;
        for (; at != points.end() && at->step < b.life.end; ++at) {
            const OccupancyPoint now{std::max(at->step, b.life.begin), at->bytes};
            const bool isBetter =
                !best || now.bytes > best->bytes || (now.bytes == best->bytes && now.step < best->step);
            if (isBetter) best = now;
        }
    }
    return best ? best->step : plan.memory.livePeakStep;
}

PeakUse peakUse(const Plan& plan) {
    PeakUse peak;
    sweepUse(usedBlocks(plan), plan.memory.capacity,
             [&peak](StepRange run, const MemoryUse& use) { peak.add(run.begin, use); });
    return peak;
}

}  // namespace memplan

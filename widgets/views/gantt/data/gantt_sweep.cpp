// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/gantt/data/gantt_sweep.h"

#include <algorithm>
#include <map>
#include <set>

namespace memplan::ui {

namespace {

/// Occupied intervals [from, to) and the multiset of gaps between them below the limit.
class FreeBlocks {
public:
    explicit FreeBlocks(Bytes limit) : limit_(limit) { gaps_.insert(limit); }

    void occupy(Address from, Address to) {
        const auto [it, fresh] = blocks_.emplace(std::pair(from, to), 0);
        if (it->second++ > 0 || !fresh) return;
        drop(endBefore(it), startAfter(it));
        keep(endBefore(it), from);
        keep(to, startAfter(it));
    }

    void release(Address from, Address to) {
        const auto it = blocks_.find(std::pair(from, to));
        if (it == blocks_.end() || --it->second > 0) return;
        drop(endBefore(it), from);
        drop(to, startAfter(it));
        keep(endBefore(it), startAfter(it));
        blocks_.erase(it);
    }

    [[nodiscard]] Bytes largest() const { return gaps_.empty() ? 0 : std::max<Bytes>(0, *gaps_.rbegin()); }

private:
    using Blocks = std::map<std::pair<Address, Address>, int>;

    [[nodiscard]] Address endBefore(Blocks::const_iterator it) const {
        return it == blocks_.begin() ? 0 : std::prev(it)->first.second;
    }
    [[nodiscard]] Address startAfter(Blocks::const_iterator it) const {
        return std::next(it) == blocks_.end() ? limit_ : std::next(it)->first.first;
    }
    // Overlaps of an invalid plan give negative gaps; they are kept like others so that release undoes occupy.
    void keep(Address from, Address to) { gaps_.insert(std::min(to, limit_) - from); }
    void drop(Address from, Address to) {
        const auto found = gaps_.find(std::min(to, limit_) - from);
        if (found != gaps_.end()) gaps_.erase(found);
    }

    Bytes limit_;
    Blocks blocks_;
    std::multiset<Bytes> gaps_;
};

}  // namespace

SweepResult sweepSteps(const std::vector<GanttItem>& items, Step steps, Bytes usable) {
    const auto count = static_cast<std::size_t>(steps);
    SweepResult result{std::vector<Bytes>(count, 0), std::vector<Bytes>(count, usable)};
    std::vector<std::vector<std::size_t>> begins(count + 1), ends(count + 1);
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (items[i].drawEnd <= items[i].start) continue;
        begins[static_cast<std::size_t>(items[i].start)].push_back(i);
        ends[static_cast<std::size_t>(std::min(items[i].drawEnd, steps))].push_back(i);
    }
    FreeBlocks blocks(usable);
    Bytes live = 0;
    for (std::size_t s = 0; s < count; ++s) {
        for (const std::size_t i : ends[s]) {
            blocks.release(items[i].address, items[i].address + items[i].size);
            live -= items[i].size;
        }
        for (const std::size_t i : begins[s]) {
            blocks.occupy(items[i].address, items[i].address + items[i].size);
            live += items[i].size;
        }
        result.live[s] = live;
        result.largestFree[s] = blocks.largest();
    }
    return result;
}

}  // namespace memplan::ui

// SPDX-License-Identifier: Apache-2.0
// Lower bounds of scratchpad 8. The spill bound of a tick is a covering knapsack: the cheapest buffers whose
// removal brings L(t) down to the capacity. The sweep keeps its continuous relaxation up to date; few ticks are
// solved exactly afterwards. Ticks that share no buffer add up, which makes the bound useful for long programs.
#include "engine/solve/problem/bounds.h"

#include "engine/base/numeric.h"
#include "engine/solve/problem/knapsack.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace memplan::solve {

namespace {

constexpr Step kMaxListedTicks = 4'194'304;    // beyond this spacePerTick stays empty (32 MiB)
constexpr std::size_t kMaxExactTicks = 256;    // ticks whose knapsack is solved exactly
constexpr std::int64_t kKnapsackNodes = 2000;  // search nodes for one of them

struct Entry {
    Step start = 0;
    Step end = 0;
    Bytes size = 0;
    Bytes padded = 0;
    bool mayBeHanded = false;  ///< has a candidate parent: in its first tick it may need no room of its own
    std::size_t rank = 0;      ///< in the order of cost per room
};

/// From `at` on, buffer `entry` needs `room` bytes.
struct Change {
    Step at = 0;
    std::size_t entry = 0;
    Bytes room = 0;
    bool isLive = true;
};

struct Tick {
    Step at = 0;
    Bytes load = 0;        ///< L(t)
    Bytes excess = 0;      ///< room to be freed, a multiple of the alignment
    Bytes loss = 0;        ///< least bytes that cannot stay
    Step reach = 0;        ///< latest end of everything started
    std::size_t next = 0;  ///< first tick that shares no buffer with this one
};

class BoundSweep {
public:
    explicit BoundSweep(const Problem& problem) : problem_(problem) {
        collect();
        rankEntries();
    }

    Bounds run() {
        sweep();
        refine();
        Bounds result;
        for (const Tick& t : ticks_)
            result.peakLowerBound = std::max(result.peakLowerBound, t.load);
        for (const Entry& e : entries_)
            result.pinnedUpperBound += e.size;
        result.spillLowerBound = chain().front();
        result.pinnedUpperBound -= result.spillLowerBound;
        result.spacePerTick = perTick();
        return result;
    }

private:
    void collect() {
        Bytes common = 0;
        bool hasGaps = false;
        for (const Item& item : problem_.items) {
            if (!problem_.isCandidate(item)) continue;
            common = std::gcd(common, problem_.alignmentOf(item));
            hasGaps = hasGaps || !item.gaps.empty();
        }
        // Padding cannot be counted where part of a neighbour is dead, so buffer lists with dead ranges are counted
        // in plain bytes.
        alignment_ = hasGaps ? 1 : std::max<Bytes>(common, 1);
        for (const Item& item : problem_.items) {
            if (problem_.isCandidate(item)) addEntry(item);
        }
        std::stable_sort(changes_.begin(), changes_.end(),
                         [](const Change& a, const Change& b) { return a.at < b.at; });
    }

    void addEntry(const Item& item) {
        const std::size_t e = entries_.size();
        const Bytes padded = alignUp(item.size, alignment_);
        entries_.push_back({item.start, item.liveEnd(), item.size, padded, hasCandidateParent(item), 0});
        const Entry& entry = entries_.back();
        changes_.push_back({entry.start, e, entry.mayBeHanded ? 0 : padded, true});
        if (entry.mayBeHanded && entry.start + 1 < entry.end) changes_.push_back({entry.start + 1, e, padded, true});
        for (const Item::Gap& gap : item.gaps) {
            const Step from = std::max(gap.from, entry.start);
            const Step to = std::min(gap.to, entry.end);
            if (from >= to) continue;
            changes_.push_back({from, e, std::min(gap.hi - gap.lo, padded), true});
            changes_.push_back({to, e, padded, true});
        }
        changes_.push_back({entry.end, e, 0, false});
    }

    [[nodiscard]] bool hasCandidateParent(const Item& item) const {
        return std::any_of(item.inPlaceParents.begin(), item.inPlaceParents.end(), [&](int p) {
            const bool known = p >= 0 && static_cast<std::size_t>(p) < problem_.items.size();
            return known && problem_.isCandidate(problem_.items[static_cast<std::size_t>(p)]);
        });
    }

    void rankEntries() {
        std::vector<std::size_t> order(entries_.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        const auto price = [&](std::size_t e) {
            const Entry& x = entries_[e];
            return x.padded == 0 ? 0.0 : static_cast<double>(x.size) / static_cast<double>(x.padded);
        };
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return price(a) < price(b); });
        for (std::size_t r = 0; r < order.size(); ++r)
            entries_[order[r]].rank = r;
    }

    void sweep() {
        CoverTree tree(entries_.size());
        Step reach = changes_.empty() ? 0 : changes_.front().at;
        for (std::size_t i = 0; i < changes_.size();) {
            const Step at = changes_[i].at;
            for (; i < changes_.size() && changes_[i].at == at; ++i) {
                const Entry& e = entries_[changes_[i].entry];
                // A buffer that frees less than its padded size costs at least as much per byte: the order stays valid
                // when its cost is scaled down to the room.
                const Bytes cost = std::min(e.size, changes_[i].room);
                tree.set(e.rank, {changes_[i].room, cost}, changes_[i].isLive ? e.padded - e.size : 0);
                reach = std::max(reach, e.end);
            }
            Tick tick;
            tick.at = at;
            tick.load = tree.room() - tree.largestSaving();
            tick.excess = tick.load > problem_.capacity ? alignUp(tick.load - problem_.capacity, alignment_) : 0;
            tick.loss = tree.cheapest(tick.excess);
            tick.reach = reach;
            ticks_.push_back(tick);
        }
        for (Tick& t : ticks_) {
            const auto next = std::partition_point(ticks_.begin(), ticks_.end(),
                                                   [&](const Tick& o) { return o.at < std::max(t.reach, t.at + 1); });
            t.next = static_cast<std::size_t>(next - ticks_.begin());
        }
    }

    /// From each tick on, the largest sum of losses over ticks that share no buffer.
    [[nodiscard]] std::vector<Bytes> chain() const {
        std::vector<Bytes> best(ticks_.size() + 1, 0);
        for (std::size_t i = ticks_.size(); i-- > 0;) {
            best[i] = std::max(best[i + 1], ticks_[i].loss + best[ticks_[i].next]);
        }
        return best;
    }

    /// Solves the knapsacks of all ticks with a loss when they are few, else of those on the best chain.
    void refine() {
        std::vector<std::size_t> chosen;
        for (std::size_t i = 0; i < ticks_.size(); ++i) {
            if (ticks_[i].loss > 0) chosen.push_back(i);
        }
        if (chosen.size() > kMaxExactTicks) {
            chosen.clear();
            const std::vector<Bytes> best = chain();
            for (std::size_t i = 0; i < ticks_.size() && chosen.size() < kMaxExactTicks;) {
                if (best[i] == best[i + 1]) {
                    ++i;
                    continue;
                }
                chosen.push_back(i);
                i = ticks_[i].next;
            }
        }
        for (const std::size_t i : chosen)
            ticks_[i].loss = std::max(ticks_[i].loss, exactLoss(ticks_[i]));
    }

    [[nodiscard]] Bytes exactLoss(const Tick& tick) const {
        std::vector<CoverItem> items;
        for (const Entry& e : entries_) {
            if (tick.at < e.start || tick.at >= e.end || (e.mayBeHanded && tick.at == e.start)) continue;
            items.push_back({e.padded, e.size});
        }
        return cheapestCover(std::move(items), tick.excess, kKnapsackNodes);
    }

    [[nodiscard]] std::vector<Bytes> perTick() const {
        if (ticks_.empty() || ticks_.back().at < 0 || ticks_.back().at >= kMaxListedTicks) return {};
        std::vector<Bytes> space(static_cast<std::size_t>(ticks_.back().at) + 1, 0);
        for (std::size_t i = 0; i + 1 < ticks_.size(); ++i) {
            for (Step t = std::max(ticks_[i].at, 0); t < ticks_[i + 1].at; ++t) {
                space[static_cast<std::size_t>(t)] = ticks_[i].load;
            }
        }
        return space;
    }

    const Problem& problem_;
    Bytes alignment_ = 1;
    std::vector<Entry> entries_;
    std::vector<Change> changes_;
    std::vector<Tick> ticks_;
};

}  // namespace

Bounds bounds(const Problem& problem) {
    return BoundSweep(problem).run();
}

}  // namespace memplan::solve

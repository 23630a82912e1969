// SPDX-License-Identifier: Apache-2.0
// The four rules of scratchpad 4, checked from the buffers and addresses alone. Nothing here is shared with a
// solver: lifetimes, alignment and in-place relations are read from the problem again.
#include "engine/solve/validate.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace memplan::solve {

namespace {

constexpr std::size_t kMaxViolations = 10'000;  // an arbitrary file must not fill the memory with findings

struct Placed {
    int index = 0;
    Step from = 0;
    Step to = 0;
    Address base = 0;
    Address top = 0;
};

std::string named(const Item& item) {
    return "'" + item.name + "'";
}

std::string byteRange(Address from, Address to) {
    return "[" + std::to_string(from) + ", " + std::to_string(to) + ")";
}

class Checker {
public:
    Checker(const Problem& problem, const Addresses& addresses) : problem_(problem), addresses_(addresses) {}

    std::vector<Violation> run() {
        for (std::size_t i = 0; i < problem_.items.size() && i < addresses_.size(); ++i) {
            if (addresses_[i]) checkOne(static_cast<int>(i));
        }
        checkPairs();
        checkSlots();
        std::stable_sort(found_.begin(), found_.end(), [](const Violation& a, const Violation& b) {
            return std::pair(a.first, a.second) < std::pair(b.first, b.second);
        });
        return std::move(found_);
    }

private:
    [[nodiscard]] const Item& item(int i) const { return problem_.items[static_cast<std::size_t>(i)]; }

    void report(std::string code, int first, int second, Step tick, std::string message) {
        if (found_.size() < kMaxViolations)
            found_.push_back({std::move(code), first, second, tick, std::move(message)});
    }

    void checkOne(int i) {
        const Item& b = item(i);
        const Address base = *addresses_[static_cast<std::size_t>(i)];
        const Step to = b.endOverride ? std::max(b.end, *b.endOverride) : b.end;
        const Bytes alignment = b.alignment != 0 ? b.alignment : problem_.alignment;
        if (base % alignment != 0) {
            report("VER-001", i, -1, b.start,
                   "buffer " + named(b) + " at address " + std::to_string(base) + " is not aligned to " +
                       std::to_string(alignment) + " bytes");
        }
        if (base < 0 || b.size > problem_.capacity - base) {
            report("VER-002", i, -1, b.start,
                   "buffer " + named(b) + " at " + byteRange(base, base + b.size) + " is outside the capacity of " +
                       std::to_string(problem_.capacity) + " bytes");
        }
        if (b.size > 0) {
            placed_.push_back({i, b.start, to, base, base + b.size});
            tallest_ = std::max(tallest_, b.size);
        }
    }

    /// Sweep over starts; the live buffers stand in address order.
    void checkPairs() {
        std::stable_sort(placed_.begin(), placed_.end(),
                         [](const Placed& a, const Placed& b) { return a.from < b.from; });
        std::set<std::pair<Step, std::size_t>> ends;
        std::set<std::pair<Address, std::size_t>> live;
        for (std::size_t k = 0; k < placed_.size(); ++k) {
            const Placed& b = placed_[k];
            while (!ends.empty() && ends.begin()->first <= b.from) {
                const std::size_t gone = ends.begin()->second;
                live.erase({placed_[gone].base, gone});
                ends.erase(ends.begin());
            }
            // Nothing that starts a whole buffer size below can reach into this one.
            auto it = live.lower_bound({b.base - tallest_, 0});
            for (; it != live.end() && it->first < b.top; ++it) {
                const Placed& other = placed_[it->second];
                if (other.top > b.base) judge(other, b);
            }
            live.insert({b.base, k});
            ends.insert({b.to, k});
        }
    }

    /// Two buffers whose rectangles of time and address meet.
    void judge(const Placed& a, const Placed& b) {
        const std::optional<Step> tick = firstSharedTick(a, b);
        if (!tick) return;
        const bool aIsAncestor = isAncestor(a.index, b.index);
        if (!aIsAncestor && !isAncestor(b.index, a.index)) {
            report("VER-003", std::min(a.index, b.index), std::max(a.index, b.index), *tick,
                   "buffers " + named(item(a.index)) + " and " + named(item(b.index)) + " both use the bytes " +
                       byteRange(std::max(a.base, b.base), std::min(a.top, b.top)) + " at tick " +
                       std::to_string(*tick));
            return;
        }
        const Placed& parent = aIsAncestor ? a : b;
        const Placed& child = aIsAncestor ? b : a;
        if (parent.base != child.base) {
            report("VER-004", parent.index, child.index, *tick,
                   "buffer " + named(item(child.index)) + " overlaps its in-place parent " + named(item(parent.index)) +
                       " but starts at " + std::to_string(child.base) + ", not at " + std::to_string(parent.base));
        } else if (child.top > parent.top) {
            report("VER-004", parent.index, child.index, *tick,
                   "buffer " + named(item(child.index)) + " is larger than its in-place parent " +
                       named(item(parent.index)));
        }
    }

    /// First tick at which both need one byte; dead ranges of buffer lists need none outside their window.
    [[nodiscard]] std::optional<Step> firstSharedTick(const Placed& a, const Placed& b) const {
        const Step from = std::max(a.from, b.from);
        const Step to = std::min(a.to, b.to);
        std::set<Step> ticks{from};
        for (const int i : {a.index, b.index}) {
            for (const Item::Gap& gap : item(i).gaps) {
                if (gap.from > from && gap.from < to) ticks.insert(gap.from);
                if (gap.to > from && gap.to < to) ticks.insert(gap.to);
            }
        }
        for (const Step t : ticks) {
            const auto [aLow, aHigh] = bytesAt(a, t);
            const auto [bLow, bHigh] = bytesAt(b, t);
            if (std::max(aLow, bLow) < std::min(aHigh, bHigh)) return t;
        }
        return std::nullopt;
    }

    [[nodiscard]] std::pair<Address, Address> bytesAt(const Placed& p, Step tick) const {
        for (const Item::Gap& gap : item(p.index).gaps) {
            if (gap.from <= tick && tick < gap.to) return {p.base + gap.lo, p.base + gap.hi};
        }
        return {p.base, p.top};
    }

    /// Only ancestors that end after the descendant's start matter: others cannot meet it in time.
    [[nodiscard]] bool isAncestor(int ancestor, int descendant) const {
        std::vector<int> open = item(descendant).inPlaceParents;
        std::set<int> seen;
        while (!open.empty()) {
            const int p = open.back();
            open.pop_back();
            if (p == ancestor) return true;
            const bool isKnown = p >= 0 && static_cast<std::size_t>(p) < problem_.items.size();
            if (!isKnown || !seen.insert(p).second || item(p).end <= item(descendant).start) continue;
            open.insert(open.end(), item(p).inPlaceParents.begin(), item(p).inPlaceParents.end());
        }
        return false;
    }

    /// L4: two children that both stand on the parent's base took the same slot.
    void checkSlots() {
        std::map<int, std::vector<int>> children;
        for (std::size_t i = 0; i < problem_.items.size() && i < addresses_.size(); ++i) {
            if (!addresses_[i] || problem_.items[i].size == 0) continue;
            for (const int p : problem_.items[i].inPlaceParents) {
                const bool isKnown = p >= 0 && static_cast<std::size_t>(p) < addresses_.size();
                if (!isKnown || item(p).size == 0) continue;
                auto& list = children[p];
                const bool isListed = !list.empty() && list.back() == static_cast<int>(i);
                if (addresses_[static_cast<std::size_t>(p)] == addresses_[i] && !isListed)
                    list.push_back(static_cast<int>(i));
            }
        }
        for (const auto& [parent, list] : children) {
            for (std::size_t k = 1; k < list.size(); ++k) {
                report("VER-004", list[k - 1], list[k], item(list[k]).start,
                       "the slot of buffer " + named(item(parent)) + " is given to both " + named(item(list[k - 1])) +
                           " and " + named(item(list[k])));
            }
        }
    }

    const Problem& problem_;
    const Addresses& addresses_;
    std::vector<Placed> placed_;
    Bytes tallest_ = 0;
    std::vector<Violation> found_;
};

}  // namespace

std::vector<Violation> validate(const Problem& problem, const Addresses& addresses) {
    return Checker(problem, addresses).run();
}

}  // namespace memplan::solve

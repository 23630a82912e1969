// SPDX-License-Identifier: Apache-2.0
#include "engine/solve/exact/units.h"

#include "engine/base/numeric.h"
#include "engine/solve/annealing/time_columns.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace memplan::solve {

namespace {

constexpr std::size_t kMaxUnits = 4096;
constexpr std::size_t kMaxListedItems = 512;  // larger parts are not searched, so need no units

Bytes alignmentOfAll(const Problem& problem) {
    Bytes common = 0;
    for (const Item& item : problem.items)
        common = std::gcd(common, problem.alignmentOf(item));
    return std::max<Bytes>(common, 1);
}

bool coexist(const PartItem& a, const PartItem& b) {
    return a.life.overlaps(b.life);
}

class UnitBuilder {
public:
    UnitBuilder(const Problem& problem, Part& part) : problem_(problem), part_(part) {
        for (std::size_t i = 0; i < problem.items.size(); ++i) {
            const Item& fixed = problem.items[i];
            if (fixed.fixedAddress && problem.isCandidate(fixed) && fixed.size > 0)
                fixed_.push_back(static_cast<int>(i));
        }
    }

    void run() {
        for (std::size_t i = 0; i < part_.items.size(); ++i) {
            chain_.assign(1, static_cast<int>(i));
            add();
        }
        for (std::size_t i = 0; i < part_.items.size() && part_.hasAllUnits; ++i) {
            chain_.assign(1, static_cast<int>(i));
            extend();
        }
    }

private:
    [[nodiscard]] const PartItem& item(int k) const { return part_.items[static_cast<std::size_t>(k)]; }

    /// Two members may coexist only when one hands its slot directly to the other.
    [[nodiscard]] bool mayFollow(int child) const {
        return std::none_of(chain_.begin(), chain_.end() - 1, [&](int m) { return coexist(item(m), item(child)); });
    }

    void extend() {
        for (const int child : item(chain_.back()).children) {
            if (!mayFollow(child)) continue;
            if (part_.units.size() >= kMaxUnits) {
                part_.hasAllUnits = false;
                return;
            }
            chain_.push_back(child);
            add();
            extend();
            chain_.pop_back();
        }
    }

    /// The chain as a unit that rests anywhere, and once more for each fixed partner at its ends.
    void add() {
        if (fixed_.empty()) {
            if (!item(chain_.front()).onlyInParentSlot) part_.units.push_back(unitOf(chain_));
            return;
        }
        if (!item(chain_.front()).onlyInParentSlot) addAnchored(-1);
        std::vector<Address> anchors;
        for (const int f : fixed_) {
            const bool isHead = hands(f, positionOf(chain_.front()));
            const bool isTail = hands(positionOf(chain_.back()), f) && !item(chain_.front()).onlyInParentSlot;
            const Address anchor = *problem_.items[static_cast<std::size_t>(f)].fixedAddress;
            if ((isHead || isTail) && std::find(anchors.begin(), anchors.end(), anchor) == anchors.end())
                anchors.push_back(anchor);
        }
        for (const Address anchor : anchors)
            addAnchored(anchor);
    }

    [[nodiscard]] int positionOf(int k) const { return item(k).position; }

    /// True when `parent` may hand its slot to `child`; positions in the problem.
    [[nodiscard]] bool hands(int parent, int child) const {
        const Item& c = problem_.items[static_cast<std::size_t>(child)];
        const bool declared =
            std::find(c.inPlaceParents.begin(), c.inPlaceParents.end(), parent) != c.inPlaceParents.end();
        return declared && c.size <= problem_.items[static_cast<std::size_t>(parent)].size;
    }

    void addAnchored(Address anchor) {
        Unit unit = unitOf(chain_);
        unit.anchor = anchor;
        for (const int m : chain_) {
            const PartItem& member = item(m);
            for (const int f : fixed_) {
                const Item& fixed = problem_.items[static_cast<std::size_t>(f)];
                if (!member.life.overlaps({fixed.start, fixed.liveEnd()})) continue;
                const bool partner =
                    *fixed.fixedAddress == anchor && ((m == chain_.front() && hands(f, member.position)) ||
                                                      (m == chain_.back() && hands(member.position, f)));
                if (partner) continue;
                unit.blockers.push_back({*fixed.fixedAddress, *fixed.fixedAddress + fixed.size, member.size});
            }
        }
        part_.units.push_back(std::move(unit));
    }

    [[nodiscard]] Unit unitOf(const std::vector<int>& members) const {
        Unit unit;
        unit.members = members;
        unit.last = part_.capacity;
        unit.firstColumn = item(members.front()).firstColumn;
        std::size_t endColumn = unit.firstColumn;
        for (const int m : members)
            endColumn = std::max(endColumn, item(m).endColumn);
        unit.height.assign(endColumn - unit.firstColumn, 0);
        for (const int m : members) {
            const PartItem& member = item(m);
            for (std::size_t c = member.firstColumn; c < member.endColumn; ++c) {
                Bytes& h = unit.height[c - unit.firstColumn];
                h = std::max(h, member.size);
            }
            unit.value += member.value;
            unit.last = std::min(unit.last, member.last);
            unit.tallest = std::max(unit.tallest, member.size);
            unit.alignment = std::lcm(unit.alignment,
                                      problem_.alignmentOf(problem_.items[static_cast<std::size_t>(member.position)]));
        }
        return unit;
    }

    const Problem& problem_;
    Part& part_;
    std::vector<int> fixed_;  ///< positions of the buffers with a given address
    std::vector<int> chain_;
};

void linkParents(const Problem& problem, Part& part) {
    std::vector<std::pair<int, int>> numberOf;  // (position, item number), by position
    for (std::size_t k = 0; k < part.items.size(); ++k)
        numberOf.emplace_back(part.items[k].position, static_cast<int>(k));
    std::sort(numberOf.begin(), numberOf.end());
    for (std::size_t k = 0; k < part.items.size(); ++k) {
        for (const int p : problem.items[static_cast<std::size_t>(part.items[k].position)].inPlaceParents) {
            const auto at = std::lower_bound(numberOf.begin(), numberOf.end(), std::pair<int, int>{p, 0});
            if (at == numberOf.end() || at->first != p) continue;
            PartItem& parent = part.items[static_cast<std::size_t>(at->second)];
            if (part.items[k].size > parent.size) continue;
            part.items[k].parents.push_back(at->second);
            parent.children.push_back(static_cast<int>(k));
        }
    }
}

void findColumns(Part& part) {
    std::vector<StepRange> lifetimes;
    for (const PartItem& i : part.items)
        lifetimes.push_back(i.life);
    const std::vector<Step> columns = timeColumns(lifetimes);
    part.columns = columns.size();
    part.byDensity.resize(part.columns);
    part.nextFree.assign(part.columns, 0);
    for (std::size_t k = 0; k < part.items.size(); ++k) {
        PartItem& i = part.items[k];
        const ColumnRange range = columnsOf(i.life, columns);
        i.firstColumn = range.begin;
        i.endColumn = range.end;
        for (std::size_t c = range.begin; c < range.end; ++c) {
            part.byDensity[c].push_back(static_cast<int>(k));
            part.nextFree[c] = std::max(part.nextFree[c], range.end);
        }
    }
    for (PartItem& i : part.items) {
        for (const int p : i.parents)
            i.handoffEnd = std::max(i.handoffEnd, part.items[static_cast<std::size_t>(p)].endColumn);
    }
    std::vector<double> density;
    for (const PartItem& i : part.items)
        density.push_back(static_cast<double>(i.value) / static_cast<double>(i.padded));
    for (std::vector<int>& column : part.byDensity) {
        std::stable_sort(column.begin(), column.end(), [&](int x, int y) {
            return density[static_cast<std::size_t>(x)] > density[static_cast<std::size_t>(y)];
        });
    }
}

}  // namespace

std::vector<Part> separableParts(const Problem& problem, Goal goal) {
    const Bytes alignment = alignmentOfAll(problem);
    std::vector<int> byStart;
    for (std::size_t i = 0; i < problem.items.size(); ++i) {
        const bool isSearched = problem.isCandidate(problem.items[i]) && !problem.items[i].fixedAddress;
        if (isSearched && problem.items[i].size > 0) byStart.push_back(static_cast<int>(i));
    }
    std::stable_sort(byStart.begin(), byStart.end(), [&](int a, int b) {
        return problem.items[static_cast<std::size_t>(a)].start < problem.items[static_cast<std::size_t>(b)].start;
    });
    std::vector<Part> parts;
    Step reach = std::numeric_limits<Step>::min();
    for (const int position : byStart) {
        const Item& item = problem.items[static_cast<std::size_t>(position)];
        if (parts.empty() || item.start >= reach) {
            parts.emplace_back();
            parts.back().capacity = problem.capacity;
            parts.back().alignment = alignment;
        }
        reach = std::max(reach, item.liveEnd());
        PartItem entry;
        entry.position = position;
        entry.life = {item.start, item.liveEnd()};
        entry.size = item.size;
        entry.padded = alignUp(item.size, alignment);
        entry.value = valueOf(item, goal);
        entry.last = problem.lastAddress(item);
        entry.onlyInParentSlot = item.onlyInParentSlot;
        parts.back().items.push_back(std::move(entry));
    }
    for (Part& part : parts) {
        linkParents(problem, part);
        findColumns(part);
        if (part.items.size() <= kMaxListedItems) UnitBuilder(problem, part).run();
        part.hasAllUnits = part.hasAllUnits && part.items.size() <= kMaxListedItems;
    }
    return parts;
}

std::size_t firstOwnColumn(const PartItem& item) {
    return std::max(item.firstColumn, std::min(item.handoffEnd, item.endColumn));
}

}  // namespace memplan::solve

// SPDX-License-Identifier: Apache-2.0
#include "engine/solve/compact.h"

#include "engine/base/numeric.h"

#include <algorithm>
#include <numeric>

namespace memplan::solve {
namespace {

/// Items that share one address along taken slots: they sink as one.
struct Unit {
    std::vector<std::size_t> members;
    Address address = 0;
    Bytes alignment = 1;
    bool isFixed = false;
};

class Compactor {
public:
    Compactor(const Problem& problem, const Addresses& addresses, const std::vector<int>& parents)
        : problem_(problem), result_{addresses, {}, 0, 0}, parents_(parents) {}

    Compaction run() {
        result_.peakBefore = peak();
        std::vector<Unit> units = collect();
        // From the lowest up: whatever lies below a unit has sunk already, so the unit cannot have to rise.
        std::stable_sort(units.begin(), units.end(),
                         [](const Unit& a, const Unit& b) { return a.address < b.address; });
        for (std::size_t u = 0; u < units.size(); ++u)
            sink(units, u);
        result_.peakAfter = peak();
        return std::move(result_);
    }

private:
    [[nodiscard]] const Item& item(std::size_t i) const { return problem_.items[i]; }

    [[nodiscard]] Bytes peak() const {
        Bytes top = 0;
        for (std::size_t i = 0; i < result_.addresses.size(); ++i) {
            if (result_.addresses[i]) top = std::max(top, *result_.addresses[i] + item(i).size);
        }
        return top;
    }

    [[nodiscard]] std::size_t rootOf(std::size_t i) const {
        for (std::size_t hops = 0; hops < parents_.size(); ++hops) {
            if (i >= parents_.size() || parents_[i] < 0) break;
            i = static_cast<std::size_t>(parents_[i]);
        }
        return i;
    }

    [[nodiscard]] std::vector<Unit> collect() const {
        std::vector<Unit> units;
        std::vector<int> unitOf(problem_.items.size(), -1);
        for (std::size_t i = 0; i < problem_.items.size(); ++i) {
            if (!result_.addresses[i]) continue;
            const std::size_t root = rootOf(i);
            if (unitOf[root] < 0) {
                unitOf[root] = static_cast<int>(units.size());
                units.emplace_back();
                units.back().address = *result_.addresses[i];
            }
            Unit& unit = units[static_cast<std::size_t>(unitOf[root])];
            unit.members.push_back(i);
            unit.alignment = std::lcm(unit.alignment, problem_.alignmentOf(item(i)));
            unit.isFixed = unit.isFixed || item(i).fixedAddress.has_value();
        }
        return units;
    }

    [[nodiscard]] bool coexist(std::size_t a, std::size_t b) const {
        return item(a).start < item(b).liveEnd() && item(b).start < item(a).liveEnd();
    }

    void sink(const std::vector<Unit>& units, std::size_t at) {
        const Unit& unit = units[at];
        if (unit.isFixed) return;
        Address top = 0;
        for (std::size_t below = 0; below < at; ++below) {
            for (const std::size_t other : units[below].members) {
                for (const std::size_t own : unit.members) {
                    if (item(other).size > 0 && item(own).size > 0 && coexist(own, other))
                        top = std::max(top, *result_.addresses[other] + item(other).size);
                }
            }
        }
        const Address address = alignUp(top, unit.alignment);
        if (address >= unit.address) return;
        for (const std::size_t member : unit.members) {
            result_.addresses[member] = address;
            result_.lowered.push_back(static_cast<int>(member));
        }
    }

    const Problem& problem_;
    Compaction result_;
    const std::vector<int>& parents_;
};

}  // namespace

Compaction compact(const Problem& problem, const Addresses& addresses, const std::vector<int>& inPlaceParent) {
    Compaction result = Compactor(problem, addresses, inPlaceParent).run();
    std::sort(result.lowered.begin(), result.lowered.end());
    return result;
}

}  // namespace memplan::solve

// SPDX-License-Identifier: Apache-2.0
// Any legal placement, sorted by address, can be pushed down unit by unit until each rests on what lies below it; so
// it is enough to place units at their resting address in an order of addresses that never falls. Units at equal
// addresses do not coexist and are taken in the order of their numbers.
#include "engine/solve/exact/search.h"

#include "engine/base/numeric.h"

#include <algorithm>
#include <cmath>

namespace memplan::solve {

void PartSearch::reset() {
    top_.assign(part_.columns, 0);
    address_.assign(part_.items.size(), PartPlan::kNone);
    slotOf_.assign(part_.items.size(), -1);
    viable_.assign(part_.items.size(), 1);
    loss_.assign(part_.columns + 1, 0);
    levels_.resize(part_.items.size() + 1);
    lastAddress_ = 0;
    lastUnit_ = -1;
    value_ = 0;
    peak_ = 0;
    addressSum_ = 0;
    end_ = SearchEnd::Proved;
}

std::int64_t PartSearch::rootBound() {
    reset();
    return columnBound();
}

SearchEnd PartSearch::maximise(PartPlan& best, std::int64_t maxNodes) {
    return run(best, maxNodes, false);
}

SearchEnd PartSearch::refine(PartPlan& best, std::int64_t maxNodes) {
    return run(best, maxNodes, true);
}

SearchEnd PartSearch::run(PartPlan& best, std::int64_t maxNodes, bool refining) {
    reset();
    best_ = &best;
    refining_ = refining;
    maxNodes_ = nodesLeft_ = maxNodes;
    found_.clear();
    descend(0);
    return end_;
}

bool PartSearch::isStopped() {
    if (end_ != SearchEnd::Proved) return true;
    if (--nodesLeft_ < 0) end_ = SearchEnd::NodeLimit;
    if ((nodesLeft_ & 255) == 0 && control_.shouldStop()) end_ = SearchEnd::Interrupted;
    return end_ != SearchEnd::Proved;
}

void PartSearch::record() {
    PartPlan now{{}, {}, value_, peak_, addressSum_};
    if (!now.betterThan(*best_)) return;
    if (value_ > best_->value) found_.push_back({nodes(), value_});
    now.address = address_;
    now.slotOf = slotOf_;
    *best_ = std::move(now);
}

/// What is certainly lost among the viable items of one column: what does not fit above the last address, filled
/// by falling density with the last item divisible.
std::int64_t PartSearch::columnLoss(std::size_t column) const {
    const Address floor = alignUp(std::max(top_[column], lastAddress_), part_.alignment);
    Bytes room = part_.capacity > floor ? alignUp(part_.capacity - floor, part_.alignment) : 0;
    double lost = 0.0;
    for (const int k : part_.byDensity[column]) {
        const auto at = static_cast<std::size_t>(k);
        const PartItem& item = part_.items[at];
        if (viable_[at] == 0 || column < item.handoffEnd) continue;
        if (item.padded <= room) {
            room -= item.padded;
            continue;
        }
        lost += static_cast<double>(item.value) * static_cast<double>(item.padded - room) /
                static_cast<double>(item.padded);
        room = 0;
    }
    // Rounded down with a margin far above the rounding of the sum: the bound must never be too low.
    return static_cast<std::int64_t>(std::ceil(lost * (1.0 - 1e-9) - 1e-6));
}

/// Value so far and of all viable items, less the losses of the best choice of columns that share no item.
std::int64_t PartSearch::columnBound() {
    std::int64_t bound = value_;
    for (std::size_t k = 0; k < part_.items.size(); ++k) {
        if (address_[k] != PartPlan::kNone) {
            viable_[k] = 0;
            continue;
        }
        const PartItem& item = part_.items[k];
        const auto first = top_.begin() + static_cast<std::ptrdiff_t>(item.firstColumn);
        const auto last = top_.begin() + static_cast<std::ptrdiff_t>(item.endColumn);
        const Address base = alignUp(std::max(*std::max_element(first, last), lastAddress_), part_.alignment);
        viable_[k] = base <= item.last ? 1 : 0;
        if (viable_[k] != 0) bound += item.value;
    }
    for (std::size_t c = part_.columns; c-- > 0;) {
        loss_[c] = std::max(loss_[c + 1], columnLoss(c) + loss_[part_.nextFree[c]]);
    }
    return bound - loss_[0];
}

bool PartSearch::canImprove() {
    if (refining_ && peak_ > best_->peak) return false;
    const std::int64_t bound = columnBound();
    return refining_ ? bound >= best_->value : bound > best_->value;
}

bool PartSearch::isFree(const Unit& unit) const {
    return std::all_of(unit.members.begin(), unit.members.end(),
                       [&](int m) { return address_[static_cast<std::size_t>(m)] == PartPlan::kNone; });
}

Address PartSearch::restingAddress(const Unit& unit) const {
    const auto first = top_.begin() + static_cast<std::ptrdiff_t>(unit.firstColumn);
    const Address top = *std::max_element(first, first + static_cast<std::ptrdiff_t>(unit.height.size()));
    if (unit.blockers.empty() && unit.anchor < 0) return alignUp(top, unit.alignment);
    const auto blockerAt = [&](Address base) -> const Unit::Blocker* {
        for (const Unit::Blocker& b : unit.blockers) {
            if (b.begin < base + b.member && base < b.end) return &b;
        }
        return nullptr;
    };
    if (unit.anchor >= 0) {
        const bool fits = top <= unit.anchor && unit.anchor % unit.alignment == 0 && blockerAt(unit.anchor) == nullptr;
        return fits ? unit.anchor : part_.capacity + 1;
    }
    Address base = alignUp(top, unit.alignment);
    for (const Unit::Blocker* b = blockerAt(base); b != nullptr; b = blockerAt(base))
        base = alignUp(b->end, unit.alignment);
    return base;
}

/// Units that may come next, by address and number. A unit that would rest above a free single buffer's whole place
/// is left out: adding that buffer, or moving it down to there, disturbs nothing that can still come.
void PartSearch::listOptions(Level& level) {
    level.options.clear();
    level.singles.clear();
    for (std::size_t u = 0; u < part_.units.size(); ++u) {
        const Unit& unit = part_.units[u];
        if (!isFree(unit)) continue;
        const Address address = restingAddress(unit);
        if (address > unit.last) continue;
        if (unit.members.size() == 1 && unit.anchor < 0)
            level.singles.emplace_back(address + unit.tallest, unit.members.front());
        const bool isLater = address > lastAddress_ || (address == lastAddress_ && static_cast<int>(u) > lastUnit_);
        if (isLater) level.options.push_back({address, static_cast<int>(u)});
    }
    std::sort(level.singles.begin(), level.singles.end());
    std::erase_if(level.options, [&](const Option& o) {
        const std::vector<int>& members = part_.units[static_cast<std::size_t>(o.unit)].members;
        for (const auto& [top, item] : level.singles) {
            if (top > o.address) return false;
            if (std::find(members.begin(), members.end(), item) == members.end()) return true;
        }
        return false;
    });
    std::sort(level.options.begin(), level.options.end(), [](const Option& a, const Option& b) {
        return a.address != b.address ? a.address < b.address : a.unit < b.unit;
    });
}

void PartSearch::place(const Option& option, Level& level) {
    const Unit& unit = part_.units[static_cast<std::size_t>(option.unit)];
    level.tops.assign(top_.begin() + static_cast<std::ptrdiff_t>(unit.firstColumn),
                      top_.begin() + static_cast<std::ptrdiff_t>(unit.firstColumn + unit.height.size()));
    for (std::size_t c = 0; c < unit.height.size(); ++c) {
        Address& top = top_[unit.firstColumn + c];
        top = std::max(top, option.address + unit.height[c]);
    }
    int previous = -1;
    for (const int m : unit.members) {
        address_[static_cast<std::size_t>(m)] = option.address;
        slotOf_[static_cast<std::size_t>(m)] = previous;
        previous = m;
    }
    value_ += unit.value;
    addressSum_ += option.address * static_cast<Address>(unit.members.size());
    peak_ = std::max(peak_, option.address + unit.tallest);
    lastAddress_ = option.address;
    lastUnit_ = option.unit;
}

void PartSearch::takeBack(const Option& option, const Level& level) {
    const Unit& unit = part_.units[static_cast<std::size_t>(option.unit)];
    std::copy(level.tops.begin(), level.tops.end(), top_.begin() + static_cast<std::ptrdiff_t>(unit.firstColumn));
    for (const int m : unit.members) {
        address_[static_cast<std::size_t>(m)] = PartPlan::kNone;
        slotOf_[static_cast<std::size_t>(m)] = -1;
    }
    value_ -= unit.value;
    addressSum_ -= option.address * static_cast<Address>(unit.members.size());
}

void PartSearch::descend(std::size_t depth) {
    if (isStopped()) return;
    record();
    if (!canImprove()) return;
    Level& level = levels_[depth];
    listOptions(level);
    const Address lastAddress = lastAddress_;
    const int lastUnit = lastUnit_;
    const Address peak = peak_;
    for (const Option& option : level.options) {
        place(option, level);
        descend(depth + 1);
        takeBack(option, level);
        peak_ = peak;
        lastAddress_ = lastAddress;
        lastUnit_ = lastUnit;
        if (end_ != SearchEnd::Proved) return;
    }
}

}  // namespace memplan::solve

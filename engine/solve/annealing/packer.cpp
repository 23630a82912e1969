// SPDX-License-Identifier: Apache-2.0
#include "engine/solve/annealing/packer.h"

#include "engine/base/numeric.h"
#include "engine/solve/annealing/time_columns.h"

#include <algorithm>
#include <numeric>

namespace memplan::solve {

std::int64_t doubledQualityPerByte(const Item& item) {
    return 2 * static_cast<std::int64_t>(item.uses.size()) + (item.firstUseIsRead ? 0 : 1);
}

double quality(const Problem& problem, const Addresses& addresses) {
    std::int64_t doubled = 0;
    for (std::size_t i = 0; i < addresses.size(); ++i) {
        if (addresses[i]) doubled += doubledQualityPerByte(problem.items[i]) * problem.items[i].size;
    }
    return static_cast<double>(doubled) / 2.0;
}

Packer::Packer(const Problem& problem) : problem_(problem) {
    for (std::size_t i = 0; i < problem.items.size(); ++i) {
        const Item& item = problem.items[i];
        if (!problem.isCandidate(item) || item.fixedAddress) continue;
        Entry entry;
        entry.position = static_cast<int>(i);
        entry.start = item.start;
        entry.end = item.liveEnd();
        entry.size = item.size;
        entry.alignment = problem.alignmentOf(item);
        entry.weight = doubledQualityPerByte(item) * item.size;
        entry.last = problem.lastAddress(item);
        entry.onlyInParentSlot = item.onlyInParentSlot;
        items_.push_back(std::move(entry));
    }
    findColumns();
    findPartners();
    isHinted_ = problem.isHinted();
    if (isHinted_) findFixed();
}

bool Packer::coexist(int a, int b) const {
    const Entry& x = items_[static_cast<std::size_t>(a)];
    const Entry& y = items_[static_cast<std::size_t>(b)];
    return x.start < y.end && y.start < x.end;
}

void Packer::findColumns() {
    std::vector<StepRange> lifetimes;
    for (const Entry& e : items_)
        lifetimes.push_back({e.start, e.end});
    const std::vector<Step> columns = timeColumns(lifetimes);
    columns_ = columns.size();
    for (Entry& e : items_) {
        const ColumnRange range = columnsOf({e.start, e.end}, columns);
        e.firstColumn = range.begin;
        e.endColumn = range.end;
    }
}

void Packer::findPartners() {
    std::vector<int> number(problem_.items.size(), -1);
    for (std::size_t k = 0; k < items_.size(); ++k)
        number[static_cast<std::size_t>(items_[k].position)] = static_cast<int>(k);
    const auto numberOf = [&](int position) {
        const bool known = position >= 0 && static_cast<std::size_t>(position) < number.size();
        return known ? number[static_cast<std::size_t>(position)] : -1;
    };
    for (std::size_t k = 0; k < items_.size(); ++k) {
        for (const int position : problem_.items[static_cast<std::size_t>(items_[k].position)].inPlaceParents) {
            const int parent = numberOf(position);
            if (parent < 0 || items_[k].size > items_[static_cast<std::size_t>(parent)].size) continue;
            items_[k].partners.push_back(parent);
            if (items_[k].onlyInParentSlot) items_[k].parents.push_back(parent);
            items_[static_cast<std::size_t>(parent)].partners.push_back(static_cast<int>(k));
        }
    }
    const bool anyPartner =
        std::any_of(items_.begin(), items_.end(), [](const Entry& e) { return !e.partners.empty(); });
    if (anyPartner) findNeighbours();
}

void Packer::findNeighbours() {
    std::vector<std::vector<int>> inColumn(columns_);
    for (std::size_t k = 0; k < items_.size(); ++k) {
        for (std::size_t c = items_[k].firstColumn; c < items_[k].endColumn; ++c)
            inColumn[c].push_back(static_cast<int>(k));
    }
    for (std::size_t k = 0; k < items_.size(); ++k) {
        Entry& entry = items_[k];
        if (entry.partners.empty()) continue;
        std::vector<int>& list = entry.neighbours;
        for (std::size_t c = entry.firstColumn; c < entry.endColumn; ++c) {
            list.insert(list.end(), inColumn[c].begin(), inColumn[c].end());
        }
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
        list.erase(std::find(list.begin(), list.end(), static_cast<int>(k)));
    }
}

void Packer::findFixed() {
    for (std::size_t f = 0; f < problem_.items.size(); ++f) {
        const Item& fixed = problem_.items[f];
        if (!fixed.fixedAddress || !problem_.isCandidate(fixed) || fixed.size == 0) continue;
        for (Entry& e : items_) {
            const Item& item = problem_.items[static_cast<std::size_t>(e.position)];
            if (e.start >= fixed.liveEnd() || fixed.start >= e.end) continue;
            const auto declares = [](const Item& child, std::size_t parent) {
                const std::vector<int>& list = child.inPlaceParents;
                return std::find(list.begin(), list.end(), static_cast<int>(parent)) != list.end();
            };
            const Address begin = *fixed.fixedAddress;
            e.fixed.push_back({begin, begin + fixed.size, declares(item, f) && item.size <= fixed.size,
                               declares(fixed, static_cast<std::size_t>(e.position)) && fixed.size <= item.size});
        }
    }
    for (Entry& e : items_) {
        std::sort(e.fixed.begin(), e.fixed.end(),
                  [](const Obstacle& a, const Obstacle& b) { return a.begin < b.begin; });
    }
}

/// Address of a buffer of a problem with hints: a partner's slot, the slot of a fixed partner, or the lowest place
/// above `top` that no fixed buffer takes.
Address Packer::amongFixed(const Entry& entry, Address top, std::span<const Address> addresses) const {
    const auto isFree = [&](Address base, const Obstacle* apartFrom) {
        return base <= entry.last && std::none_of(entry.fixed.begin(), entry.fixed.end(), [&](const Obstacle& o) {
                   return &o != apartFrom && o.begin < base + entry.size && base < o.end;
               });
    };
    if (!entry.partners.empty()) {
        const Address slot = partnerAddress(entry, addresses);
        const bool fromParent = std::any_of(entry.parents.begin(), entry.parents.end(),
                                            [&](int p) { return addresses[static_cast<std::size_t>(p)] == slot; });
        if (slot != kNone && isFree(slot, nullptr) && (!entry.onlyInParentSlot || fromParent)) return slot;
    }
    for (const Obstacle& o : entry.fixed) {
        const bool isSlot = o.isParent || (o.isChild && !entry.onlyInParentSlot);
        if (isSlot && top <= o.begin && o.begin % entry.alignment == 0 && isFree(o.begin, &o)) return o.begin;
    }
    if (entry.onlyInParentSlot) return kNone;
    Address base = alignUp(top, entry.alignment);
    for (const Obstacle& o : entry.fixed) {
        if (o.begin < base + entry.size && base < o.end) base = alignUp(o.end, entry.alignment);
    }
    return base <= entry.last ? base : kNone;
}

Packer::State Packer::emptyState() const {
    return {std::vector<Address>(items_.size(), kUnset), std::vector<Address>(columns_, 0), 0};
}

Address Packer::partnerAddress(const Entry& entry, std::span<const Address> addresses) const {
    for (const int partner : entry.partners) {
        const Address base = addresses[static_cast<std::size_t>(partner)];
        if (base < 0 || base % entry.alignment != 0) continue;
        const bool isTopmost = std::all_of(entry.neighbours.begin(), entry.neighbours.end(), [&](int other) {
            const Address a = addresses[static_cast<std::size_t>(other)];
            return other == partner || a < 0 || a + items_[static_cast<std::size_t>(other)].size <= base;
        });
        if (isTopmost) return base;
    }
    return kNone;
}

void Packer::rest(int item, State& state) const {
    const Entry& entry = items_[static_cast<std::size_t>(item)];
    const auto first = state.top.begin() + static_cast<std::ptrdiff_t>(entry.firstColumn);
    const auto last = state.top.begin() + static_cast<std::ptrdiff_t>(entry.endColumn);
    const Address top = *std::max_element(first, last);
    Address address = kNone;
    if (top != kSpilled && isHinted_) {
        address = amongFixed(entry, top, state.address);
    } else if (top != kSpilled) {
        if (!entry.partners.empty()) address = partnerAddress(entry, state.address);
        if (address == kNone) address = alignUp(top, entry.alignment);
        if (address + entry.size > problem_.capacity) address = kNone;
    }
    state.address[static_cast<std::size_t>(item)] = address;
    if (address == kNone) {
        std::fill(first, last, kSpilled);
        return;
    }
    state.quality += entry.weight;
    const Address end = address + entry.size;
    std::for_each(first, last, [end](Address& t) { t = std::max(t, end); });
}

Packer::State Packer::pack(std::span<const int> order) const {
    State state = emptyState();
    for (const int item : order)
        rest(item, state);
    return state;
}

Addresses Packer::addresses(const State& state) const {
    Addresses result(problem_.items.size());
    for (std::size_t k = 0; k < items_.size(); ++k) {
        if (state.address[k] >= 0) result[static_cast<std::size_t>(items_[k].position)] = state.address[k];
    }
    if (!isHinted_) return result;
    for (std::size_t i = 0; i < problem_.items.size(); ++i) {
        if (problem_.isCandidate(problem_.items[i]) && problem_.items[i].fixedAddress)
            result[i] = problem_.items[i].fixedAddress;
    }
    return result;
}

std::vector<int> Packer::slotsTaken(const Addresses& addresses) const {
    std::vector<int> parent(problem_.items.size(), -1);
    std::vector<std::uint8_t> isHanded(problem_.items.size(), 0);
    for (std::size_t i = 0; i < problem_.items.size(); ++i) {
        if (!addresses[i]) continue;
        for (const int p : problem_.items[i].inPlaceParents) {
            if (p < 0 || static_cast<std::size_t>(p) >= addresses.size() || isHanded[static_cast<std::size_t>(p)] != 0)
                continue;
            if (addresses[static_cast<std::size_t>(p)] != addresses[i]) continue;
            parent[i] = p;
            isHanded[static_cast<std::size_t>(p)] = 1;
            break;
        }
    }
    return parent;
}

Bytes Packer::peakLoad() const {
    std::vector<Bytes> load(columns_, 0);
    for (const Entry& e : items_) {
        for (std::size_t c = e.firstColumn; c < e.endColumn; ++c)
            load[c] += e.size;
    }
    return load.empty() ? 0 : *std::max_element(load.begin(), load.end());
}

std::vector<int> orderByAddress(const Packer& packer, const Addresses& start) {
    std::vector<int> order(packer.count());
    std::iota(order.begin(), order.end(), 0);
    const auto key = [&](int k) {
        const auto& a = start[static_cast<std::size_t>(packer.position(static_cast<std::size_t>(k)))];
        return a ? *a : std::numeric_limits<Address>::max();
    };
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return key(a) < key(b); });
    return order;
}

}  // namespace memplan::solve

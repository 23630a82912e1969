// SPDX-License-Identifier: Apache-2.0
#include "tests/support/solver_oracle.h"

#include <queue>

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <set>

namespace memplan::testing {

using solve::Addresses;
using solve::Item;
using solve::Problem;

namespace {

Address roundUp(Address a, Bytes alignment) {
    return (a + alignment - 1) / alignment * alignment;
}

Step endOf(const Item& item) {
    return item.endOverride ? std::max(item.end, *item.endOverride) : item.end;
}

bool coexist(const Item& a, const Item& b) {
    return a.start < endOf(b) && b.start < endOf(a);
}

bool isSetAside(const Problem& p, const Item& item) {
    return item.ineligible || item.size > p.capacity;
}

const Item& at(const Problem& p, int i) {
    return p.items[static_cast<std::size_t>(i)];
}

/// Chapter 5, 3.b.
std::optional<Address> findBlock(const Problem& p, const Addresses& address, const std::vector<int>& live,
                                 const Item& b) {
    if (b.size > p.capacity) return std::nullopt;
    if (live.empty()) return 0;
    std::vector<std::pair<Address, Address>> used;
    for (const int i : live) {
        const Address base = *address[static_cast<std::size_t>(i)];
        used.emplace_back(base, base + at(p, i).size);
    }
    std::sort(used.begin(), used.end());
    Address high = 0;
    for (const auto& [from, to] : used)
        high = std::max(high, to);
    if (used.front().first >= b.size) return 0;
    const Bytes alignment = b.alignment > 0 ? b.alignment : p.alignment;
    const Address above = roundUp(high, alignment);
    if (above + b.size <= p.capacity) return above;
    std::vector<std::pair<Address, Address>> merged;
    for (const auto& interval : used) {
        if (!merged.empty() && interval.first <= merged.back().second) {
            merged.back().second = std::max(merged.back().second, interval.second);
        } else {
            merged.push_back(interval);
        }
    }
    for (std::size_t k = 1; k < merged.size(); ++k) {
        const Address gap = roundUp(merged[k - 1].second, alignment);
        if (merged[k].first - gap >= b.size) return gap;
    }
    return std::nullopt;
}

}  // namespace

Addresses oracleGreedy(const Problem& p) {
    Addresses address(p.items.size());
    std::set<Step> ticks;
    for (const Item& i : p.items)
        ticks.insert({i.start, endOf(i)});
    std::vector<int> live;
    std::set<int> handed;
    for (const Step t : ticks) {
        std::erase_if(live, [&](int i) { return endOf(at(p, i)) == t; });
        for (std::size_t i = 0; i < p.items.size(); ++i) {
            const Item& b = p.items[i];
            if (b.start != t || isSetAside(p, b)) continue;
            for (const int parent : b.inPlaceParents) {
                const bool isLive = std::find(live.begin(), live.end(), parent) != live.end();
                if (handed.count(parent) != 0 || !isLive || b.size > at(p, parent).size) continue;
                address[i] = address[static_cast<std::size_t>(parent)];
                handed.insert(parent);
                break;
            }
            if (!address[i]) address[i] = findBlock(p, address, live, b);
            if (address[i]) live.push_back(static_cast<int>(i));
        }
    }
    return address;
}

namespace {

struct Gap {
    Address from;
    Address to;
};

bool isParent(const Item& b, int other) {
    return std::find(b.inPlaceParents.begin(), b.inPlaceParents.end(), other) != b.inPlaceParents.end();
}

/// Chapter 6.2.
std::vector<Gap> gaps(const Problem& p, const Addresses& address, const std::vector<int>& placed, int self,
                      bool parentsAreFree) {
    const Item& b = at(p, self);
    std::vector<Gap> free{{0, p.capacity}};
    for (const int o : placed) {
        const Item& other = at(p, o);
        if (!coexist(b, other) || other.size == 0) continue;
        if (parentsAreFree && isParent(b, o)) continue;
        const Address from = *address[static_cast<std::size_t>(o)];
        const Address to = from + other.size;
        std::vector<Gap> next;
        for (const Gap& g : free) {
            if (to <= g.from || from >= g.to) {
                next.push_back(g);
                continue;
            }
            if (from - g.from >= b.size) next.push_back({g.from, from});
            if (g.to - to >= b.size) next.push_back({to, g.to});
        }
        free = next;
    }
    return free;
}

/// Chapter 6.3 `pick`: position of the chosen gap, -1 if none fits.
int pick(const Problem& p, const std::vector<Gap>& list, const Item& b, OracleFit fit) {
    const Bytes alignment = b.alignment > 0 ? b.alignment : p.alignment;
    int best = -1;
    Bytes bestLeft = std::numeric_limits<Bytes>::max();
    for (std::size_t k = 0; k < list.size(); ++k) {
        const Bytes left = list[k].to - roundUp(list[k].from, alignment) - b.size;
        if (left < 0) continue;
        if (fit == OracleFit::First) return static_cast<int>(k);
        if (left < bestLeft) {
            best = static_cast<int>(k);
            bestLeft = left;
        }
    }
    return best;
}

/// Chapter 6.1.
std::vector<int> order(const Problem& p, OracleOrder how) {
    std::vector<int> list;
    for (std::size_t i = 0; i < p.items.size(); ++i) {
        if (!isSetAside(p, p.items[i])) list.push_back(static_cast<int>(i));
    }
    std::vector<double> score(p.items.size(), 0.0);
    for (const int i : list) {
        double discount = at(p, i).inPlaceParents.empty() ? 0.0 : 0.25;
        const auto declares = [&](int other) { return isParent(at(p, other), i); };
        if (how == OracleOrder::Scored && std::any_of(list.begin(), list.end(), declares)) discount += 0.25;
        score[static_cast<std::size_t>(i)] =
            (endOf(at(p, i)) - at(p, i).start - discount) /
            (static_cast<double>(at(p, i).uses.size()) + (at(p, i).firstUseIsRead ? 0.0 : 0.5));
    }
    std::stable_sort(list.begin(), list.end(), [&](int a, int b) {
        const Step la = endOf(at(p, a)) - at(p, a).start;
        const Step lb = endOf(at(p, b)) - at(p, b).start;
        const double sa = how == OracleOrder::Scored ? score[static_cast<std::size_t>(a)] : 0.0;
        const double sb = how == OracleOrder::Scored ? score[static_cast<std::size_t>(b)] : 0.0;
        return sa != sb ? sa < sb : la < lb;
    });
    // The first buffer of the list all of whose parents are out already goes next.
    std::vector<int> result;
    std::vector<bool> done(p.items.size(), false);
    std::vector<bool> listed(p.items.size(), false);
    for (const int i : list)
        listed[static_cast<std::size_t>(i)] = true;
    const auto isReady = [&](int i) {
        return std::all_of(at(p, i).inPlaceParents.begin(), at(p, i).inPlaceParents.end(), [&](int parent) {
            return done[static_cast<std::size_t>(parent)] || !listed[static_cast<std::size_t>(parent)];
        });
    };
    std::size_t firstOpen = 0;
    while (result.size() < list.size()) {
        while (done[static_cast<std::size_t>(list[firstOpen])])
            ++firstOpen;
        std::size_t k = firstOpen;
        while (done[static_cast<std::size_t>(list[k])] || !isReady(list[k]))
            ++k;
        done[static_cast<std::size_t>(list[k])] = true;
        result.push_back(list[k]);
    }
    return result;
}

}  // namespace

Addresses oracleFit(const Problem& p, OracleFit fit, OracleOrder how) {
    Addresses address(p.items.size());
    std::vector<int> placed;
    std::set<int> handed;
    for (const int i : order(p, how)) {
        const Item& b = at(p, i);
        const auto admitted = [&](const Gap& g) {
            for (const int parent : b.inPlaceParents) {
                const auto& base = address[static_cast<std::size_t>(parent)];
                if (base && handed.count(parent) == 0 && *base >= g.from && *base + at(p, parent).size <= g.to)
                    return parent;
            }
            return -1;
        };
        std::optional<Address>& mine = address[static_cast<std::size_t>(i)];
        if (!b.inPlaceParents.empty()) {
            std::vector<Gap> open = gaps(p, address, placed, i, true);
            std::erase_if(open, [&](const Gap& g) { return admitted(g) < 0; });
            if (const int k = pick(p, open, b, fit); k >= 0) {
                const int parent = admitted(open[static_cast<std::size_t>(k)]);
                mine = address[static_cast<std::size_t>(parent)];
                handed.insert(parent);
            }
        }
        if (!mine) {
            const std::vector<Gap> open = gaps(p, address, placed, i, false);
            if (const int k = pick(p, open, b, fit); k >= 0) {
                mine = roundUp(open[static_cast<std::size_t>(k)].from, b.alignment > 0 ? b.alignment : p.alignment);
            }
        }
        if (mine) placed.push_back(i);
    }
    return address;
}

namespace {

/// Chapter 7.1 for one buffer, `before` = earlier buffers of the order that coexist with it.
std::optional<Address> restOn(const Problem& p, const Addresses& address, const std::vector<int>& before, int self) {
    const Item& b = at(p, self);
    const auto within = [&](Address a) { return a + b.size <= p.capacity ? std::optional<Address>(a) : std::nullopt; };
    if (before.empty()) return within(0);
    Address top = 0;
    for (const int o : before) {
        if (!address[static_cast<std::size_t>(o)]) return std::nullopt;
        top = std::max(top, *address[static_cast<std::size_t>(o)] + at(p, o).size);
    }
    for (const int partner : before) {
        if (!isParent(b, partner) && !isParent(at(p, partner), self)) continue;
        const Address base = *address[static_cast<std::size_t>(partner)];
        const bool isFree = std::all_of(before.begin(), before.end(), [&](int o) {
            return o == partner || *address[static_cast<std::size_t>(o)] + at(p, o).size <= base;
        });
        if (isFree) return within(base);
    }
    return within(roundUp(top, b.alignment > 0 ? b.alignment : p.alignment));
}

}  // namespace

Addresses oraclePack(const Problem& p, const std::vector<int>& packingOrder) {
    Addresses address(p.items.size());
    for (std::size_t k = 0; k < packingOrder.size(); ++k) {
        std::vector<int> before;
        for (std::size_t e = 0; e < k; ++e) {
            if (coexist(at(p, packingOrder[e]), at(p, packingOrder[k]))) before.push_back(packingOrder[e]);
        }
        address[static_cast<std::size_t>(packingOrder[k])] = restOn(p, address, before, packingOrder[k]);
    }
    return address;
}

Bytes oracleMostPinned(const Problem& p) {
    std::vector<int> all(p.items.size());
    std::iota(all.begin(), all.end(), 0);
    Bytes best = 0;
    do {
        // Each buffer of the permutation rests on the placed ones before it, or is left out when it does not fit:
        // sorted by address, every push-down placement is one of these.
        Addresses address(p.items.size());
        Bytes pinned = 0;
        for (const int i : all) {
            const Item& b = at(p, i);
            Address top = 0;
            for (const int o : all) {
                const auto& a = address[static_cast<std::size_t>(o)];
                if (o != i && a && coexist(at(p, o), b)) top = std::max(top, *a + at(p, o).size);
            }
            top = roundUp(top, b.alignment > 0 ? b.alignment : p.alignment);
            if (isSetAside(p, b) || top + b.size > p.capacity) continue;
            address[static_cast<std::size_t>(i)] = top;
            pinned += b.size;
        }
        best = std::max(best, pinned);
    } while (std::next_permutation(all.begin(), all.end()));
    return best;
}

}  // namespace memplan::testing

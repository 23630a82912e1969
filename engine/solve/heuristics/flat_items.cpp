// SPDX-License-Identifier: Apache-2.0
#include "engine/solve/heuristics/flat_items.h"

#include <algorithm>
#include <numeric>

namespace memplan::solve {

namespace {

/// The alignment shared by all candidates, 1 when they differ (then gaps are compared by their plain length).
Bytes sharedAlignment(const FlatItems& flat, Bytes fallback) {
    Bytes shared = 0;
    for (std::size_t i = 0; i < flat.count(); ++i) {
        if (flat.candidate[i] == 0) continue;
        if (shared == 0) shared = flat.alignment[i];
        if (shared != flat.alignment[i]) return 1;
    }
    return shared == 0 ? fallback : shared;
}

}  // namespace

FlatItems::FlatItems(const Problem& problem) : capacity(problem.capacity) {
    const std::size_t n = problem.items.size();
    start.resize(n);
    end.resize(n);
    size.resize(n);
    alignment.resize(n);
    candidate.resize(n);
    parentBegin.assign(n + 1, 0);
    for (std::size_t i = 0; i < n; ++i) {
        const Item& item = problem.items[i];
        start[i] = item.start;
        end[i] = item.liveEnd();
        size[i] = item.size;
        alignment[i] = problem.alignmentOf(item);
        candidate[i] = problem.isCandidate(item) ? 1 : 0;
    }
    for (std::size_t i = 0; i < n; ++i) {
        for (const int p : problem.items[i].inPlaceParents) {
            const bool known = p >= 0 && static_cast<std::size_t>(p) < n;
            if (known && candidate[i] != 0 && candidate[static_cast<std::size_t>(p)] != 0) parentList.push_back(p);
        }
        parentBegin[i + 1] = parentList.size();
    }
    commonAlignment = sharedAlignment(*this, problem.alignment);
    if (!problem.isHinted()) return;
    for (std::size_t i = 0; i < n; ++i) {
        const Item& item = problem.items[i];
        fixed.push_back(candidate[i] != 0 ? item.fixedAddress.value_or(-1) : -1);
        last.push_back(problem.lastAddress(item));
        slotOnly.push_back(item.onlyInParentSlot ? 1 : 0);
    }
}

std::vector<int> orderByKey(std::span<const std::int64_t> keys) {
    std::vector<int> order(keys.size());
    if (keys.empty()) return order;
    const auto [low, high] = std::minmax_element(keys.begin(), keys.end());
    const std::int64_t base = *low;
    const std::int64_t range = *high - base;
    if (range <= 4 * static_cast<std::int64_t>(keys.size()) + 1024) {
        std::vector<int> slot(static_cast<std::size_t>(range) + 2, 0);
        for (const std::int64_t k : keys)
            ++slot[static_cast<std::size_t>(k - base) + 1];
        std::partial_sum(slot.begin(), slot.end(), slot.begin());
        for (std::size_t i = 0; i < keys.size(); ++i) {
            order[static_cast<std::size_t>(slot[static_cast<std::size_t>(keys[i] - base)]++)] = static_cast<int>(i);
        }
        return order;
    }
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        return keys[static_cast<std::size_t>(a)] < keys[static_cast<std::size_t>(b)];
    });
    return order;
}

}  // namespace memplan::solve

// SPDX-License-Identifier: Apache-2.0
// Order of first-fit and best-fit (scratchpad 6.1): Kahn's algorithm over the in-place pairs, the ready
// buffer with the smallest key first.
#include "engine/solve/heuristics/flat_items.h"
#include "engine/solve/heuristics/heuristics.h"

#include <queue>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace memplan::solve {

namespace {

std::vector<int> candidatesOf(const FlatItems& flat) {
    std::vector<int> list;
    list.reserve(flat.count());
    for (std::size_t i = 0; i < flat.count(); ++i) {
        if (flat.candidate[i] != 0) list.push_back(static_cast<int>(i));
    }
    return list;
}

/// Candidates by (lifetime, input position).
std::vector<int> byLifetime(const FlatItems& flat, const std::vector<int>& candidates) {
    std::vector<std::int64_t> length;
    length.reserve(candidates.size());
    for (const int b : candidates) {
        const auto at = static_cast<std::size_t>(b);
        length.push_back(std::int64_t{flat.end[at]} - flat.start[at]);
    }
    std::vector<int> order = orderByKey(length);
    for (int& o : order)
        o = candidates[static_cast<std::size_t>(o)];
    return order;
}

std::vector<double> scores(const Problem& problem, const FlatItems& flat) {
    std::vector<double> discount(flat.count(), 0.0);
    for (std::size_t i = 0; i < flat.count(); ++i) {
        // A parent that is set aside orders nothing but counts here.
        if (!problem.items[i].inPlaceParents.empty()) discount[i] += 0.25;
    }
    std::vector<std::uint8_t> isParent(flat.count(), 0);
    for (const int p : flat.parentList)
        isParent[static_cast<std::size_t>(p)] = 1;
    std::vector<double> score(flat.count(), 0.0);
    for (std::size_t i = 0; i < flat.count(); ++i) {
        const Item& item = problem.items[i];
        if (isParent[i] != 0) discount[i] += 0.25;
        const double bonus = item.firstUseIsRead ? 0.0 : 0.5;
        const double length = static_cast<double>(flat.end[i]) - static_cast<double>(flat.start[i]);
        score[i] = (length - discount[i]) / (static_cast<double>(item.uses.size()) + bonus);
    }
    return score;
}

/// Candidates by (score, lifetime, input position); a small score means short and heavily used.
std::vector<int> byScore(const Problem& problem, const FlatItems& flat, const std::vector<int>& candidates) {
    const std::vector<double> score = scores(problem, flat);
    std::vector<int> order = byLifetime(flat, candidates);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        return score[static_cast<std::size_t>(a)] < score[static_cast<std::size_t>(b)];
    });
    return order;
}

/// `wanted` with every parent moved before its children.
std::vector<int> parentsFirst(const FlatItems& flat, const std::vector<int>& wanted) {
    std::vector<int> rank(flat.count(), -1);
    for (std::size_t r = 0; r < wanted.size(); ++r)
        rank[static_cast<std::size_t>(wanted[r])] = static_cast<int>(r);
    std::vector<int> open(flat.count(), 0);
    std::vector<std::vector<int>> children(flat.count());
    for (const int b : wanted) {
        for (const int p : flat.parents(static_cast<std::size_t>(b))) {
            children[static_cast<std::size_t>(p)].push_back(b);
            ++open[static_cast<std::size_t>(b)];
        }
    }
    std::priority_queue<int, std::vector<int>, std::greater<>> ready;  // ranks
    for (const int b : wanted) {
        if (open[static_cast<std::size_t>(b)] == 0) ready.push(rank[static_cast<std::size_t>(b)]);
    }
    std::vector<int> order;
    order.reserve(wanted.size());
    while (!ready.empty()) {
        const int b = wanted[static_cast<std::size_t>(ready.top())];
        ready.pop();
        order.push_back(b);
        for (const int child : children[static_cast<std::size_t>(b)]) {
            if (--open[static_cast<std::size_t>(child)] == 0) ready.push(rank[static_cast<std::size_t>(child)]);
        }
    }
    return order;
}

}  // namespace

std::vector<int> placementOrder(const Problem& problem, Ordering ordering) {
    const FlatItems flat(problem);
    const std::vector<int> candidates = candidatesOf(flat);
    std::vector<int> order =
        ordering == Ordering::Lifetime ? byLifetime(flat, candidates) : byScore(problem, flat, candidates);
    return flat.hasParents() ? parentsFirst(flat, order) : order;
}

}  // namespace memplan::solve

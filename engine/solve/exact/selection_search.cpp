// SPDX-License-Identifier: Apache-2.0
#include "engine/solve/exact/selection_search.h"

#include "engine/base/numeric.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace memplan::solve {

namespace {

constexpr double kWhole = 1e-6;
constexpr std::int64_t kPivotsPerNode = 5'000;  // more is a sign of going round in circles
constexpr std::int8_t kFree = -1;
constexpr std::int8_t kOut = 0;
constexpr std::int8_t kIn = 1;

std::size_t at(int item) {
    return static_cast<std::size_t>(item);
}

std::int64_t largestValue(const Part& part) {
    std::int64_t most = 1;
    for (const PartItem& item : part.items)
        most = std::max(most, item.value);
    return most;
}

std::vector<double> gainsOf(const Part& part) {
    const auto most = static_cast<double>(largestValue(part));
    std::vector<double> gains;
    for (const PartItem& item : part.items)
        gains.push_back(static_cast<double>(item.value) / most);
    return gains;
}

/// What the simplex method follows.
std::vector<double> steeringOf(const Part& part, double thrift) {
    std::vector<double> gains = gainsOf(part);
    for (std::size_t k = 0; k < gains.size(); ++k) {
        const PartItem& item = part.items[k];
        gains[k] *=
            1.0 - thrift * static_cast<double>(item.endColumn - item.firstColumn) / static_cast<double>(part.columns);
    }
    return gains;
}

}  // namespace

SelectionSearch::SelectionSearch(const Part& part, std::int64_t& best, const SelectionLimits& limits,
                                 const PlaceSet& place, const RunControl& control)
    : part_(part), best_(best), limits_(limits), place_(place), control_(control),
      scale_(static_cast<double>(largestValue(part))), lp_(gainsOf(part), steeringOf(part, limits.thrift)) {
    granule_ = 0;
    for (const PartItem& item : part.items)
        granule_ = std::gcd(granule_, item.value);
    granule_ = std::max<std::int64_t>(granule_, 1);
    if (limits_.room <= 0) limits_.room = alignUp(part.capacity, part.alignment);
    addCapacityRows();
}

/// One row for each column that cannot take all of its items.
void SelectionSearch::addCapacityRows() {
    std::vector<std::vector<PackingLp::Term>> rows(part_.columns);
    std::vector<Bytes> load(part_.columns, 0);
    for (std::size_t k = 0; k < part_.items.size(); ++k) {
        const PartItem& item = part_.items[k];
        for (std::size_t c = firstOwnColumn(item); c < item.endColumn; ++c) {
            const double part = static_cast<double>(item.padded) / static_cast<double>(limits_.room);
            rows[c].push_back({static_cast<int>(k), part});
            load[c] += item.padded;
        }
    }
    for (std::size_t c = 0; c < part_.columns; ++c) {
        if (load[c] > limits_.room) lp_.addRow(rows[c], 1.0);
    }
}

SelectionResult SelectionSearch::run() {
    Node root;
    root.bound = std::accumulate(part_.items.begin(), part_.items.end(), std::int64_t{0},
                                 [](std::int64_t sum, const PartItem& i) { return sum + i.value; });
    root.fixed.assign(part_.items.size(), kFree);
    keep(std::move(root));
    while (!open_.empty() && open_.front().bound > best_ && !isSpent())
        plunge(takeBest());
    SelectionResult result;
    const std::int64_t open = open_.empty() ? -1 : open_.front().bound;
    result.upperBound = std::max({best_, open, undecided_});
    result.isProved = result.upperBound <= best_;
    result.nodes = nodes_;
    return result;
}

bool SelectionSearch::isSpent() const {
    return nodes_ >= limits_.maxNodes || lp_.pivots() >= limits_.maxPivots || control_.shouldStop();
}

bool SelectionSearch::isBehind(const Node& a, const Node& b) {
    return a.bound != b.bound ? a.bound < b.bound : a.number < b.number;
}

void SelectionSearch::keep(Node node) {
    open_.push_back(std::move(node));
    std::push_heap(open_.begin(), open_.end(), isBehind);
}

SelectionSearch::Node SelectionSearch::takeBest() {
    std::pop_heap(open_.begin(), open_.end(), isBehind);
    Node node = std::move(open_.back());
    open_.pop_back();
    return node;
}

void SelectionSearch::plunge(Node node) {
    for (bool isFirst = true;; isFirst = false) {
        if (isSpent()) return keep(std::move(node));
        ++nodes_;
        if (!evaluate(node)) return;
        const int next = branchItem(node);
        if (next < 0) {
            if (!excludes(wholeItems(), node.bound)) return;
            continue;
        }
        if (isFirst) round(node);
        if (node.bound <= best_) return;
        Node other = node;
        const bool takesIn = lp_.value(next) >= 0.5;
        other.fixed[at(next)] = takesIn ? kOut : kIn;
        other.number = nodes_;
        node.fixed[at(next)] = takesIn ? kIn : kOut;
        keep(std::move(other));
    }
}

bool SelectionSearch::evaluate(Node& node) {
    for (std::size_t k = 0; k < node.fixed.size(); ++k) {
        const double low = node.fixed[k] == kIn ? 1.0 : 0.0;
        const double high = node.fixed[k] == kOut ? 0.0 : 1.0;
        lp_.setBounds(static_cast<int>(k), low, high);
    }
    if (lp_.solve(kPivotsPerNode) == PackingLp::End::Infeasible) return false;
    const double lpBound = lp_.bound() * scale_;
    node.bound = std::min(node.bound, whole(lpBound));
    if (node.bound <= best_) return false;
    fixByGains(node, lpBound);
    return true;
}

/// Largest sum of values that is not above `bound`.
std::int64_t SelectionSearch::whole(double bound) const {
    const auto below = static_cast<std::int64_t>(std::floor(bound * (1.0 + 1e-12) + 1e-3));
    return below - below % granule_;
}

void SelectionSearch::fixByGains(Node& node, double lpBound) {
    for (std::size_t k = 0; k < node.fixed.size(); ++k) {
        if (node.fixed[k] != kFree) continue;
        const double gain = lp_.reducedGain(static_cast<int>(k)) * scale_;
        if (whole(lpBound - std::abs(gain)) > best_) continue;
        node.fixed[k] = gain > 0.0 ? kIn : kOut;
    }
}

/// The free item between its bounds whose cheaper choice costs most, by the product of both.
int SelectionSearch::branchItem(const Node& node) const {
    constexpr double kLeast = 1e-9;
    int best = -1;
    double score = -1.0;
    for (std::size_t k = 0; k < node.fixed.size(); ++k) {
        const double share = lp_.value(static_cast<int>(k));
        if (share <= kWhole || share >= 1.0 - kWhole) continue;
        const PackingLp::Penalty cost = lp_.penalty(static_cast<int>(k));
        const double both = std::max(cost.down, kLeast) * std::max(cost.up, kLeast);
        if (both <= score) continue;
        score = both;
        best = static_cast<int>(k);
    }
    return best;
}

std::vector<int> SelectionSearch::wholeItems() const {
    std::vector<int> set;
    for (std::size_t k = 0; k < part_.items.size(); ++k) {
        if (lp_.value(static_cast<int>(k)) > 0.5) set.push_back(static_cast<int>(k));
    }
    return set;
}

/// The whole items of the choice, then others by falling share while they fit.
void SelectionSearch::round(const Node& node) {
    std::vector<int> order(part_.items.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return lp_.value(a) > lp_.value(b); });
    std::vector<Bytes> room(part_.columns, limits_.room);
    std::vector<int> set;
    for (const int k : order) {
        const PartItem& item = part_.items[at(k)];
        if (node.fixed[at(k)] == kOut) continue;
        const auto first = room.begin() + static_cast<std::ptrdiff_t>(firstOwnColumn(item));
        const auto last = room.begin() + static_cast<std::ptrdiff_t>(std::max(firstOwnColumn(item), item.endColumn));
        if (std::any_of(first, last, [&](Bytes r) { return r < item.padded; })) continue;
        std::for_each(first, last, [&](Bytes& r) { r -= item.padded; });
        set.push_back(k);
    }
    std::sort(set.begin(), set.end());
    static_cast<void>(outcomeOf(set));
}

std::int64_t SelectionSearch::valueOfSet(const std::vector<int>& set) const {
    return std::accumulate(set.begin(), set.end(), std::int64_t{0},
                           [&](std::int64_t sum, int k) { return sum + part_.items[at(k)].value; });
}

/// Has a set placed if that is worth while, each one once. Sets that hold a refused one are not met again.
SetEnd SelectionSearch::outcomeOf(const std::vector<int>& set) {
    if (valueOfSet(set) <= best_) return SetEnd::Placed;
    const auto known = tried_.find(set);
    if (known != tried_.end()) return known->second;
    std::vector<int> conflict;
    const SetEnd end = place_(set, conflict);
    if (end == SetEnd::Refused) {
        std::vector<PackingLp::Term> terms;
        for (const int k : conflict)
            terms.push_back({k, 1.0});
        lp_.addRow(terms, static_cast<double>(conflict.size()) - 1.0);
    }
    return tried_[set] = end;
}

/// The relaxation's own choice at a node is whole: true when the node has others that may be worth more than the best.
bool SelectionSearch::excludes(const std::vector<int>& set, std::int64_t bound) {
    const SetEnd end = outcomeOf(set);
    if (end == SetEnd::Refused) return true;
    if (end == SetEnd::Undecided) undecided_ = std::max(undecided_, valueOfSet(set));
    if (bound <= best_) return false;
    std::vector<PackingLp::Term> terms;  // this set and no other
    std::vector<std::int8_t> isIn(part_.items.size(), 0);
    for (const int k : set)
        isIn[at(k)] = 1;
    for (std::size_t k = 0; k < isIn.size(); ++k)
        terms.push_back({static_cast<int>(k), isIn[k] != 0 ? 1.0 : -1.0});
    lp_.addRow(terms, static_cast<double>(set.size()) - 1.0);
    return true;
}

}  // namespace memplan::solve

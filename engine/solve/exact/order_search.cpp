// SPDX-License-Identifier: Apache-2.0
#include "engine/solve/exact/order_search.h"

#include "engine/base/numeric.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace memplan::solve {

namespace {

constexpr double kHot = 0.01;       // temperature at the start, in mean values of an item
constexpr double kCold = 0.001;     // and at the end
constexpr double kSwaps = 0.3;      // part of the moves that exchange two items
constexpr std::size_t kBlock = 16;  // positions from one kept state to the next

std::size_t at(int item) {
    return static_cast<std::size_t>(item);
}

}  // namespace

OrderSearch::OrderSearch(const Problem& problem, const Part& part, const RunControl& control)
    : part_(part), control_(control), count_(part.items.size()), columns_(part.columns), alwaysAligned_(true) {
    for (const PartItem& item : part.items) {
        const Bytes alignment = problem.alignmentOf(problem.items[at(item.position)]);
        alwaysAligned_ = alwaysAligned_ && alignment == part.alignment;
        flat_.push_back({static_cast<std::uint32_t>(item.firstColumn), static_cast<std::uint32_t>(item.endColumn),
                         item.padded, alignment, item.last, item.value});
    }
    tops_.resize((count_ / kBlock + 2) * columns_);
    valueAt_.resize(count_ / kBlock + 2);
    scratch_.resize(columns_);
    place_.resize(count_);
    isIn_.resize(count_);
    findNeighbours();
}

void OrderSearch::findNeighbours() {
    neighbours_.resize(count_);
    for (std::size_t a = 0; a < count_; ++a) {
        for (std::size_t b = 0; b < count_; ++b) {
            const bool meet = flat_[a].firstColumn < flat_[b].endColumn && flat_[b].firstColumn < flat_[a].endColumn;
            if (a != b && meet) neighbours_[a].push_back(static_cast<int>(b));
        }
    }
}

/// Placed items by address, then the others by falling value per byte and column.
void OrderSearch::startFrom(const PartPlan& plan) {
    std::vector<double> gain(count_);
    for (std::size_t k = 0; k < count_; ++k) {
        const double columns = flat_[k].endColumn - flat_[k].firstColumn;
        gain[k] = static_cast<double>(flat_[k].value) / (static_cast<double>(flat_[k].size) * columns);
    }
    order_.resize(count_);
    std::iota(order_.begin(), order_.end(), 0);
    std::stable_sort(order_.begin(), order_.end(), [&](int a, int b) {
        const bool hasA = plan.address[at(a)] != PartPlan::kNone;
        const bool hasB = plan.address[at(b)] != PartPlan::kNone;
        if (hasA != hasB) return hasA;
        return hasA ? plan.address[at(a)] < plan.address[at(b)] : gain[at(a)] > gain[at(b)];
    });
    recompute(0);
}

/// False when the item stays out.
bool OrderSearch::rest(int item, Address* tops, std::int64_t& value) const {
    const Flat& flat = flat_[at(item)];
    Address top = 0;
    for (std::uint32_t c = flat.firstColumn; c < flat.endColumn; ++c)
        top = std::max(top, tops[c]);
    if (!alwaysAligned_) top = alignUp(top, flat.alignment);
    if (top > flat.last) return false;
    value += flat.value;
    for (std::uint32_t c = flat.firstColumn; c < flat.endColumn; ++c)
        tops[c] = top + flat.size;
    return true;
}

/// Stacks order_ again from `position` on.
void OrderSearch::recompute(std::size_t position) {
    std::size_t block = position / kBlock;
    if (block == 0) {
        std::fill_n(topsAt(0), columns_, 0);
        valueAt_[0] = 0;
    }
    std::copy_n(topsAt(block), columns_, scratch_.data());
    std::int64_t value = valueAt_[block];
    for (std::size_t k = block * kBlock; k < count_; ++k) {
        if (k % kBlock == 0) {
            std::copy_n(scratch_.data(), columns_, topsAt(k / kBlock));
            valueAt_[k / kBlock] = value;
        }
        place_[at(order_[k])] = k;
        isIn_[at(order_[k])] = rest(order_[k], scratch_.data(), value) ? 1 : 0;
    }
    value_ = value;
}

/// Value of trial_, which equals order_ outside of `move`.
std::int64_t OrderSearch::evaluate(const Move& move) {
    const std::size_t first = move.low / kBlock;
    std::copy_n(topsAt(first), columns_, scratch_.data());
    std::int64_t value = valueAt_[first];
    std::size_t k = first * kBlock;
    while (k < count_) {
        const std::size_t stop = std::min(k + kBlock, count_);
        for (; k < stop; ++k) {
            rest(trial_[k], scratch_.data(), value);
            workLeft_ -= 4 + flat_[at(trial_[k])].endColumn - flat_[at(trial_[k])].firstColumn;
        }
        if (k >= count_ || k <= move.high) continue;
        if (!std::equal(scratch_.begin(), scratch_.end(), topsAt(k / kBlock))) continue;
        return value_ + value - valueAt_[k / kBlock];
    }
    return value;
}

void OrderSearch::moveItem(std::size_t from, std::size_t target, Move& move) {
    const auto b = trial_.begin();
    const auto f = static_cast<std::ptrdiff_t>(from);
    const auto t = static_cast<std::ptrdiff_t>(target);
    if (from < target)
        std::rotate(b + f, b + f + 1, b + t + 1);
    else
        std::rotate(b + t, b + f, b + f + 1);
    move = {std::min(from, target), std::max(from, target)};
}

/// Makes trial_. False when the draw leads nowhere.
bool OrderSearch::draw(Move& move) {
    const int item = static_cast<int>(random_.below(count_));
    const std::vector<int>& others = neighbours_[at(item)];
    if (others.empty()) return false;
    const int other = others[random_.below(others.size())];
    if (isIn_[at(item)] == 0 && isIn_[at(other)] == 0) return false;
    const std::size_t from = place_[at(item)];
    const std::size_t target = place_[at(other)];
    trial_ = order_;
    if (random_.fraction() < kSwaps) {
        std::swap(trial_[from], trial_[target]);
        move = {std::min(from, target), std::max(from, target)};
        return true;
    }
    moveItem(from, target, move);
    return true;
}

void OrderSearch::keep(const Move& move) {
    std::swap(order_, trial_);
    recompute(move.low);
}

PartPlan OrderSearch::planOfOrder(const std::vector<int>& order) const {
    PartPlan plan;
    plan.address.assign(count_, PartPlan::kNone);
    plan.slotOf.assign(count_, -1);
    plan.value = 0;
    plan.peak = 0;
    plan.addressSum = 0;
    std::vector<Address> tops(columns_, 0);
    for (const int item : order) {
        if (!rest(item, tops.data(), plan.value)) continue;
        const Address address = tops[flat_[at(item)].firstColumn] - flat_[at(item)].size;
        plan.address[at(item)] = address;
        plan.peak = std::max(plan.peak, address + part_.items[at(item)].size);
        plan.addressSum += address;
    }
    return plan;
}

void OrderSearch::improve(PartPlan& best, std::int64_t bound, std::int64_t work, std::uint64_t seed) {
    random_ = Random(seed);
    moves_ = 0;
    found_.clear();
    workLeft_ = work;
    startFrom(best);
    std::int64_t most = best.value;
    std::vector<int> bestOrder;
    double mean = 0.0;
    for (const Flat& f : flat_)
        mean += static_cast<double>(f.value) / static_cast<double>(count_);
    const double cooling = std::log(kCold / kHot);
    double temperature = mean * kHot;
    const auto consider = [&] {
        if (value_ <= most) return;
        most = value_;
        bestOrder = order_;
        found_.push_back({moves_, most});
    };
    consider();
    while (workLeft_ > 0 && most < bound) {
        Move move;
        if ((++moves_ & 63) == 0) {
            if (control_.shouldStop()) break;
            const double done = 1.0 - static_cast<double>(workLeft_) / static_cast<double>(work);
            temperature = mean * kHot * std::exp(cooling * done);
        }
        workLeft_ -= 8;
        if (!draw(move)) continue;
        const auto change = static_cast<double>(evaluate(move) - value_);
        if (change < 0.0 && random_.fraction() >= std::exp(change / temperature)) continue;
        keep(move);
        consider();
    }
    if (!bestOrder.empty()) best = planOfOrder(bestOrder);
}

}  // namespace memplan::solve

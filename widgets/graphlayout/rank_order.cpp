// SPDX-License-Identifier: Apache-2.0
#include "widgets/graphlayout/rank_order.h"

#include <algorithm>
#include <utility>

namespace memplan::graphlayout {
namespace {

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

/// Counts how many values written so far are larger (Fenwick tree).
class InversionCounter {
public:
    explicit InversionCounter(std::size_t size) : sums_(size + 1, 0) {}
    std::int64_t add(std::size_t value) {
        std::int64_t notAbove = 0;
        for (std::size_t i = value + 1; i > 0; i -= i & (~i + 1))
            notAbove += sums_[i];
        for (std::size_t i = value + 1; i < sums_.size(); i += i & (~i + 1))
            ++sums_[i];
        return total_++ - notAbove;
    }

private:
    std::vector<std::int64_t> sums_;
    std::int64_t total_ = 0;
};

double medianOf(std::vector<double>& values) {
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/// Places closest (least squares) to `wanted` that keep the order and at least `pitch` between
/// neighbours: neighbours that are too close become a block at their mean.
std::vector<double> spread(const std::vector<double>& wanted, double pitch) {
    struct Block {
        double sum = 0;
        int count = 0;
        [[nodiscard]] double mean() const { return sum / count; }
    };
    std::vector<Block> blocks;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        blocks.push_back({wanted[i] - pitch * static_cast<double>(i), 1});
        while (blocks.size() > 1 && blocks[blocks.size() - 2].mean() > blocks.back().mean()) {
            const Block last = blocks.back();
            blocks.pop_back();
            blocks.back().sum += last.sum;
            blocks.back().count += last.count;
        }
    }
    std::vector<double> placed;
    for (const Block& b : blocks)
        for (int k = 0; k < b.count; ++k)
            placed.push_back(b.mean() + pitch * static_cast<double>(placed.size()));
    return placed;
}

}  // namespace

int RankedNet::addItem(int rank) {
    const int id = itemCount();
    if (ranks_.size() <= at(rank)) ranks_.resize(at(rank) + 1);
    rank_.push_back(rank);
    position_.push_back(static_cast<int>(ranks_[at(rank)].size()));
    upper_.emplace_back();
    lower_.emplace_back();
    ranks_[at(rank)].push_back(id);
    return id;
}

void RankedNet::connect(int upper, int lower) {
    lower_[at(upper)].push_back(lower);
    upper_[at(lower)].push_back(upper);
}

std::int64_t RankedNet::crossingsBelow(std::size_t rank) const {
    if (rank + 1 >= ranks_.size()) return 0;
    InversionCounter counter(ranks_[rank + 1].size());
    std::int64_t crossings = 0;
    std::vector<std::size_t> ends;
    for (const int item : ranks_[rank]) {
        ends.clear();
        for (const int below : lower_[at(item)])
            ends.push_back(at(position_[at(below)]));
        std::sort(ends.begin(), ends.end());
        for (const std::size_t end : ends)
            crossings += counter.add(end);
    }
    return crossings;
}

std::int64_t RankedNet::crossings() const {
    std::int64_t sum = 0;
    for (std::size_t r = 0; r < ranks_.size(); ++r)
        sum += crossingsBelow(r);
    return sum;
}

void RankedNet::renumber(std::size_t rank) {
    for (std::size_t i = 0; i < ranks_[rank].size(); ++i)
        position_[at(ranks_[rank][i])] = static_cast<int>(i);
}

void RankedNet::sortRank(std::size_t rank, bool byUpper) {
    std::vector<std::pair<double, int>> keyed;
    for (const int item : ranks_[rank]) {
        const std::vector<int>& fixed = byUpper ? upper_[at(item)] : lower_[at(item)];
        double key = position_[at(item)];
        if (!fixed.empty()) {
            key = 0;
            for (const int other : fixed)
                key += position_[at(other)];
            key /= static_cast<double>(fixed.size());
        }
        keyed.emplace_back(key, item);
    }
    std::stable_sort(keyed.begin(), keyed.end());
    for (std::size_t i = 0; i < keyed.size(); ++i)
        ranks_[rank][i] = keyed[i].second;
    renumber(rank);
}

void RankedNet::sweep(bool downward) {
    const std::size_t count = ranks_.size();
    for (std::size_t k = 1; k < count; ++k)
        sortRank(downward ? k : count - 1 - k, downward);
}

void RankedNet::orderByBarycentre(int sweeps) {
    Order best = ranks_;
    std::int64_t fewest = crossings();
    for (int s = 0; s < sweeps && fewest > 0; ++s) {
        sweep(s % 2 == 0);
        const std::int64_t now = crossings();
        if (now >= fewest) continue;
        fewest = now;
        best = ranks_;
    }
    ranks_ = std::move(best);
    for (std::size_t r = 0; r < ranks_.size(); ++r)
        renumber(r);
}

std::vector<double> RankedNet::coordinates(double pitch, int passes) const {
    std::vector<double> x(rank_.size(), 0);
    for (const std::vector<int>& rank : ranks_)
        for (std::size_t i = 0; i < rank.size(); ++i)
            x[at(rank[i])] = (static_cast<double>(i) - static_cast<double>(rank.size() - 1) / 2) * pitch;
    std::vector<double> around, wanted;
    for (int pass = 0; pass < passes; ++pass)
        for (std::size_t k = 0; k < ranks_.size(); ++k) {
            const std::vector<int>& rank = ranks_[pass % 2 == 0 ? k : ranks_.size() - 1 - k];
            wanted.clear();
            for (const int item : rank) {
                around.clear();
                for (const int other : upper_[at(item)])
                    around.push_back(x[at(other)]);
                for (const int other : lower_[at(item)])
                    around.push_back(x[at(other)]);
                wanted.push_back(around.empty() ? x[at(item)] : medianOf(around));
            }
            const std::vector<double> placed = spread(wanted, pitch);
            for (std::size_t i = 0; i < rank.size(); ++i)
                x[at(rank[i])] = placed[i];
        }
    return x;
}

}  // namespace memplan::graphlayout

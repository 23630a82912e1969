// SPDX-License-Identifier: Apache-2.0
#include "engine/solve/problem/knapsack.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace memplan::solve {

namespace {

/// Cost of a part of a buffer, rounded up but never above the exact quotient's ceiling.
Bytes partCost(const CoverItem& item, Bytes needed) {
    const double exact = static_cast<double>(item.cost) * static_cast<double>(needed) / static_cast<double>(item.room);
    return static_cast<Bytes>(std::ceil(exact * (1.0 - 1e-12) - 1e-6));
}

bool isCheaper(const CoverItem& a, const CoverItem& b) {
    return static_cast<double>(a.cost) / static_cast<double>(a.room) <
           static_cast<double>(b.cost) / static_cast<double>(b.room);
}

class CoverSearch {
public:
    CoverSearch(std::vector<CoverItem> items, std::int64_t maxNodes) : items_(std::move(items)), nodesLeft_(maxNodes) {
        std::erase_if(items_, [](const CoverItem& i) { return i.room <= 0; });
        std::stable_sort(items_.begin(), items_.end(), isCheaper);
        roomFrom_.assign(items_.size() + 1, 0);
        for (std::size_t i = items_.size(); i-- > 0;)
            roomFrom_[i] = roomFrom_[i + 1] + items_[i].room;
    }

    Bytes run(Bytes needed) {
        const Bytes relaxed = relaxation(0, needed);
        floor_ = relaxed;
        descend(0, needed, 0);
        return nodesLeft_ < 0 ? relaxed : best_;
    }

private:
    [[nodiscard]] Bytes relaxation(std::size_t from, Bytes needed) const {
        Bytes cost = 0;
        for (std::size_t i = from; i < items_.size() && needed > 0; ++i) {
            if (items_[i].room > needed) return cost + partCost(items_[i], needed);
            cost += items_[i].cost;
            needed -= items_[i].room;
        }
        return cost;
    }

    void descend(std::size_t at, Bytes needed, Bytes cost) {
        if (--nodesLeft_ < 0 || best_ == floor_) return;
        if (needed <= 0) {
            best_ = std::min(best_, cost);
            return;
        }
        if (roomFrom_[at] < needed || cost + relaxation(at, needed) >= best_) return;
        descend(at + 1, needed - items_[at].room, cost + items_[at].cost);
        descend(at + 1, needed, cost);
    }

    std::vector<CoverItem> items_;
    std::vector<Bytes> roomFrom_;
    std::int64_t nodesLeft_;
    Bytes floor_ = 0;
    Bytes best_ = std::numeric_limits<Bytes>::max();
};

}  // namespace

CoverTree::CoverTree(std::size_t count) {
    while (leaves_ < count)
        leaves_ *= 2;
    nodes_.assign(2 * leaves_, Node{});
}

void CoverTree::set(std::size_t rank, CoverItem item, Bytes saving) {
    std::size_t node = leaves_ + rank;
    nodes_[node] = {item.room, item.cost, saving};
    for (node /= 2; node >= 1; node /= 2) {
        const Node& left = nodes_[2 * node];
        const Node& right = nodes_[2 * node + 1];
        nodes_[node] = {left.room + right.room, left.cost + right.cost, std::max(left.saving, right.saving)};
    }
}

Bytes CoverTree::cheapest(Bytes needed) const {
    if (needed <= 0) return 0;
    if (needed >= nodes_[1].room) return nodes_[1].cost;
    Bytes cost = 0;
    std::size_t node = 1;
    while (node < leaves_) {
        node *= 2;
        if (nodes_[node].room > needed) continue;
        needed -= nodes_[node].room;
        cost += nodes_[node].cost;
        ++node;
    }
    return needed > 0 ? cost + partCost({nodes_[node].room, nodes_[node].cost}, needed) : cost;
}

Bytes cheapestCover(std::vector<CoverItem> items, Bytes needed, std::int64_t maxNodes) {
    if (needed <= 0) return 0;
    return CoverSearch(std::move(items), maxNodes).run(needed);
}

}  // namespace memplan::solve

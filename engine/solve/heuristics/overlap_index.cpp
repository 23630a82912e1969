// SPDX-License-Identifier: Apache-2.0
#include "engine/solve/heuristics/overlap_index.h"

namespace memplan::solve {

OverlapIndex::OverlapIndex(const FlatItems& flat) : flat_(flat) {
    const std::size_t n = flat.count();
    order_ = orderByKey(std::vector<std::int64_t>(flat.start.begin(), flat.start.end()));
    rank_.resize(n);
    sorted_.resize(n);
    end_.assign(n, kNever);
    for (std::size_t i = 0; i < n; ++i) {
        rank_[static_cast<std::size_t>(order_[i])] = static_cast<int>(i);
        sorted_[i] = flat.start[static_cast<std::size_t>(order_[i])];
    }
    for (std::size_t level = 0; level < kLevels; ++level) {
        latest_[level].assign((n >> (kShift * (level + 1))) + 1, kNever);
    }
    if (n == 0) return;
    const std::int64_t range = std::int64_t{sorted_.back()} - sorted_.front() + 1;
    if (range > 4 * static_cast<std::int64_t>(n) + 1024) return;
    firstAt_.resize(static_cast<std::size_t>(range));
    std::size_t i = 0;
    for (std::int64_t offset = 0; offset < range; ++offset) {
        while (sorted_[i] < sorted_.front() + offset)
            ++i;
        firstAt_[static_cast<std::size_t>(offset)] = static_cast<int>(i);
    }
}

void OverlapIndex::add(int buffer) {
    const auto at = static_cast<std::size_t>(buffer);
    const auto position = static_cast<std::size_t>(rank_[at]);
    end_[position] = flat_.end[at];
    for (std::size_t level = 0; level < kLevels; ++level) {
        Step& latest = latest_[level][position >> (kShift * (level + 1))];
        latest = std::max(latest, flat_.end[at]);
    }
    longest_ = std::max(longest_, std::int64_t{flat_.end[at]} - flat_.start[at]);
}

}  // namespace memplan::solve

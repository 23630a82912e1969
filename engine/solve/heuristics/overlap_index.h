// SPDX-License-Identifier: Apache-2.0
// "Which placed buffers coexist with this one?" without looking at all of them (performance-and-toolchain 5).
#pragma once

#include "engine/solve/heuristics/flat_items.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <vector>

namespace memplan::solve {

/// Buffers stand in start order; four levels of blocks hold the latest end among the placed ones, so that whole
/// blocks that ended before the question's start are skipped. The longest placed lifetime bounds how far back a
/// coexisting buffer can start.
class OverlapIndex {
public:
    explicit OverlapIndex(const FlatItems& flat);

    void add(int buffer);

    /// Calls visit(buffer) for every added buffer that coexists with `buffer`, in start order.
    template <class Visit> void forEachCoexisting(int buffer, Visit&& visit) const {
        const auto at = static_cast<std::size_t>(buffer);
        const Step from = flat_.start[at];
        std::size_t i = firstFrom(std::int64_t{from} - longest_ + 1);
        const std::size_t stop = firstFrom(flat_.end[at]);
        while (i < stop) {
            const std::size_t skip = skippable(i, from);
            if (skip > 0) {
                i += skip;
                continue;
            }
            const std::size_t blockEnd = std::min(stop, (i | (kFan - 1)) + 1);
            for (; i < blockEnd; ++i) {
                if (end_[i] > from) visit(order_[i]);
            }
        }
    }

private:
    static constexpr std::size_t kShift = 4;
    static constexpr std::size_t kFan = std::size_t{1} << kShift;
    static constexpr std::size_t kLevels = 4;
    static constexpr Step kNever = std::numeric_limits<Step>::min();

    /// First position in start order with a start at or after `tick`.
    [[nodiscard]] std::size_t firstFrom(std::int64_t tick) const {
        if (sorted_.empty() || tick <= sorted_.front()) return 0;
        if (tick > sorted_.back()) return sorted_.size();
        if (!firstAt_.empty())
            return static_cast<std::size_t>(firstAt_[static_cast<std::size_t>(tick - sorted_.front())]);
        return static_cast<std::size_t>(
            std::partition_point(sorted_.begin(), sorted_.end(), [&](Step s) { return s < tick; }) - sorted_.begin());
    }

    /// Positions from `i` on that can be passed over because all of them ended by `from`; 0 = look at `i`.
    [[nodiscard]] std::size_t skippable(std::size_t i, Step from) const {
        std::size_t skip = 0;
        for (std::size_t level = 0; level < kLevels; ++level) {
            const std::size_t shift = kShift * (level + 1);
            const std::size_t width = std::size_t{1} << shift;
            const std::size_t offset = i & (width - 1);
            if (level > 0 && offset != 0) break;  // wide blocks are entered at their first position only
            if (latest_[level][i >> shift] > from) break;
            skip = width - offset;
        }
        return skip;
    }

    const FlatItems& flat_;
    std::vector<int> order_;    ///< buffers by start
    std::vector<int> rank_;     ///< buffer -> position in order_
    std::vector<Step> sorted_;  ///< starts in that order
    std::vector<int> firstAt_;  ///< tick - first start -> position; empty when the ticks are sparse
    std::vector<Step> end_;     ///< end of the buffer at this position, kNever when it was not added
    std::array<std::vector<Step>, kLevels> latest_;
    std::int64_t longest_ = 0;
};

}  // namespace memplan::solve

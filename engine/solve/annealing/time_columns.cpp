// SPDX-License-Identifier: Apache-2.0
#include "engine/solve/annealing/time_columns.h"

#include <algorithm>

namespace memplan::solve {

std::vector<Step> timeColumns(std::span<const StepRange> lifetimes) {
    std::vector<Step> starts;
    std::vector<Step> ends;
    for (const StepRange& l : lifetimes) {
        starts.push_back(l.begin);
        ends.push_back(l.end);
    }
    std::sort(starts.begin(), starts.end());
    starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
    std::sort(ends.begin(), ends.end());
    // A start with no end before the next start has a subset of that one's live buffers.
    std::vector<Step> columns;
    for (std::size_t i = 0; i < starts.size(); ++i) {
        const auto nextEnd = std::upper_bound(ends.begin(), ends.end(), starts[i]);
        if (i + 1 == starts.size() || *nextEnd <= starts[i + 1]) columns.push_back(starts[i]);
    }
    return columns;
}

ColumnRange columnsOf(StepRange lifetime, std::span<const Step> columns) {
    const auto first = std::lower_bound(columns.begin(), columns.end(), lifetime.begin);
    const auto last = std::lower_bound(first, columns.end(), lifetime.end);
    return {static_cast<std::size_t>(first - columns.begin()), static_cast<std::size_t>(last - columns.begin())};
}

}  // namespace memplan::solve

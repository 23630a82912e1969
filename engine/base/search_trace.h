// SPDX-License-Identifier: Apache-2.0
// What a search found on its way, in counted steps: the same input gives the same trace on every machine
// (user-experience 12.2). Solvers that place every buffer once and never look back leave none.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace memplan {

/// A new best plan: the steps done by then and what it is worth.
struct SearchPoint {
    std::int64_t step = 0;
    std::int64_t value = 0;
    friend bool operator==(const SearchPoint&, const SearchPoint&) = default;
};

struct SearchTrace {
    /// What is maximised: "pinned_bytes", "saved_traffic_bytes" or "quality" (twice that of scratchpad 7.1).
    std::string measure;
    std::string stepUnit;               ///< "moves" or "nodes"
    std::int64_t steps = 0;             ///< done in all
    std::int64_t plannedSteps = 0;      ///< where the search ends by itself, 0 = no such number
    std::optional<std::int64_t> bound;  ///< no plan is worth more, when known
    /// Why it ended: "proved", "all_placed", "steps_done", "node_limit" or "time_limit".
    std::string end;
    std::vector<SearchPoint> points;  ///< steps never fall, values rise

    /// Notes a plan when it is better than the last one noted.
    void note(std::int64_t step, std::int64_t value) {
        if (points.empty() || value > points.back().value) points.push_back({step, value});
    }
    friend bool operator==(const SearchTrace&, const SearchTrace&) = default;
};

}  // namespace memplan

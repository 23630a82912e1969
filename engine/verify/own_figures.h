// SPDX-License-Identifier: Apache-2.0
// The figures that only one machine has, against what its validator makes of the plan.
#pragma once

#include "engine/verify/report.h"

#include <algorithm>

namespace memplan::verify {

/// VER-013 for a figure that is missing or differs. Figures that nobody here knows are left alone: a later version may
/// have more.
inline void checkOwnFigures(const PlanMetrics& metrics, const std::vector<std::pair<std::string, double>>& real,
                            Report& report) {
    for (const auto& [key, value] : real) {
        const auto it = std::ranges::find(metrics.own, key, &std::pair<std::string, double>::first);
        if (it == metrics.own.end())
            report.add("VER-013", "metrics " + key, "it is missing, the plan gives " + text::number(value));
        else
            report.expect("metrics " + key, it->second, value);
    }
}

}  // namespace memplan::verify

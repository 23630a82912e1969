// SPDX-License-Identifier: Apache-2.0
// Figures of a plan that only its machine has (PlanMetrics::own): what they are called and which way is good.
#pragma once

#include <string_view>

namespace memplan {

enum class FigureUnit { Count, ByteCount, Share };
enum class FigureGoal { High, Low, Neither };

struct FigureInfo {
    std::string_view key;    ///< of the plan file's metrics
    std::string_view title;  ///< for a table of figures
    FigureUnit unit = FigureUnit::Count;
    FigureGoal goal = FigureGoal::Neither;
    bool isHeadline = false;  ///< the first thing to say of two plans, in place of bytes on chip, traffic and peak
};

}  // namespace memplan

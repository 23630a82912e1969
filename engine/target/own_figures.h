// SPDX-License-Identifier: Apache-2.0
// The figures of a plan that only its machine has (PlanMetrics::own), and which of them a plan is judged by.
#pragma once

#include "engine/plan/plan.h"
#include "engine/target/figure.h"

#include <span>
#include <string>
#include <string_view>

namespace memplan {

/// What the machine of the plan counts, the most asked for first; empty for a machine that is not registered.
[[nodiscard]] std::span<const FigureInfo> figuresOf(const Plan& plan);
/// Null where the plan does not have it.
[[nodiscard]] const double* ownFigure(const Plan& plan, std::string_view key);
/// False where the machine has headline figures of its own: bytes on chip, peak and traffic then say nothing of a plan.
[[nodiscard]] bool isJudgedByBytes(std::string_view target);
/// A title inside a sentence: "peak columns".
[[nodiscard]] std::string inSentence(std::string_view title);

}  // namespace memplan

// SPDX-License-Identifier: GPL-3.0-or-later
// What a hint changed (user-experience 1, question J3): the plan with it beside a plan of the same inputs without it.
#pragma once

#include "engine/plan/plan.h"

#include <QString>

#include <vector>

namespace memplan::ui {

/// Equal as far as a compile is concerned.
[[nodiscard]] bool meansTheSame(const Hint& a, const Hint& b);

/// "off-chip traffic +1 048 576 B; without clone_x; sub not in place". `hint` is a position in the list of `plan`.
/// Empty where none of `others` was made of the same inputs and all hints in force but this one.
[[nodiscard]] QString hintEffect(const Plan& plan, std::size_t hint, const std::vector<PlanPtr>& others);

}  // namespace memplan::ui

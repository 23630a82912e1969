// SPDX-License-Identifier: GPL-3.0-or-later
// What the inspector says about a counted loop and about a range of steps (user-experience 2.4, 7.11, 10.1).
#pragma once

#include "widgets/views/inspector/inspector_facts.h"

namespace memplan::ui {

[[nodiscard]] InspectorContent loopContent(const InspectorInput& input, int loop);
/// What happens in a range of steps, while nothing is selected (7.11).
[[nodiscard]] InspectorContent rangeContent(const InspectorInput& input, StepRange steps);
/// "loop 0.0 ×4 in loop 0 ×2" as links, for the operation in it; empty when it is in none.
[[nodiscard]] QString loopLinks(const Plan& plan, OpId op);

}  // namespace memplan::ui

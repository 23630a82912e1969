// SPDX-License-Identifier: GPL-3.0-or-later
// The letter of a buffer: where it is, or that it has no place of its own.
#pragma once

#include "engine/plan/plan.h"
#include "widgets/plan/marks/badge.h"

namespace memplan::ui {

[[nodiscard]] BadgeText badgeOf(const PlanBuffer& buffer);

}  // namespace memplan::ui

// SPDX-License-Identifier: Apache-2.0
// Figures of a whole plan as text (command-line, `explain --stats`).
#pragma once

#include "engine/plan/plan.h"

#include <string>

namespace memplan {

/// Tables with headings; lines end with LF.
[[nodiscard]] std::string statisticsText(const Plan& plan);

}  // namespace memplan

// SPDX-License-Identifier: Apache-2.0
// The performance model as the settings ask for it: constants, edition, switches (spyre-cost-and-co-optimisation 9).
#pragma once

#include "engine/settings/settings.h"
#include "engine/spyre/cost/calibration.h"

namespace memplan::spyre::cost {

/// Reads the file of spyre.calibration, else takes the built-in constants, and applies spyre.cost_edition and
/// spyre.loop_reread_once. CAL-001 with the path, and for a fault inside the file its JSON pointer.
[[nodiscard]] Result<Calibration> calibrationFrom(const Settings& settings);

}  // namespace memplan::spyre::cost

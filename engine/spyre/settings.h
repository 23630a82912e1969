// SPDX-License-Identifier: Apache-2.0
// The settings of settings.md 2.
#pragma once

#include "engine/machine/machine.h"
#include "engine/settings/settings.h"

namespace memplan::spyre {

[[nodiscard]] const MachineSettings& settings();

/// At most as many cores as the machine has; SET-003 where somebody set more.
[[nodiscard]] Result<void> fitToMachine(Settings& settings, const MachineDescription& machine);

}  // namespace memplan::spyre

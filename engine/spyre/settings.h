// SPDX-License-Identifier: Apache-2.0
// The settings of settings.md 2.
#pragma once

#include "engine/settings/settings.h"

namespace memplan::spyre {

[[nodiscard]] const MachineSettings& settings();

}  // namespace memplan::spyre

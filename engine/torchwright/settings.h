// SPDX-License-Identifier: Apache-2.0
// The settings of settings.md 4.
#pragma once

#include "engine/settings/settings.h"

namespace memplan::torchwright {

[[nodiscard]] const MachineSettings& settings();

}  // namespace memplan::torchwright

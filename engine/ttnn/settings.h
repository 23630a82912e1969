// SPDX-License-Identifier: Apache-2.0
// The settings of settings.md 3.
#pragma once

#include "engine/settings/settings.h"

namespace memplan::ttnn {

[[nodiscard]] const MachineSettings& settings();

}  // namespace memplan::ttnn

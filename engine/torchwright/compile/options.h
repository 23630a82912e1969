// SPDX-License-Identifier: Apache-2.0
// The settings of settings.md 4 as options.
#pragma once

#include "engine/settings/settings.h"
#include "engine/torchwright/cut/cut.h"
#include "engine/torchwright/report/occupancy.h"
#include "engine/torchwright/schedule/options.h"

namespace memplan::torchwright {

[[nodiscard]] ScheduleOptions optionsOf(const Settings& settings);
[[nodiscard]] CutSettings cutSettingsOf(const Settings& settings);
[[nodiscard]] PlateauRule plateauRuleOf(const Settings& settings);

}  // namespace memplan::torchwright

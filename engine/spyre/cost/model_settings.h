// SPDX-License-Identifier: Apache-2.0
// The performance model as the settings ask for it: constants, edition, switches (spyre-cost-and-co-optimisation 9).
#pragma once

#include "engine/settings/setting_files.h"
#include "engine/settings/settings.h"
#include "engine/spyre/cost/calibration.h"

namespace memplan::spyre::cost {

/// Reads the file that spyre.calibration names, before a compile; nothing where it names none. CAL-001 with the path,
/// and for a fault inside the file its JSON pointer.
[[nodiscard]] Result<SettingFiles> readCalibrationFile(const Settings& settings);

/// The calibration of the file among `files`, else the built-in constants, with spyre.cost_edition and
/// spyre.loop_reread_once applied. CAL-001 for a fault of the file, and where it was not read before.
[[nodiscard]] Result<Calibration> calibrationOf(const Settings& settings, const SettingFiles& files);

/// The built-in constants with the same settings applied.
[[nodiscard]] Calibration builtInCalibration(const Settings& settings);

}  // namespace memplan::spyre::cost

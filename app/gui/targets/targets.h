// SPDX-License-Identifier: GPL-3.0-or-later
// The targets as the window knows them; a new one is a row in targets.cpp.
#pragma once

#include "app/gui/targets/target_ui.h"

#include <string_view>

namespace memplan::app {

/// The first is the one for documents that belong to none.
[[nodiscard]] std::span<const TargetUi* const> allTargetUis();
[[nodiscard]] const TargetUi& targetUi(std::string_view target);
/// Cores that the plan may use.
[[nodiscard]] std::int64_t coresOf(const Plan& plan);
/// What undo steps, trials and sweeps call a setting: the target's word, else words made from the key.
[[nodiscard]] QString settingTitle(std::string_view key);

}  // namespace memplan::app

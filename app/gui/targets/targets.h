// SPDX-License-Identifier: GPL-3.0-or-later
// The targets as the window knows them. A new one is shown in words of any machine until it has a file here and a row
// in targets.cpp.
#pragma once

#include "app/gui/targets/target_ui.h"

#include <string_view>

namespace memplan::app {

[[nodiscard]] std::span<const TargetUi> allTargetUis();
/// Without an id that of documents that belong to no machine: the first; of an id that nobody knows one without words.
[[nodiscard]] const TargetUi& targetUi(std::string_view target);
/// Whether plans of the target have something for the view of this key or the dock of this name.
[[nodiscard]] bool isOffered(const TargetUi& target, std::string_view viewOrDock);
[[nodiscard]] QString titleOf(const TargetUi& target);
[[nodiscard]] QString keyText(std::string_view settingKey);
/// In the name of a plan: "greedy".
[[nodiscard]] QString planWords(const Plan& plan);
/// Cores that the plan may use; of a machine without such a setting those that it uses.
[[nodiscard]] std::int64_t coresOf(const Plan& plan);
/// What undo steps, trials and sweeps call a setting: the target's word, else words made from the key.
[[nodiscard]] QString settingTitle(std::string_view key);

}  // namespace memplan::app

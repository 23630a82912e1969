// SPDX-License-Identifier: GPL-3.0-or-later
// What the values of a setting mean, where the word alone says nothing to a newcomer.
#pragma once

#include <QString>

#include <string_view>

namespace memplan::ui {

/// One sentence on a value of a setting that all machines share; empty for settings whose values explain themselves.
[[nodiscard]] QString settingValueHelp(std::string_view key, std::string_view value);

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// What the window calls a pass: one name in every list, bar and message. Its id stands in tooltips and files.
#pragma once

#include "engine/plan/pass_run.h"

#include <QString>

namespace memplan::ui {

/// "Work distribution"; the id of a pass without a title.
[[nodiscard]] QString passTitle(const PassRun& run);
/// The same by id. A step that is none of the passes ("verify") keeps its own word.
[[nodiscard]] QString passTitle(const std::vector<PassRun>& passes, const std::string& id);

}  // namespace memplan::ui

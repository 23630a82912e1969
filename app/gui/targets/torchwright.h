// SPDX-License-Identifier: GPL-3.0-or-later
// torchwright in the window.
#pragma once

#include "app/gui/targets/target_ui.h"

namespace memplan::app {

[[nodiscard]] const TargetUi& torchwrightUi();

}  // namespace memplan::app

// SPDX-License-Identifier: GPL-3.0-or-later
// `memplan-studio --screenshot`: pictures of views without a display, by the painters of the window
// (command-line, user-experience 18.2).
#pragma once

#include <QStringList>

namespace memplan::app {

/// Exit status as in the command-line contract: 0 done, 2 usage, 3 input, 4 output.
[[nodiscard]] int runScreenshots(const QStringList& arguments);

}  // namespace memplan::app

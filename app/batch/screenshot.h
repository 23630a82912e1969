// SPDX-License-Identifier: GPL-3.0-or-later
// `memplan-studio --screenshot`: pictures of views without a display, by the painters of the window
// (command-line, user-experience 18.2).
#pragma once

#include "app/batch/studio_arguments.h"
#include "app/cli/program/streams.h"

namespace memplan::app {

/// Exit status as in the command-line contract: 0 done, 2 usage, 3 input, 4 output. `arguments` begins with the
/// program's name; findings go to `streams.err` in the form of the command line.
[[nodiscard]] int runScreenshots(const QStringList& arguments, const cli::Streams& streams);

}  // namespace memplan::app

// SPDX-License-Identifier: GPL-3.0-or-later
// The hint file of --hints, read for the input that it belongs to (command-line "Commands").
#pragma once

#include "app/batch/studio_arguments.h"
#include "app/cli/program/streams.h"
#include "engine/graph/graph.h"

namespace memplan::app {

/// Appends the hints of `arguments.hints`, checked against the first file; none without a hint file. Prints warnings
/// and the first error, and returns its exit status, else 0.
[[nodiscard]] int readGivenHints(const StudioArguments& arguments, const cli::Streams& streams, std::vector<Hint>& out);

}  // namespace memplan::app

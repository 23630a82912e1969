// SPDX-License-Identifier: Apache-2.0
// The subcommands: each reads its arguments and returns an exit status of command-line.md.
#pragma once

#include "app/cli/program/streams.h"

#include <string>
#include <vector>

namespace memplan::cli {

using Args = std::vector<std::string>;

[[nodiscard]] int compileCommand(const Args& args, const Streams& streams);
[[nodiscard]] int solveCommand(const Args& args, const Streams& streams);
[[nodiscard]] int verifyCommand(const Args& args, const Streams& streams);
[[nodiscard]] int explainCommand(const Args& args, const Streams& streams);
[[nodiscard]] int compareCommand(const Args& args, const Streams& streams);
[[nodiscard]] int sweepCommand(const Args& args, const Streams& streams);
[[nodiscard]] int convertCommand(const Args& args, const Streams& streams);
[[nodiscard]] int listCommand(const Args& args, const Streams& streams);

/// Everything after the program's name. Catches whatever a subcommand lets through: status 70.
[[nodiscard]] int runProgram(const Args& args, const Streams& streams);

}  // namespace memplan::cli

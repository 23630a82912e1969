// SPDX-License-Identifier: Apache-2.0
// What a subcommand may touch of the outside: two streams, the request to stop, how findings are
// printed. Tests give string streams.
#pragma once

#include <ostream>
#include <stop_token>
#include <string_view>

namespace memplan::cli {

/// Exit statuses of command-line.md.
inline constexpr int kDone = 0;
inline constexpr int kAnswerIsNo = 1;
inline constexpr int kWrongUsage = 2;
inline constexpr int kBadInput = 3;
inline constexpr int kNoOutput = 4;
inline constexpr int kInternalError = 70;
inline constexpr int kCancelledStatus = 130;

struct Streams {
    std::ostream& out;
    std::ostream& err;
    bool errIsTerminal = false;
    bool jsonErrors = false;               ///< --json-errors: findings as JSON lines
    std::stop_token stop;                  ///< requested by Ctrl-C
    std::string_view program = "memplan";  ///< begins each line for a person
};

}  // namespace memplan::cli

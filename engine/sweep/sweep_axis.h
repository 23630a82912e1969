// SPDX-License-Identifier: Apache-2.0
// What a sweep varies: a setting, or the value of one entry of a list of hints (command-line "sweep").
#pragma once

#include "engine/base/result.h"
#include "engine/target/compile.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::sweep {

inline constexpr std::size_t kMostCells = 400;

struct Axis {
    std::string key;                  ///< setting key, "hint:0" or "hint:0.k"
    std::vector<std::string> values;  ///< canonical text forms of a setting; of a hint as they were given
    friend bool operator==(const Axis&, const Axis&) = default;
};

/// "KEY=V1,V2,...": commas inside brackets, braces and quotes belong to a value; a value may be a range, "1..32" or
/// with a step "4..32:4" or "0.00..0.40:0.05". Error CLI-001.
[[nodiscard]] Result<Axis> parseAxis(std::string_view text);

/// Hints that the keys `hint:INDEX` count from: those of the hint file stand behind those of the graph.
struct HintSpan {
    std::size_t begin = 0;
    std::size_t count = 0;
};

/// Puts one value into the request. Errors: SET-001 to SET-003 for settings, CLI-001 for hint keys.
[[nodiscard]] Result<void> applyValue(CompileRequest& request, HintSpan hints, const std::string& key,
                                      const std::string& value);

}  // namespace memplan::sweep

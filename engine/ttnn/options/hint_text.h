// SPDX-License-Identifier: Apache-2.0
// Override strings and hints are two spellings of one thing (hints.md 4.2): one hint per entry, and back.
#pragma once

#include "engine/base/result.h"
#include "engine/graph/graph.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::ttnn {

/// Hint kind that an override string is made of: "override-output-layout" gives "output_layout"; empty for others.
[[nodiscard]] std::string_view hintKeyOf(std::string_view option);

/// One hint per entry of the string of an option, about the operation of that location name. Errors of the string.
[[nodiscard]] Result<std::vector<Hint>> hintsOfText(std::string_view option, std::string_view text);
/// The string of an option for all enabled hints of its kind, in list order; empty without any. A hint with a value
/// that the string cannot hold is an error of the string (TT-011 to TT-015).
[[nodiscard]] Result<std::string> textOfHints(std::string_view option, std::span<const Hint> hints);

/// The part of an entry behind the `=` that says what a hint's value says: {"grid": [4, 4], "buffer": "l1"} gives
/// "4x4:l1". A value of another form gives a text that is refused when it is read.
[[nodiscard]] std::string parametersOfValue(std::string_view key, const io::JsonValue& value);

}  // namespace memplan::ttnn

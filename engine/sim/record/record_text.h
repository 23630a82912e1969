// SPDX-License-Identifier: Apache-2.0
// Words and expressions of the JSON form of an execution record (proof-and-search A3).
#pragma once

#include "engine/sim/record/record.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::sim {

/// Value of `core_map` where the last symbol varies fastest over the cores; left out means the first does.
inline constexpr std::string_view kLastFirst = "last_first";

/// "1024*d0+d1+5", as in the index maps of a graph (inputs-and-interchange 2.3); "0" for nothing.
[[nodiscard]] std::string indexText(const LinearIndex& index, const std::vector<RecordSymbol>& space);
/// nullopt for anything but a sum of numbers, symbols of `space` and products of a number and a symbol in 64 bits.
/// Each symbol at most once, in the order of the text.
[[nodiscard]] std::optional<LinearIndex> indexFromText(std::string_view text, const std::vector<RecordSymbol>& space);
/// A letter or underscore, then letters, digits and underscores; at most 64 bytes.
[[nodiscard]] bool isSymbolName(std::string_view name);

}  // namespace memplan::sim

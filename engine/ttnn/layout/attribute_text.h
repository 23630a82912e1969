// SPDX-License-Identifier: Apache-2.0
// Taking apart the text of attributes that the MLIR library leaves uninterpreted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace memplan::ttnn {

[[nodiscard]] std::string_view trimmed(std::string_view text);
/// The text without its blanks.
[[nodiscard]] std::string withoutBlanks(std::string_view text);
/// Parts between commas outside all brackets and strings, trimmed; `->` closes nothing. None where brackets do not
/// match. An empty text has no parts.
[[nodiscard]] std::optional<std::vector<std::string_view>> splitAtCommas(std::string_view text);
/// What stands between `open` at the start and `close` at the end: ("memref<4xf32>", "memref<", '>') gives "4xf32".
[[nodiscard]] std::optional<std::string_view> between(std::string_view text, std::string_view open, char close);
/// Key and value around the first `=` outside brackets, trimmed; the value is empty for a bare word.
[[nodiscard]] std::pair<std::string_view, std::string_view> keyAndValue(std::string_view text);
/// A whole decimal number, nothing around it.
[[nodiscard]] std::optional<std::int64_t> wholeNumberOf(std::string_view text);

}  // namespace memplan::ttnn

// SPDX-License-Identifier: Apache-2.0
// The one place for number and name formatting; independent of the locale (README decision 10).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::text {

/// Decimal digits in groups of three parted by U+202F (narrow no-break space): "1 677 721".
[[nodiscard]] std::string grouped(std::int64_t value);
/// Shortest decimal text that reads back to the same double; integers without a point.
[[nodiscard]] std::string number(double value);
/// Fixed decimals, for instance fixed(71.24, 1) = "71.2".
[[nodiscard]] std::string fixed(double value, int decimals);
/// Whole text as a 64-bit integer, nullopt for anything else (sign allowed, blanks not).
[[nodiscard]] std::optional<std::int64_t> parseInt(std::string_view s);
[[nodiscard]] std::optional<double> parseDouble(std::string_view s);
/// Control characters, bidirectional controls and invalid UTF-8 as \xNN, for messages.
[[nodiscard]] std::string escaped(std::string_view s);
/// A name in a message: escaped, between double quotes.
[[nodiscard]] std::string quoted(std::string_view name);
/// One field of a CSV line: between quotes where it holds a comma, a quote or a line end (RFC 4180).
[[nodiscard]] std::string csvField(const std::string& field);
[[nodiscard]] bool isValidUtf8(std::string_view s);
[[nodiscard]] std::string join(const std::vector<std::string>& parts, std::string_view separator);
[[nodiscard]] std::vector<std::string> split(std::string_view s, char separator);
/// Extents as "512 x 1024"; a scalar is "scalar".
[[nodiscard]] std::string shapeText(const std::vector<std::int64_t>& shape);
/// Candidate closest to `wanted` by edit distance (ties: first), empty when there is none.
[[nodiscard]] std::string nearest(std::string_view wanted, const std::vector<std::string>& candidates);

}  // namespace memplan::text

// SPDX-License-Identifier: Apache-2.0
// Lexical questions about MLIR text: words, strings, comments, balanced brackets.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace memplan::ttnn::scan {

[[nodiscard]] inline bool isWordPart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
           c == '$';
}
[[nodiscard]] inline bool isBlank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

// Of the character at `at`, outside strings and comments: `->`, `=>`, `>=` and `<=` are no brackets.
[[nodiscard]] bool opensBracket(std::string_view s, std::size_t at);
[[nodiscard]] bool closesBracket(std::string_view s, std::size_t at);

/// Behind blanks and comments.
[[nodiscard]] std::size_t skipBlanks(std::string_view s, std::size_t at);
/// Behind the string that begins at `at`; the end of the text where it does not end.
[[nodiscard]] std::size_t skipString(std::string_view s, std::size_t at);
/// Behind the word that begins at `at`; `at` where there is none.
[[nodiscard]] std::size_t skipWord(std::string_view s, std::size_t at);
/// Behind the bracket that closes the one at `at`; npos where it does not close. Strings, comments, `->` and `=>` count
/// as what they are.
[[nodiscard]] std::size_t skipBalanced(std::string_view s, std::size_t at);
/// Position of the first `wanted` outside brackets and strings in [from, to); `to` without one. `::` is no colon.
[[nodiscard]] std::size_t findOutside(std::string_view s, char wanted, std::size_t from, std::size_t to);
/// The parts between commas outside brackets and strings, without blanks around them; none of an empty text.
[[nodiscard]] std::vector<std::string_view> splitList(std::string_view s);
[[nodiscard]] std::string_view trimmed(std::string_view s);

}  // namespace memplan::ttnn::scan

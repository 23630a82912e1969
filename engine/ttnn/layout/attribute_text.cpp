// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/layout/attribute_text.h"

#include <charconv>

namespace memplan::ttnn {
namespace {

/// Position of the quote that ends the string which begins at `i`; the last position where there is none.
std::size_t endOfString(std::string_view text, std::size_t i) {
    for (++i; i < text.size() && text[i] != '"'; ++i)
        if (text[i] == '\\') ++i;
    return i;
}

/// Follows the brackets of a text.
class Nesting {
public:
    /// False where a bracket closes that was not opened.
    bool step(char before, char c) {
        if (c == '<' || c == '(' || c == '[' || c == '{') {
            open_.push_back(c == '<' ? '>' : c == '(' ? ')' : c == '[' ? ']' : '}');
            return true;
        }
        const bool isArrow = c == '>' && (before == '-' || before == '=');
        if (isArrow || (c != '>' && c != ')' && c != ']' && c != '}')) return true;
        if (open_.empty() || open_.back() != c) return false;
        open_.pop_back();
        return true;
    }
    [[nodiscard]] bool isOutside() const { return open_.empty(); }

private:
    std::string open_;  ///< brackets that must close, innermost last
};

}  // namespace

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::string withoutBlanks(std::string_view text) {
    std::string dense;
    for (const char c : text)
        if (c != ' ' && c != '\t' && c != '\r' && c != '\n') dense += c;
    return dense;
}

std::optional<std::vector<std::string_view>> splitAtCommas(std::string_view text) {
    std::vector<std::string_view> parts;
    if (trimmed(text).empty()) return parts;
    Nesting nesting;
    std::size_t start = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '"') {
            i = endOfString(text, i);
            continue;
        }
        if (!nesting.step(i == 0 ? ' ' : text[i - 1], text[i])) return std::nullopt;
        if (text[i] != ',' || !nesting.isOutside()) continue;
        parts.push_back(trimmed(text.substr(start, i - start)));
        start = i + 1;
    }
    if (!nesting.isOutside()) return std::nullopt;
    parts.push_back(trimmed(text.substr(start)));
    return parts;
}

std::optional<std::string_view> between(std::string_view text, std::string_view open, char close) {
    text = trimmed(text);
    if (text.size() <= open.size() || !text.starts_with(open) || text.back() != close) return std::nullopt;
    return text.substr(open.size(), text.size() - open.size() - 1);
}

std::pair<std::string_view, std::string_view> keyAndValue(std::string_view text) {
    const std::size_t equals = text.find('=');
    const std::size_t bracket = text.find_first_of("<([{\"");
    if (equals == std::string_view::npos || equals > bracket) return {trimmed(text), {}};
    return {trimmed(text.substr(0, equals)), trimmed(text.substr(equals + 1))};
}

std::optional<std::int64_t> wholeNumberOf(std::string_view text) {
    std::int64_t number = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failure != std::errc{} || end != text.data() + text.size() || text.front() == '-') return std::nullopt;
    return number;
}

}  // namespace memplan::ttnn

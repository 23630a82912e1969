// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/mlir/scanner.h"

#include <algorithm>

namespace memplan::ttnn::scan {

namespace {

/// The `>` of `->`, `=>` and `>=` closes nothing.
bool isArrowHead(std::string_view s, std::size_t at) {
    if (at > 0 && (s[at - 1] == '-' || s[at - 1] == '=')) return true;
    return at > 0 && s[at - 1] == ' ' && at + 1 < s.size() && s[at + 1] == '=';
}

}  // namespace

bool opensBracket(std::string_view s, std::size_t at) {
    const char c = s[at];
    if (c == '<') return at + 1 >= s.size() || s[at + 1] != '=';
    return c == '(' || c == '[' || c == '{';
}

bool closesBracket(std::string_view s, std::size_t at) {
    const char c = s[at];
    return c == ')' || c == ']' || c == '}' || (c == '>' && !isArrowHead(s, at));
}

namespace {

/// One step over a string, a comment or a character; `depth` counts brackets.
std::size_t step(std::string_view s, std::size_t at, int& depth) {
    const char c = s[at];
    if (c == '"') return skipString(s, at);
    if (c == '/' && at + 1 < s.size() && s[at + 1] == '/') return std::min(s.find('\n', at), s.size());
    if (opensBracket(s, at)) ++depth;
    if (closesBracket(s, at)) --depth;
    return at + 1;
}

}  // namespace

std::size_t skipBlanks(std::string_view s, std::size_t at) {
    while (at < s.size()) {
        if (isBlank(s[at]))
            ++at;
        else if (s[at] == '/' && at + 1 < s.size() && s[at + 1] == '/')
            at = std::min(s.find('\n', at), s.size());
        else
            break;
    }
    return at;
}

std::size_t skipString(std::string_view s, std::size_t at) {
    for (++at; at < s.size() && s[at] != '"'; ++at) {
        if (s[at] == '\\') ++at;
    }
    return std::min(at + 1, s.size());
}

std::size_t skipWord(std::string_view s, std::size_t at) {
    while (at < s.size() && isWordPart(s[at]))
        ++at;
    return at;
}

std::size_t skipBalanced(std::string_view s, std::size_t at) {
    int depth = 0;
    while (at < s.size()) {
        at = step(s, at, depth);
        if (depth <= 0) return at;
    }
    return std::string_view::npos;
}

std::size_t findOutside(std::string_view s, char wanted, std::size_t from, std::size_t to) {
    int depth = 0;
    while (from < to) {
        const bool isDouble = wanted == ':' && s.substr(from, 2) == "::";
        if (depth == 0 && s[from] == wanted && !isDouble) return from;
        from = isDouble ? from + 2 : step(s, from, depth);
        if (depth < 0) return to;
    }
    return to;
}

std::vector<std::string_view> splitList(std::string_view s) {
    std::vector<std::string_view> parts;
    if (trimmed(s).empty()) return parts;
    for (std::size_t at = 0;;) {
        const std::size_t end = findOutside(s, ',', at, s.size());
        parts.push_back(trimmed(s.substr(at, end - at)));
        if (end >= s.size()) return parts;
        at = end + 1;
    }
}

std::string_view trimmed(std::string_view s) {
    while (!s.empty() && isBlank(s.front()))
        s.remove_prefix(1);
    while (!s.empty() && isBlank(s.back()))
        s.remove_suffix(1);
    return s;
}

}  // namespace memplan::ttnn::scan

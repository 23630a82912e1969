// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/import/records/side_text.h"

#include <algorithm>

namespace memplan::io {

std::optional<std::string_view> TextLines::peek() const {
    if (at_ >= text_.size()) return std::nullopt;
    std::string_view line = text_.substr(at_, text_.find('\n', at_) - at_);
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

std::optional<std::string_view> TextLines::next() {
    const auto line = peek();
    if (!line) return line;
    const std::size_t end = text_.find('\n', at_);
    at_ = end == std::string_view::npos ? text_.size() : end + 1;
    ++number_;
    return line;
}

void addFact(SideFacts& facts, SideFact fact) {
    constexpr std::size_t kMost = 64;
    if (facts.size() >= kMost) return;
    const auto isTaken = [&](const std::string& key) {
        return std::any_of(facts.begin(), facts.end(), [&](const SideFact& f) { return f.key == key; });
    };
    std::string key = fact.key;
    for (int n = 2; isTaken(key); ++n)
        key = fact.key + "_" + std::to_string(n);
    fact.key = std::move(key);
    facts.push_back(std::move(fact));
}

std::string_view trimmed(std::string_view s) {
    const std::size_t begin = s.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return {};
    return s.substr(begin, s.find_last_not_of(" \t") - begin + 1);
}

int openBrackets(std::string_view line) {
    int open = 0;
    char quote = '\0';
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (quote != '\0') {
            if (c == '\\') ++i;
            if (c == quote) quote = '\0';
        } else if (c == '\'' || c == '"') {
            quote = c;
        } else if (c == '(' || c == '[' || c == '{') {
            ++open;
        } else if (c == ')' || c == ']' || c == '}') {
            --open;
        }
    }
    return open;
}

Error sideError(std::string where, const std::string& what, std::string fix) {
    return makeError("BND-108", std::move(where), what, std::move(fix));
}

}  // namespace memplan::io

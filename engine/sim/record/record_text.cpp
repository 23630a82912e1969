// SPDX-License-Identifier: Apache-2.0
#include "engine/sim/record/record_text.h"

#include "engine/base/numeric.h"
#include "engine/base/text.h"

#include <algorithm>
#include <cstdint>

namespace memplan::sim {
namespace {

bool isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

void appendTerm(std::string& out, std::int64_t coefficient, const std::string& symbol) {
    if (!out.empty() && coefficient >= 0) out += '+';
    if (coefficient == -1) out += '-';
    if (coefficient != 1 && coefficient != -1) out += std::to_string(coefficient) + '*';
    out += symbol;
}

/// Signed texts between the signs: "3*d0-d1+5" is "3*d0", "-d1", "+5".
std::vector<std::string_view> termsOf(std::string_view text) {
    std::vector<std::string_view> terms;
    std::size_t begin = 0;
    for (std::size_t i = 1; i <= text.size(); ++i) {
        const bool ends = i == text.size() || text[i] == '+' || text[i] == '-';
        if (!ends) continue;
        terms.push_back(text.substr(begin, i - begin));
        begin = i;
    }
    return terms;
}

int positionOf(std::string_view name, const std::vector<RecordSymbol>& space) {
    const auto it = std::find_if(space.begin(), space.end(), [&](const RecordSymbol& s) { return s.name == name; });
    return it == space.end() ? -1 : static_cast<int>(it - space.begin());
}

/// Number before a star or of a constant, with its sign.
std::optional<std::int64_t> signedNumber(bool isNegative, std::string_view digits) {
    if (digits.empty() || !isDigit(digits.front())) return std::nullopt;
    return text::parseInt((isNegative ? "-" : "") + std::string(digits));
}

bool addTerm(std::string_view term, const std::vector<RecordSymbol>& space, LinearIndex& out) {
    const bool isNegative = term.starts_with('-');
    if (isNegative || term.starts_with('+')) term.remove_prefix(1);
    if (term.empty()) return false;
    if (isDigit(term.front()) && term.find('*') == std::string_view::npos) {
        const auto number = signedNumber(isNegative, term);
        const auto sum = number ? checkedAdd(out.constant, *number) : std::nullopt;
        if (sum) out.constant = *sum;
        return sum.has_value();
    }
    std::optional<std::int64_t> coefficient = isNegative ? -1 : 1;
    if (const std::size_t star = term.find('*'); star != std::string_view::npos) {
        coefficient = signedNumber(isNegative, term.substr(0, star));
        term.remove_prefix(star + 1);
    }
    const int symbol = positionOf(term, space);
    const bool isKnown =
        std::any_of(out.terms.begin(), out.terms.end(), [symbol](const auto& t) { return t.first == symbol; });
    if (!coefficient || *coefficient == 0 || symbol < 0 || isKnown) return false;
    out.terms.emplace_back(symbol, *coefficient);
    return true;
}

}  // namespace

std::string indexText(const LinearIndex& index, const std::vector<RecordSymbol>& space) {
    std::string out;
    for (const auto& [symbol, coefficient] : index.terms)
        appendTerm(out, coefficient, space[static_cast<std::size_t>(symbol)].name);
    if (index.constant == 0 && !out.empty()) return out;
    if (!out.empty() && index.constant > 0) out += '+';
    return out + std::to_string(index.constant);
}

std::optional<LinearIndex> indexFromText(std::string_view text, const std::vector<RecordSymbol>& space) {
    if (text.empty()) return std::nullopt;
    LinearIndex index;
    for (const std::string_view term : termsOf(text)) {
        if (!addTerm(term, space, index)) return std::nullopt;
    }
    return index;
}

bool isSymbolName(std::string_view name) {
    constexpr std::size_t kLongest = 64;
    if (name.empty() || name.size() > kLongest || !isLetter(name.front())) return false;
    return std::all_of(name.begin(), name.end(), [](char c) { return isLetter(c) || isDigit(c); });
}

}  // namespace memplan::sim

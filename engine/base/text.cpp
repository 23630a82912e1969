// SPDX-License-Identifier: Apache-2.0
#include "engine/base/text.h"

#include "engine/base/figures.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

namespace memplan::text {

namespace {

constexpr std::string_view kNarrowNoBreakSpace = "\xE2\x80\xAF";  // U+202F

/// One decoded code point and its length in bytes; length 0 = the bytes are no valid UTF-8.
struct CodePoint {
    char32_t value = 0;
    std::size_t length = 0;
};

unsigned char byteAt(std::string_view s, std::size_t i) {
    return static_cast<unsigned char>(s[i]);
}

bool isContinuation(std::string_view s, std::size_t i) {
    return i < s.size() && (byteAt(s, i) & 0xC0U) == 0x80U;
}

std::size_t sequenceLength(unsigned char lead) {
    if (lead < 0x80U) return 1;
    if (lead >= 0xC2U && lead <= 0xDFU) return 2;
    if (lead >= 0xE0U && lead <= 0xEFU) return 3;
    if (lead >= 0xF0U && lead <= 0xF4U) return 4;
    return 0;
}

CodePoint decode(std::string_view s, std::size_t at) {
    static constexpr std::array<unsigned, 5> kLeadMask{0, 0x7F, 0x1F, 0x0F, 0x07};
    static constexpr std::array<char32_t, 5> kSmallest{0, 0, 0x80, 0x800, 0x10000};
    const std::size_t length = sequenceLength(byteAt(s, at));
    if (length == 0) return {};
    char32_t value = byteAt(s, at) & kLeadMask[length];
    for (std::size_t k = 1; k < length; ++k) {
        if (!isContinuation(s, at + k)) return {};
        value = (value << 6U) | (byteAt(s, at + k) & 0x3FU);
    }
    const bool isSurrogate = value >= 0xD800 && value <= 0xDFFF;
    if (value < kSmallest[length] || value > 0x10FFFF || isSurrogate) return {};
    return {value, length};
}

/// Characters that could change how a terminal or a label shows the rest of the text.
bool mustEscape(char32_t c) {
    const bool isControl = c < 0x20 || (c >= 0x7F && c <= 0x9F);
    const bool isLineBreak = c == 0x2028 || c == 0x2029;
    const bool isBidi =
        (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0x200E || c == 0x200F || c == 0x061C;
    return isControl || isLineBreak || isBidi;
}

std::string escapedByte(unsigned char byte) {
    static constexpr std::string_view kHex = "0123456789ABCDEF";
    return {'\\', 'x', kHex[byte >> 4U], kHex[byte & 15U]};
}

char lowered(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Edit distance in which the case of ASCII letters does not count.
std::size_t editDistance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t substitute = diagonal + (lowered(a[i]) == lowered(b[j]) ? 0U : 1U);
            diagonal = row[j + 1];
            row[j + 1] = std::min({substitute, diagonal + 1, row[j] + 1});
        }
    }
    return row.back();
}

/// What both begin with alike, up to and with a separator: "engine.", "--". It says nothing of how near they are.
std::size_t commonHead(std::string_view a, std::string_view b) {
    std::size_t head = 0;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()) && lowered(a[i]) == lowered(b[i]); ++i)
        if (std::string_view(".:/-").find(a[i]) != std::string_view::npos) head = i + 1;
    return head;
}

/// At least half of the longer name is kept, or one is a part of the other that is long enough to be meant.
bool isNear(std::string_view wanted, std::string_view candidate, std::size_t distance) {
    constexpr std::size_t kLeastPart = 3;
    const std::size_t longest = std::max(wanted.size(), candidate.size()) - commonHead(wanted, candidate);
    return 2 * distance <= longest + 1 ||
           (wanted.size() >= kLeastPart && candidate.find(wanted) != std::string_view::npos);
}

}  // namespace

std::string grouped(std::int64_t value) {
    const std::string digits = std::to_string(value);
    const std::size_t first = value < 0 ? 1 : 0;
    std::string out = digits.substr(0, first);
    for (std::size_t i = first; i < digits.size(); ++i) {
        if (i > first && (digits.size() - i) % 3 == 0) out += kNarrowNoBreakSpace;
        out += digits[i];
    }
    return out;
}

std::string number(double value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
    if (value == 0) return "0";
    std::array<char, 64> buffer{};
    const bool isExactInteger = std::abs(value) < 9007199254740992.0 && std::trunc(value) == value;
    const auto end = isExactInteger
                         ? std::to_chars(buffer.data(), buffer.data() + buffer.size(), static_cast<std::int64_t>(value))
                         : std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    return {buffer.data(), end.ptr};
}

std::string fixed(double value, int decimals) {
    if (!std::isfinite(value)) return number(value);
    std::array<char, 512> buffer{};  // the largest double has 309 digits before the point
    const int kept = std::clamp(decimals, 0, 100);
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, kept);
    const std::string out(buffer.data(), end.ptr);
    const bool isMinusZero = out.front() == '-' && out.find_first_not_of("-0.") == std::string::npos;
    return isMinusZero ? out.substr(1) : out;
}

std::string groupedFixed(double value, int decimals) {
    constexpr double kMostGrouped = 1e15;  // beyond, not every whole number is a double
    const std::string digits = fixed(value, decimals);
    if (!(std::abs(value) < kMostGrouped)) return digits;
    const std::size_t point = std::min(digits.find('.'), digits.size());
    const bool isNegative = digits.starts_with('-');
    const std::string whole = digits.substr(isNegative ? 1 : 0, point - (isNegative ? 1 : 0));
    return (isNegative ? "-" : "") + grouped(parseInt(whole).value_or(0)) + digits.substr(point);
}

std::string significant(double value, int digits) {
    if (!std::isfinite(value) || value == 0) return number(value);
    std::array<char, 64> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::general,
                                   std::clamp(digits, 1, 17));
    return {buffer.data(), end.ptr};
}

std::optional<std::int64_t> parseInt(std::string_view s) {
    if (s.starts_with('+') && s.size() > 1 && s[1] != '-') s.remove_prefix(1);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), value);
    if (error != std::errc{} || end != s.data() + s.size()) return std::nullopt;
    return value;
}

std::optional<double> parseDouble(std::string_view s) {
    if (s.starts_with('+') && s.size() > 1 && s[1] != '-') s.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), value);
    if (error != std::errc{} || end != s.data() + s.size()) return std::nullopt;
    return value;
}

std::string escaped(std::string_view s) {
    std::string out;
    out.reserve(s.size());
    for (std::size_t i = 0; i < s.size();) {
        const CodePoint c = decode(s, i);
        const std::size_t length = std::max<std::size_t>(c.length, 1);
        if (c.length > 0 && !mustEscape(c.value)) {
            out += s.substr(i, length);
        } else {
            for (std::size_t k = 0; k < length; ++k)
                out += escapedByte(byteAt(s, i + k));
        }
        i += length;
    }
    return out;
}

std::string quoted(std::string_view name) {
    return "\"" + escaped(name) + "\"";
}

std::string csvField(const std::string& field) {
    if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
    std::string out = "\"";
    for (const char c : field)
        out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + "\"";
}

bool isValidUtf8(std::string_view s) {
    for (std::size_t i = 0; i < s.size();) {
        const CodePoint c = decode(s, i);
        if (c.length == 0) return false;
        i += c.length;
    }
    return true;
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
    std::string out;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (i > 0) out += separator;
        out += parts[i];
    }
    return out;
}

std::vector<std::string> split(std::string_view s, char separator) {
    std::vector<std::string> parts;
    std::size_t from = 0;
    for (std::size_t at = s.find(separator); at != std::string_view::npos; at = s.find(separator, from)) {
        parts.emplace_back(s.substr(from, at - from));
        from = at + 1;
    }
    parts.emplace_back(s.substr(from));
    return parts;
}

std::string shapeText(const std::vector<std::int64_t>& shape) {
    if (shape.empty()) return "scalar";
    std::string out;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (i > 0) out += " x ";
        out += std::to_string(shape[i]);
    }
    return out;
}

std::string nearest(std::string_view wanted, const std::vector<std::string>& candidates) {
    std::string best;
    std::size_t bestDistance = 0;
    for (const std::string& candidate : candidates) {
        const std::size_t distance = editDistance(wanted, candidate);
        if (!best.empty() && distance >= bestDistance) continue;
        best = candidate;
        bestDistance = distance;
    }
    return isNear(wanted, best, bestDistance) ? best : std::string();
}

}  // namespace memplan::text

// SPDX-License-Identifier: Apache-2.0
#include "engine/sweep/sweep_axis.h"

#include "engine/base/text.h"
#include "engine/target/target.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

namespace memplan::sweep {

namespace {

constexpr std::string_view kHintPrefix = "hint:";

std::vector<std::string> splitValues(std::string_view s) {
    std::vector<std::string> parts(1);
    int depth = 0;
    bool inString = false;
    for (std::size_t i = 0; i < s.size(); ++i) {
        const char c = s[i];
        if (inString && c == '\\' && i + 1 < s.size()) {
            parts.back() += c;
            parts.back() += s[++i];
            continue;
        }
        if (c == '"') inString = !inString;
        if (!inString && (c == '[' || c == '{')) ++depth;
        if (!inString && (c == ']' || c == '}')) --depth;
        if (c == ',' && depth <= 0 && !inString) {
            parts.emplace_back();
        } else {
            parts.back() += c;
        }
    }
    return parts;
}

/// A number without a sign in units of its last digit.
struct Decimal {
    std::int64_t units = 0;
    int decimals = 0;

    /// With more decimals.
    [[nodiscard]] std::int64_t unitsOf(int more) const {
        std::int64_t scaled = units;
        for (int i = decimals; i < more; ++i)
            scaled *= 10;
        return scaled;
    }
};

std::optional<Decimal> decimalOf(std::string_view s) {
    constexpr std::size_t kMostDigits = 9;  // of each part; and twice as many are below 2^63
    const auto isNumber = [](std::string_view digits) {
        return !digits.empty() && digits.size() <= kMostDigits &&
               std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
    };
    const std::size_t dot = s.find('.');
    const std::string_view whole = s.substr(0, dot);
    const std::string_view part = dot == std::string_view::npos ? std::string_view() : s.substr(dot + 1);
    if (!isNumber(whole) || (dot != std::string_view::npos && !isNumber(part))) return std::nullopt;
    const auto units = text::parseInt(std::string(whole) + std::string(part));
    return units ? std::optional(Decimal{*units, static_cast<int>(part.size())}) : std::nullopt;
}

/// "1..32", "4..32:4" or "0.00..0.40:0.05" in units of their last digit.
struct Range {
    std::int64_t from = 0, to = 0, by = 0;
    int decimals = 0;
};

std::optional<Range> rangeOf(std::string_view s) {
    const std::size_t dots = s.find(".."), colon = s.find(':');
    if (dots == s.npos) return std::nullopt;
    const auto first = decimalOf(s.substr(0, dots));
    const auto last = decimalOf(s.substr(dots + 2, colon == s.npos ? s.npos : colon - dots - 2));
    const auto step = colon == s.npos ? std::optional(Decimal{1, 0}) : decimalOf(s.substr(colon + 1));
    if (!first || !last || !step) return std::nullopt;
    const int decimals = std::max({first->decimals, last->decimals, step->decimals});
    return Range{first->unitsOf(decimals), last->unitsOf(decimals), step->unitsOf(decimals), decimals};
}

/// The values of a range with the decimals of its text; anything else as it was given, for the message.
Result<std::vector<std::string>> expandedRange(const std::string& given) {
    const auto range = rangeOf(given);
    if (!range) return std::vector<std::string>{given};
    const auto refused = [&given](const std::string& what, const std::string& fix) {
        return makeError("CLI-001", "--vary", "the range \"" + given + "\" " + what, fix);
    };
    if (range->by == 0) return refused("has a step of 0", "give a step above 0: FIRST..LAST:STEP");
    if (range->to < range->from)
        return refused("runs backwards", "write the smaller value first; values in another order: KEY=V1,V2,...");
    if ((range->to - range->from) / range->by >= static_cast<std::int64_t>(kMostCells))
        return refused("has more than " + std::to_string(kMostCells) + " values",
                       "give a larger step: FIRST..LAST:STEP");
    std::vector<std::string> values;
    for (std::int64_t v = range->from; v <= range->to; v += range->by)
        values.push_back(text::fixed(static_cast<double>(v) / std::pow(10.0, range->decimals), range->decimals));
    return values;
}

struct HintKey {
    std::size_t index = 0;
    std::string member;  ///< empty: the whole value
};

std::optional<HintKey> hintKey(std::string_view key) {
    if (!key.starts_with(kHintPrefix)) return std::nullopt;
    key.remove_prefix(kHintPrefix.size());
    const std::size_t dot = key.find('.');
    const auto index = text::parseInt(key.substr(0, dot));
    if (!index || *index < 0) return std::nullopt;
    if (dot == std::string_view::npos) return HintKey{static_cast<std::size_t>(*index), {}};
    const std::string member(key.substr(dot + 1));
    if (member.empty()) return std::nullopt;
    return HintKey{static_cast<std::size_t>(*index), member};
}

/// What the plan file calls this value ("exact" for "cpsat"); a value that the setting refuses stays for the message.
std::string canonicalValue(const std::string& key, std::string value) {
    Settings settings;
    return findSetting(key) != nullptr && settings.set(key, value) ? settings.textOf(key) : value;
}

/// JSON as it is; a bare word is a string.
HintValue valueOf(const std::string& given) {
    return HintValue::parse(given).value_or(HintValue(given));
}

Result<void> applyHint(CompileRequest& request, HintSpan span, const std::string& key, const std::string& value) {
    const auto at = hintKey(key);
    if (!at)
        return makeError("CLI-001", "--vary", "\"" + key + "\" is no key of a hint",
                         "hint:INDEX or hint:INDEX.MEMBER, counted from 0");
    if (at->index >= span.count)
        return makeError("CLI-001", "--vary",
                         "\"" + key + "\" names no entry: the hint file has " + std::to_string(span.count) +
                             (span.count == 1 ? " hint" : " hints"),
                         span.count == 0 ? "name the file with --hints" : "entries are counted from 0");
    Hint& hint = request.hints[span.begin + at->index];
    if (at->member.empty()) {
        hint.value = valueOf(value);
        return {};
    }
    io::JsonValue whole = hint.value.tree();
    if (!whole.is(io::JsonType::Object))
        return makeError("CLI-001", "--vary", "the value of entry " + std::to_string(at->index) + " is no object",
                         "vary the whole value with hint:" + std::to_string(at->index));
    io::setMember(whole, at->member, valueOf(value).tree());
    hint.value = HintValue(std::move(whole));
    return {};
}

}  // namespace

Result<Axis> parseAxis(std::string_view given) {
    const std::size_t sign = given.find('=');
    if (sign == std::string_view::npos || sign == 0 || sign + 1 == given.size())
        return makeError("CLI-001", "--vary", "\"" + std::string(given) + "\" has no form KEY=V1,V2,...",
                         "for instance --vary " + std::string(naturalTarget(nullptr).info().settings.cores) +
                             "=8,16,32");
    Axis axis{std::string(given.substr(0, sign)), {}};
    for (const std::string& part : splitValues(given.substr(sign + 1))) {
        if (part.empty())
            return makeError("CLI-001", "--vary", "\"" + std::string(given) + "\" has an empty value",
                             "leave out the comma that has nothing beside it");
        auto values = expandedRange(part);
        if (!values) return std::move(values).error();
        for (std::string& value : values.value())
            axis.values.push_back(canonicalValue(axis.key, std::move(value)));
    }
    return axis;
}

Result<void> applyValue(CompileRequest& request, HintSpan hints, const std::string& key, const std::string& value) {
    if (key.starts_with(kHintPrefix)) return applyHint(request, hints, key, value);
    return request.settings.set(key, value);
}

}  // namespace memplan::sweep

// SPDX-License-Identifier: Apache-2.0
#include "engine/sweep/sweep_axis.h"

#include "engine/base/text.h"
#include "engine/hints/value.h"
#include "engine/json/json_text.h"

#include <optional>

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
std::string asJson(const std::string& value) {
    if (hints::parseValue(value)) return value;
    std::string quoted;
    io::appendJsonString(quoted, value);
    return quoted;
}

/// End of the JSON value that begins at `from`, without blanks behind it.
std::size_t valueEnd(std::string_view json, std::size_t from) {
    int depth = 0;
    bool inString = false;
    for (std::size_t i = from; i < json.size(); ++i) {
        const char c = json[i];
        if (inString) {
            if (c == '\\') ++i;
            if (c == '"') inString = false;
            continue;
        }
        if (c == '"') inString = true;
        if (c == '[' || c == '{') ++depth;
        if ((c == ',' || c == '}' || c == ']') && depth == 0) return i;
        if (c == ']' || c == '}') --depth;
    }
    return json.size();
}

/// Valid JSON text of an object with one member set, the others as they are written.
std::string withMember(const std::string& object, const std::string& member, const std::string& json) {
    std::string quoted;
    io::appendJsonString(quoted, member);
    std::size_t i = object.find('{') + 1;
    while (i < object.size()) {
        const std::size_t keyBegin = object.find_first_of("\"}", i);
        if (keyBegin == std::string::npos || object[keyBegin] == '}') break;
        std::size_t keyEnd = keyBegin + 1;
        while (keyEnd < object.size() && object[keyEnd] != '"')
            keyEnd += object[keyEnd] == '\\' ? 2U : 1U;
        const std::size_t colon = object.find(':', keyEnd);
        if (colon == std::string::npos) break;
        const std::size_t end = valueEnd(object, colon + 1);
        const auto key = hints::parseValue(std::string_view(object).substr(keyBegin, keyEnd + 1 - keyBegin));
        if (key && key->string == member) return object.substr(0, colon + 1) + json + object.substr(end);
        i = end + 1;
    }
    const std::size_t close = object.rfind('}');
    const bool isEmpty = object.find('"') == std::string::npos;
    return object.substr(0, close) + (isEmpty ? "" : ",") + quoted + ":" + json + object.substr(close);
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
        hint.valueJson = asJson(value);
        return {};
    }
    const auto whole = hints::parseValue(hint.valueJson);
    if (!whole || !whole->is(hints::JsonKind::Object))
        return makeError("CLI-001", "--vary", "the value of entry " + std::to_string(at->index) + " is no object",
                         "vary the whole value with hint:" + std::to_string(at->index));
    hint.valueJson = withMember(hint.valueJson, at->member, asJson(value));
    return {};
}

}  // namespace

Result<Axis> parseAxis(std::string_view given) {
    const std::size_t sign = given.find('=');
    if (sign == std::string_view::npos || sign == 0 || sign + 1 == given.size())
        return makeError("CLI-001", "--vary", "\"" + std::string(given) + "\" has no form KEY=V1,V2,...",
                         "for instance --vary spyre.cores=8,16,32");
    Axis axis{std::string(given.substr(0, sign)), splitValues(given.substr(sign + 1))};
    for (std::string& value : axis.values) {
        if (value.empty())
            return makeError("CLI-001", "--vary", "\"" + std::string(given) + "\" has an empty value",
                             "leave out the comma that has nothing beside it");
        value = canonicalValue(axis.key, std::move(value));
    }
    return axis;
}

Result<void> applyValue(CompileRequest& request, HintSpan hints, const std::string& key, const std::string& value) {
    if (key.starts_with(kHintPrefix)) return applyHint(request, hints, key, value);
    return request.settings.set(key, value);
}

}  // namespace memplan::sweep

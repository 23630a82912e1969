// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/graph/json_fields.h"

#include "engine/base/text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace memplan::torchwright {

using io::JsonType;
using io::TapeIndex;

void JsonFields::error(std::string_view code, TapeIndex at, std::string message, std::string hint) {
    findings.error(std::string(code), tape.pointer(at), std::move(message), std::move(hint));
}

bool JsonFields::expect(TapeIndex at, JsonType type) {
    if (tape.type(at) == type) return true;
    error("MPG-106", at,
          "expected " + std::string(io::jsonTypeName(type)) + ", found " +
              std::string(io::jsonTypeName(tape.type(at))));
    return false;
}

TapeIndex JsonFields::required(TapeIndex object, std::string_view key) {
    const TapeIndex at = tape.find(object, key);
    if (at == 0) error("MPG-105", object, "the required key \"" + std::string(key) + "\" is missing", "add it");
    return at;
}

void JsonFields::warnAboutOthers(TapeIndex object, std::span<const std::string_view> known) {
    for (const TapeIndex member : tape.children(object)) {
        const std::string_view key = tape.key(member);
        if (key.starts_with("x_") || std::ranges::find(known, key) != known.end()) continue;
        findings.warning("MPG-108", tape.pointer(member), "unknown key " + text::quoted(key) + ", not used",
                         "prefix own keys with x_");
    }
}

std::optional<std::int64_t> JsonFields::integer(TapeIndex at, std::int64_t least, std::int64_t most) {
    if (!expect(at, JsonType::Integer)) return std::nullopt;
    const std::int64_t value = tape.at(at).integer;
    if (value >= least && value <= most) return value;
    error("MPG-107", at,
          "the value " + text::grouped(value) + " must be at least " + text::grouped(least) + " and at most " +
              text::grouped(most));
    return std::nullopt;
}

std::int64_t JsonFields::integer(TapeIndex object, std::string_view key, std::int64_t least, std::int64_t most) {
    const TapeIndex at = required(object, key);
    return at == 0 ? least : integer(at, least, most).value_or(least);
}

bool JsonFields::boolean(TapeIndex object, std::string_view key) {
    const TapeIndex at = required(object, key);
    return at != 0 && expect(at, JsonType::Bool) && tape.at(at).boolean;
}

std::string JsonFields::text(TapeIndex object, std::string_view key, std::size_t mostBytes) {
    const TapeIndex at = tape.find(object, key);
    if (at == 0 || !expect(at, JsonType::String)) return {};
    const std::string_view value = tape.text(at);
    if (value.size() <= mostBytes) return std::string(value);
    error("MPG-109", at,
          "the text has " + text::grouped(static_cast<std::int64_t>(value.size())) + " bytes, at most " +
              text::grouped(static_cast<std::int64_t>(mostBytes)) + " are allowed",
          "shorten it");
    return {};
}

std::vector<std::string> JsonFields::texts(TapeIndex array, std::size_t mostBytes) {
    std::vector<std::string> list;
    if (!expect(array, JsonType::Array)) return list;
    list.reserve(tape.count(array));
    for (const TapeIndex at : tape.children(array)) {
        if (!expect(at, JsonType::String)) break;
        list.emplace_back(tape.text(at).substr(0, mostBytes));
    }
    return list;
}

std::vector<std::int64_t> JsonFields::integers(TapeIndex array, std::int64_t least, std::int64_t most) {
    std::vector<std::int64_t> list;
    if (!expect(array, JsonType::Array)) return list;
    list.reserve(tape.count(array));
    for (const TapeIndex at : tape.children(array)) {
        const auto value = integer(at, least, most);
        if (!value) break;
        list.push_back(*value);
    }
    return list;
}

float JsonFields::single(TapeIndex at, std::string_view code) {
    const JsonType type = tape.type(at);
    if (type != JsonType::Integer && type != JsonType::Real) {
        error(code, at, "expected a number, found " + std::string(io::jsonTypeName(type)));
        return 0;
    }
    const double value = tape.number(at);
    if (std::abs(value) <= static_cast<double>(std::numeric_limits<float>::max())) return static_cast<float>(value);
    error(code, at, "the value " + text::number(value) + " does not fit a float32");
    return 0;
}

}  // namespace memplan::torchwright

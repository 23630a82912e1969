// SPDX-License-Identifier: Apache-2.0
#include "engine/json/json_value.h"

#include "engine/json/json_sax.h"
#include "engine/json/json_text.h"

#include <algorithm>
#include <utility>

namespace memplan::io {
namespace {

void append(std::string& out, const JsonValue& value);

void appendMembers(std::string& out, const JsonValue& value) {
    const bool isObject = value.is(JsonType::Object);
    out += isObject ? '{' : '[';
    for (std::size_t i = 0; i < value.items.size(); ++i) {
        if (i > 0) out += ',';
        if (isObject) {
            appendJsonString(out, value.keys[i]);
            out += ':';
        }
        append(out, value.items[i]);
    }
    out += isObject ? '}' : ']';
}

/// Depth is limited by the reader of the tape.
void append(std::string& out, const JsonValue& value) {
    switch (value.type) {
    case JsonType::Null:
        out += "null";
        break;
    case JsonType::Bool:
        out += value.boolean ? "true" : "false";
        break;
    case JsonType::Integer:
        appendInteger(out, value.integer);
        break;
    case JsonType::Real:
        out += value.string;
        break;
    case JsonType::String:
        appendJsonString(out, value.string);
        break;
    case JsonType::Array:
    case JsonType::Object:
        appendMembers(out, value);
        break;
    }
}

}  // namespace

const JsonValue* JsonValue::find(std::string_view key) const {
    const auto at = std::find(keys.begin(), keys.end(), key);
    return at == keys.end() ? nullptr : &items[static_cast<std::size_t>(at - keys.begin())];
}

JsonValue jsonBool(bool v) {
    JsonValue value;
    value.type = JsonType::Bool;
    value.boolean = v;
    return value;
}

JsonValue jsonInteger(std::int64_t v) {
    JsonValue value;
    value.type = JsonType::Integer;
    value.integer = v;
    return value;
}

JsonValue jsonString(std::string v) {
    JsonValue value;
    value.type = JsonType::String;
    value.string = std::move(v);
    return value;
}

JsonValue jsonArray(std::vector<JsonValue> items) {
    JsonValue value;
    value.type = JsonType::Array;
    value.items = std::move(items);
    return value;
}

void setMember(JsonValue& object, std::string_view key, JsonValue value) {
    object.type = JsonType::Object;
    const auto at = std::find(object.keys.begin(), object.keys.end(), key);
    if (at != object.keys.end()) {
        object.items[static_cast<std::size_t>(at - object.keys.begin())] = std::move(value);
        return;
    }
    object.keys.emplace_back(key);
    object.items.push_back(std::move(value));
}

JsonValue jsonValue(const Tape& tape, TapeIndex at) {
    const TapeNode node = tape.at(at);
    JsonValue value;
    value.type = node.type;
    value.boolean = node.boolean;
    value.integer = node.integer;
    value.real = node.real;
    if (node.type == JsonType::String || node.type == JsonType::Real) value.string = tape.text(at);
    if (node.type != JsonType::Array && node.type != JsonType::Object) return value;
    for (const TapeIndex child : tape.children(at)) {
        if (node.type == JsonType::Object) value.keys.emplace_back(tape.key(child));
        value.items.push_back(jsonValue(tape, child));
    }
    return value;
}

std::optional<JsonValue> parseJsonValue(std::string_view text) {
    const Result<Tape> tape = readTape(text, kGraphCodes, Limits{}, RunControl{});
    if (!tape || tape.value().empty()) return std::nullopt;
    return jsonValue(tape.value(), 0);
}

std::string jsonText(const JsonValue& value) {
    std::string out;
    append(out, value);
    return out;
}

}  // namespace memplan::io

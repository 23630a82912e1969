// SPDX-License-Identifier: Apache-2.0
#include "engine/hints/value.h"

#include "engine/json/json_sax.h"

namespace memplan::hints {
namespace {

constexpr io::JsonCodes kCodes{"HNT-002", "HNT-002", "HNT-002", "HNT-002", "HNT-002", "HNT-002", "HNT-002"};

/// Depth is limited by the reader of the tape.
Value fromTape(const io::Tape& tape, io::TapeIndex at) {
    const io::TapeNode& node = tape.at(at);
    Value v;
    switch (node.type) {
    case io::JsonType::Null:
        break;
    case io::JsonType::Bool:
        v.kind = JsonKind::Bool;
        v.boolean = node.boolean;
        break;
    case io::JsonType::Integer:
        v.kind = JsonKind::Integer;
        v.integer = node.integer;
        break;
    case io::JsonType::Real:
        v.kind = JsonKind::Real;
        v.real = node.real;
        break;
    case io::JsonType::String:
        v.kind = JsonKind::String;
        v.string = tape.text(at);
        break;
    case io::JsonType::Array:
    case io::JsonType::Object:
        v.kind = node.type == io::JsonType::Array ? JsonKind::Array : JsonKind::Object;
        for (const io::TapeIndex child : tape.children(at)) {
            if (v.kind == JsonKind::Object) v.keys.emplace_back(tape.key(child));
            v.items.push_back(fromTape(tape, child));
        }
        break;
    }
    return v;
}

}  // namespace

const Value* Value::find(std::string_view key) const {
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (keys[i] == key) return &items[i];
    }
    return nullptr;
}

std::string_view kindText(JsonKind kind) {
    switch (kind) {
    case JsonKind::Null:
        return "null";
    case JsonKind::Bool:
        return "true or false";
    case JsonKind::Integer:
        return "a whole number";
    case JsonKind::Real:
        return "a number with a fraction";
    case JsonKind::String:
        return "a text";
    case JsonKind::Array:
        return "an array";
    case JsonKind::Object:
        break;
    }
    return "an object";
}

std::optional<Value> parseValue(std::string_view json) {
    const Result<io::Tape> tape = io::readTape(json, kCodes, io::Limits{}, RunControl{});
    if (!tape || tape.value().empty()) return std::nullopt;
    return fromTape(tape.value(), 0);
}

}  // namespace memplan::hints

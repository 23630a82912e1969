// SPDX-License-Identifier: Apache-2.0
// A JSON value as a tree that stands on its own: for small values that outlive the document they stood in. Documents
// are read from their tape (json_tape.h).
#pragma once

#include "engine/json/json_tape.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::io {

struct JsonValue {
    JsonType type = JsonType::Null;
    bool boolean = false;
    std::int64_t integer = 0;
    double real = 0;                ///< Real only
    std::string string;             ///< of a String; of a Real the digits as they were written
    std::vector<JsonValue> items;   ///< members of an array or object, in written order
    std::vector<std::string> keys;  ///< parallel to `items` for an object

    [[nodiscard]] bool is(JsonType t) const { return type == t; }
    /// Member of an object, nullptr when absent.
    [[nodiscard]] const JsonValue* find(std::string_view key) const;
    friend bool operator==(const JsonValue&, const JsonValue&) = default;
};

[[nodiscard]] JsonValue jsonBool(bool v);
[[nodiscard]] JsonValue jsonInteger(std::int64_t v);
[[nodiscard]] JsonValue jsonString(std::string v);
[[nodiscard]] JsonValue jsonArray(std::vector<JsonValue> items);
/// Adds a member, or takes the place of the one of this key.
void setMember(JsonValue& object, std::string_view key, JsonValue value);

/// A part of a document.
[[nodiscard]] JsonValue jsonValue(const Tape& tape, TapeIndex at);
/// The value of a text; nullopt for text that is no JSON.
[[nodiscard]] std::optional<JsonValue> parseJsonValue(std::string_view text);
/// JSON text without blanks, the same that Tape::json() gives.
[[nodiscard]] std::string jsonText(const JsonValue& value);

}  // namespace memplan::io

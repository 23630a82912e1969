// SPDX-License-Identifier: Apache-2.0
// The JSON value of a hint as a plain tree: what validation, the passes and the editor read (hints.md 1).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::hints {

enum class JsonKind { Null, Bool, Integer, Real, String, Array, Object };

struct Value {
    JsonKind kind = JsonKind::Null;
    bool boolean = false;
    std::int64_t integer = 0;
    double real = 0;                ///< Real only
    std::string string;             ///< String only
    std::vector<Value> items;       ///< members of an array or object, in written order
    std::vector<std::string> keys;  ///< parallel to `items` for an object

    [[nodiscard]] bool is(JsonKind k) const { return kind == k; }
    /// Member of an object, nullptr when absent.
    [[nodiscard]] const Value* find(std::string_view key) const;
    friend bool operator==(const Value&, const Value&) = default;
};

/// "an object", "a whole number", ... for messages.
[[nodiscard]] std::string_view kindText(JsonKind kind);

/// The value of JSON text (Hint::valueJson); nullopt for text that is no JSON.
[[nodiscard]] std::optional<Value> parseValue(std::string_view json);

}  // namespace memplan::hints

// SPDX-License-Identifier: Apache-2.0
// Strict access to a JSON document of a closed schema: the first thing that is not as it must be is the error.
#pragma once

#include "engine/base/result.h"
#include "engine/json/json_tape.h"

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::io {

class ClosedSchema {
public:
    static constexpr TapeIndex kNone = UINT32_MAX;

    explicit ClosedSchema(const Tape& document) : tape(document) {}

    const Tape& tape;

    [[nodiscard]] const std::optional<Error>& error() const { return error_; }
    void fail(TapeIndex at, const std::string& what);

    /// `at` is an object with these keys and no others; `optional` ones may be absent.
    void keys(TapeIndex at, std::initializer_list<std::string_view> required,
              std::initializer_list<std::string_view> optional = {});
    /// Member of a type; kNone after an error.
    [[nodiscard]] TapeIndex member(TapeIndex object, std::string_view key, JsonType type);
    [[nodiscard]] std::string text(TapeIndex object, std::string_view key);
    /// A text or null: empty for null.
    [[nodiscard]] std::optional<std::string> textOrNull(TapeIndex object, std::string_view key);
    [[nodiscard]] std::int64_t integer(TapeIndex object, std::string_view key, std::int64_t least);
    [[nodiscard]] std::vector<std::string> texts(TapeIndex object, std::string_view key);
    [[nodiscard]] std::vector<std::int64_t> integers(TapeIndex object, std::string_view key);
    [[nodiscard]] bool is(TapeIndex at, JsonType type);
    /// An object whose values are lists of texts: node mappings.
    void mapping(TapeIndex object, std::string_view key);

    /// f(value) for every member of an object or array; nothing after an error.
    template <class F> void each(TapeIndex at, F&& f) {
        if (at == kNone || error_) return;
        for (const TapeIndex c : tape.children(at)) {
            if (error_) return;
            f(c);
        }
    }

private:
    std::optional<Error> error_;
};

}  // namespace memplan::io

// SPDX-License-Identifier: Apache-2.0
// Typed access to the members of a plan file. The first thing that is wrong is kept as the error
// (IN-008 with a JSON pointer); reading goes on with neutral values, so that callers stay plain.
#pragma once

#include "engine/base/result.h"
#include "engine/json/json_tape.h"
#include "engine/plan/plan.h"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace memplan::io {

class PlanFields {
public:
    explicit PlanFields(const Tape& document) : tape(document) {}

    const Tape& tape;

    [[nodiscard]] const std::optional<Error>& error() const { return error_; }
    void fail(TapeIndex at, std::string message);

    /// Member that may be absent; null counts as absent. 0 = absent.
    [[nodiscard]] TapeIndex optional(TapeIndex object, std::string_view key) const;
    [[nodiscard]] TapeIndex required(TapeIndex object, std::string_view key);
    [[nodiscard]] TapeIndex array(TapeIndex object, std::string_view key);
    [[nodiscard]] TapeIndex object(TapeIndex parent, std::string_view key);

    [[nodiscard]] std::string text(TapeIndex object, std::string_view key);
    [[nodiscard]] std::int64_t integer(TapeIndex object, std::string_view key);
    [[nodiscard]] std::int64_t integer(TapeIndex object, std::string_view key, std::int64_t otherwise);

    [[nodiscard]] std::string textAt(TapeIndex at);
    [[nodiscard]] std::int64_t integerAt(TapeIndex at);
    [[nodiscard]] std::int32_t smallAt(TapeIndex at);  ///< an integer of 32 bits
    [[nodiscard]] double numberAt(TapeIndex at);       ///< JSON has no infinity: that of null
    [[nodiscard]] bool booleanAt(TapeIndex at);

    void nameOps(TapeIndex array, std::string_view key) { name(array, key, ops_); }
    void nameBuffers(TapeIndex array, std::string_view key) { name(array, key, buffers_); }
    [[nodiscard]] OpId opNamed(TapeIndex at, std::string_view name);
    [[nodiscard]] BufferId bufferNamed(TapeIndex at);
    /// Optional arrays of positions, checked against the number of ops or buffers.
    [[nodiscard]] std::vector<OpId> opPositions(TapeIndex object, std::string_view key);
    [[nodiscard]] std::vector<BufferId> bufferPositions(TapeIndex object, std::string_view key);

    /// Calls f for every entry; nothing for position 0, an error for anything but an array.
    template <class F> void each(TapeIndex array, F&& f) { visit(array, JsonType::Array, "an array is expected", f); }
    template <class F> void eachMember(TapeIndex object, F&& f) {
        visit(object, JsonType::Object, "an object is expected", f);
    }

private:
    using Names = std::unordered_map<std::string_view, std::int32_t>;

    template <class F> void visit(TapeIndex at, JsonType type, const char* message, F& f) {
        if (at == 0) return;
        if (tape.type(at) != type) return fail(at, message);
        for (const TapeIndex c : tape.children(at))
            f(c);
    }
    void name(TapeIndex array, std::string_view key, Names& names);
    [[nodiscard]] std::int32_t lookUp(TapeIndex at, std::string_view name, const Names& names);
    [[nodiscard]] std::vector<std::int32_t> positions(TapeIndex object, std::string_view key, std::size_t count);

    std::optional<Error> error_;
    Names ops_, buffers_;
};

}  // namespace memplan::io

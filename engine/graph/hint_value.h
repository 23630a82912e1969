// SPDX-License-Identifier: Apache-2.0
// The value of a hint: typed once, where it is read, so that passes, checks and editors never look at text. What fits
// no payload is kept as it was written, is shown and is found wrong (HNT-002).
#pragma once

#include "engine/json/json_value.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace memplan {

/// {"A": 2, ...} in written order: slices of loops, sizes of dimensions.
using NamedCounts = std::vector<std::pair<std::string, std::int64_t>>;
/// ["A", "B"]: dimensions, operations.
using NameList = std::vector<std::string>;

/// Operations under common loops, and the loops, outermost first.
struct TilingGroup {
    struct Level {
        std::int64_t count = 1;
        std::vector<int> dims;
        std::map<std::string, std::vector<int>> dimsOf;  ///< of operations that have them elsewhere, or not at all
    };
    NameList ops;
    std::vector<Level> levels;
};
using TilingGroups = std::vector<TilingGroup>;

/// A value that never changes, cheap to copy. It is written as it was read, unknown members and their order included.
class HintValue {
public:
    using Payload = std::variant<std::monostate, bool, std::int64_t, std::string, NamedCounts, NameList, TilingGroups>;

    HintValue();  ///< null
    explicit HintValue(Payload payload);
    explicit HintValue(io::JsonValue tree);
    /// Text that somebody typed; nullopt when it is no JSON.
    [[nodiscard]] static std::optional<HintValue> parse(std::string_view json);

    // What it holds; nullptr when it is something else. An empty array is a list of names and of groups.
    [[nodiscard]] const bool* boolean() const { return std::get_if<bool>(&held_->payload); }
    [[nodiscard]] const std::int64_t* integer() const { return std::get_if<std::int64_t>(&held_->payload); }
    [[nodiscard]] const std::string* word() const { return std::get_if<std::string>(&held_->payload); }
    [[nodiscard]] const NamedCounts* counts() const { return std::get_if<NamedCounts>(&held_->payload); }
    [[nodiscard]] const NameList* names() const { return std::get_if<NameList>(&held_->payload); }
    [[nodiscard]] const TilingGroups* groups() const;

    /// The whole value, for checks that name the place of what is wrong.
    [[nodiscard]] const io::JsonValue& tree() const { return held_->tree; }
    /// Text without blanks, for files, hashes and people.
    [[nodiscard]] std::string json() const { return io::jsonText(held_->tree); }
    friend bool operator==(const HintValue& a, const HintValue& b);

private:
    struct Held {
        io::JsonValue tree;
        Payload payload;
    };
    std::shared_ptr<const Held> held_;
};

}  // namespace memplan

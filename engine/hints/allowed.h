// SPDX-License-Identifier: Apache-2.0
// The values that an editor can offer for a hint (hints.md 4, user-experience 11.3).
#pragma once

#include "engine/hints/kinds.h"
#include "engine/hints/scope.h"
#include "engine/hints/world.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace memplan::hints {

/// One entry of a drop-down.
struct AllowedValue {
    HintValue value;
    std::string label;  ///< text of the entry, in plain words
    friend bool operator==(const AllowedValue&, const AllowedValue&) = default;
};

/// Whole numbers min, min + step, ... up to max. max < min: there is none.
struct AllowedRange {
    std::int64_t min = 0, max = 0, step = 1;
    std::string unit;  ///< "bytes", "cores", ...
};

/// One loop or named dimension and the counts that it can be cut in.
struct AllowedDim {
    std::string name;  ///< key of the value's object
    bool isReduction = false;
    std::int64_t extent = 1;                 ///< elements
    std::int64_t adjusted = 1;               ///< what the count has to divide: sticks, or positions
    bool inSticks = false;                   ///< `adjusted` counts sticks
    std::vector<std::int64_t> counts;        ///< allowed counts, ascending, 1 first
    [[nodiscard]] std::string text() const;  ///< "d1 (16 sticks): 1, 2, 4, 8, 16"
};

struct AllowedValues {
    std::vector<AllowedValue> list;     ///< complete when not empty: offer it as a drop-down
    std::optional<AllowedRange> range;  ///< numbers
    std::vector<AllowedDim> dims;       ///< Splits, Slices: counts by dimension
    std::int64_t maxProduct = 0;        ///< Splits: the product of all counts is at most this
    std::vector<std::string> names;     ///< words that can stand in the value: dimension names, op ids, keys
    std::string text;                   ///< one line for a message or a tool tip, without "allowed:"
};

/// Values that `kind` takes on these subjects (the first one counts for sizes and loops). For Splits `list` holds the
/// single cuts ({"d0": 4}); combinations are made from `dims`.
[[nodiscard]] AllowedValues allowedValues(const KindInfo& kind, const std::vector<Scope>& scopes, const World& world);

/// Named dimensions in force: enabled `dim_sizes` hints in order, the last size of a name wins.
[[nodiscard]] NamedCounts declaredDims(std::span<const Hint> hints);

}  // namespace memplan::hints

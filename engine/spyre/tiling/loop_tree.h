// SPDX-License-Identifier: Apache-2.0
// The loop tree (spyre-coarse-tiling-and-bundle 6).
#pragma once

#include "engine/base/result.h"
#include "engine/spyre/program.h"

#include <optional>
#include <string>
#include <vector>

namespace memplan::spyre {

/// Number of iterations: an integer, or a symbol that only an imported tree can have.
struct TripCount {
    std::int64_t value = 1;
    std::string symbol;  ///< empty: `value` counts
    friend bool operator==(const TripCount&, const TripCount&) = default;
    [[nodiscard]] std::string text() const { return symbol.empty() ? std::to_string(value) : symbol; }
};

/// An operation that gets a node.
struct LoopTreeItem {
    std::string name;
    std::optional<std::vector<int>> path;  ///< loop_group_id, absent outside of loops
    std::vector<TripCount> counts;         ///< one per element of the path
    OpId op = {};                          ///< of its node
};

/// CT-006 for one loop with two counts, CT-007 when path and counts differ in length, CT-008 when the ops of
/// one outermost loop do not stand together.
[[nodiscard]] Result<std::vector<LoopNode>> buildLoopTree(const std::vector<LoopTreeItem>& items);

}  // namespace memplan::spyre

// SPDX-License-Identifier: Apache-2.0
// The candidates of a problem in flat arrays: what the placement loops read, without names and use lists.
#pragma once

#include "engine/solve/problem/address_problem.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace memplan::solve {

/// All arrays are parallel to Problem::items. Buffers that are set aside (scratchpad 4) keep their place
/// with candidate = 0 and never appear among the parents.
struct FlatItems {
    explicit FlatItems(const Problem& problem);

    [[nodiscard]] std::size_t count() const { return start.size(); }
    /// Candidate parents in declared order.
    [[nodiscard]] std::span<const int> parents(std::size_t i) const {
        return std::span<const int>(parentList).subspan(parentBegin[i], parentBegin[i + 1] - parentBegin[i]);
    }
    [[nodiscard]] bool hasParents() const { return !parentList.empty(); }

    /// True for a buffer whose address is given (4.1): it is an obstacle and not placed.
    [[nodiscard]] bool isFixed(std::size_t i) const { return !fixed.empty() && fixed[i] >= 0; }
    /// Highest address that the buffer may have.
    [[nodiscard]] Address lastAddress(std::size_t i) const { return last.empty() ? capacity - size[i] : last[i]; }
    [[nodiscard]] bool needsSlot(std::size_t i) const { return !slotOnly.empty() && slotOnly[i] != 0; }

    Bytes capacity = 0;
    Bytes commonAlignment = 1;  ///< the one alignment of all candidates, or 1 when they differ
    std::vector<Step> start;
    std::vector<Step> end;  ///< overrides applied
    std::vector<Bytes> size;
    std::vector<Bytes> alignment;
    std::vector<std::uint8_t> candidate;
    std::vector<std::size_t> parentBegin;  ///< count() + 1 offsets into parentList
    std::vector<int> parentList;
    // Of hints; empty when the problem has none.
    std::vector<Address> fixed;  ///< -1 = not fixed
    std::vector<Address> last;
    std::vector<std::uint8_t> slotOnly;
};

/// Positions ordered by (key, position); any sign. Linear when the keys are small.
[[nodiscard]] std::vector<int> orderByKey(std::span<const std::int64_t> keys);

}  // namespace memplan::solve

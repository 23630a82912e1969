// SPDX-License-Identifier: Apache-2.0
// Which orders of a program's operations are legal (spyre-scratchpad 14.2): dependencies on the same storage, fallback
// kernels that nothing crosses, loop groups that stay in one piece, operations that stay together because a pass
// added one for the other.
#pragma once

#include "engine/spyre/program.h"
#include "engine/spyre/state.h"

#include <cstddef>
#include <string>
#include <vector>

namespace memplan::spyre {

/// An order of operations: for each new position the position in the program.
using OpOrder = std::vector<std::size_t>;

[[nodiscard]] OpOrder identityOrder(std::size_t count);

class OrderRules {
public:
    /// `units`: per op the number of the unit it belongs to; ops of a unit keep standing together in their order.
    OrderRules(const Program& program, std::vector<int> units);

    [[nodiscard]] std::size_t count() const { return before_.size(); }
    /// Ops that this one must follow, ascending: last writers of what it accesses, readers since for what it writes.
    [[nodiscard]] const std::vector<std::size_t>& before(std::size_t op) const { return before_[op]; }
    [[nodiscard]] bool isBarrier(std::size_t op) const { return barrier_[op]; }
    [[nodiscard]] int unitOf(std::size_t op) const { return units_[op]; }
    /// Outermost loop group, -1 = none.
    [[nodiscard]] int groupOf(std::size_t op) const { return paths_[op].empty() ? -1 : paths_[op].front(); }

    [[nodiscard]] bool isLegal(const OpOrder& order) const;

    /// Neighbours in an order that move as one: positions [begin, end).
    using Block = Interval<std::size_t>;
    /// Every block that may move: units of one loop body (or of none), and whole loop groups. By position.
    [[nodiscard]] std::vector<Block> blocks(const OpOrder& order) const;
    /// Positions at which the block may begin instead of where it does, nearest first, earlier before later.
    [[nodiscard]] std::vector<std::size_t> positions(const OpOrder& order, Block block) const;

private:
    [[nodiscard]] bool mayPass(const OpOrder& order, Block block, std::size_t other) const;
    [[nodiscard]] bool mayBeginBetween(const OpOrder& order, Block block, std::size_t left, std::size_t right) const;
    [[nodiscard]] bool depends(std::size_t later, std::size_t earlier) const;
    [[nodiscard]] bool isWholeGroup(const OpOrder& order, Block block) const;

    std::vector<int> units_;
    std::vector<std::vector<std::size_t>> before_;
    std::vector<bool> barrier_;
    std::vector<std::vector<int>> paths_;  ///< loop_group_id per op
};

/// The order after moving the block so that it begins at `position` of the new order.
[[nodiscard]] OpOrder moved(const OpOrder& order, OrderRules::Block block, std::size_t position);

/// Every op its own unit.
[[nodiscard]] std::vector<int> singleUnits(std::size_t count);

}  // namespace memplan::spyre

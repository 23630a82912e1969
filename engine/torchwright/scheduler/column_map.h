// SPDX-License-Identifier: Apache-2.0
// Who owns which columns of the residual stream (torchwright.md 8).
#pragma once

#include "engine/torchwright/schedule/columns.h"

#include <cstdint>
#include <set>

namespace memplan::torchwright {

class ColumnMap {
public:
    ColumnMap(Columns d, std::size_t nodes);

    /// Gives the lowest free columns; false, and nothing given, where there are too few.
    [[nodiscard]] bool allocate(NodeId owner, Columns width);
    void release(NodeId owner);
    /// The new owner takes over the columns in their order.
    void reassign(NodeId from, NodeId to);

    [[nodiscard]] const std::set<NodeId>& owners() const { return owners_; }
    [[nodiscard]] bool owns(NodeId id) const { return !columns_[id.at()].empty(); }
    [[nodiscard]] const ColumnList& of(NodeId id) const { return columns_[id.at()]; }
    [[nodiscard]] Columns freeCount() const { return free_; }
    [[nodiscard]] Columns occupied() const { return d_ - free_; }

    /// Columns among these whose content is unknown: written onto, they want a cancel in the same layer.
    [[nodiscard]] ColumnList dirtyAmong(const ColumnList& columns) const;
    void markClean(const ColumnList& columns);
    void markAllClean();

private:
    [[nodiscard]] Columns takeLowest();

    Columns d_ = 0;
    Columns free_ = 0;
    std::vector<std::uint64_t> freeBits_;
    std::size_t firstWord_ = 0;  ///< no free column below it
    std::vector<bool> isDirty_;
    std::vector<ColumnList> columns_;  ///< by owner
    std::set<NodeId> owners_;
};

}  // namespace memplan::torchwright

// SPDX-License-Identifier: Apache-2.0
// Columns of the stream by whether they are taken and whether they hold zero.
#pragma once

#include "engine/torchwright/schedule/columns.h"

#include <vector>

namespace memplan::torchwright {

class ColumnStore {
public:
    explicit ColumnStore(Columns d) : state_(static_cast<std::size_t>(d), State::Dirty), free_(d) {}

    [[nodiscard]] Columns free() const { return free_; }
    [[nodiscard]] Columns taken() const { return static_cast<Columns>(state_.size()) - free_; }
    /// The lowest clean columns, then the lowest others, which are appended to `cancelled`; ascending. There are
    /// enough.
    [[nodiscard]] ColumnList take(Columns width, ColumnList& cancelled);
    void release(const ColumnList& columns);
    /// Every column that is free holds zero.
    void clean();

private:
    enum class State : unsigned char { Dirty, Clean, Taken };

    std::vector<State> state_;
    Columns free_ = 0;
};

}  // namespace memplan::torchwright

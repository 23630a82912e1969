// SPDX-License-Identifier: Apache-2.0
// The heads of a layer's attention sublayer, and its one cancel operation: all columns that the layer clears share the
// heads of one batch (torchwright.md 7.3).
#pragma once

#include "engine/torchwright/schedule/columns.h"
#include "engine/torchwright/scheduler/costs.h"

namespace memplan::torchwright {

class HeadBudget {
public:
    HeadBudget(int heads, Columns dHead) : limit_(heads), dHead_(dHead) {}

    [[nodiscard]] int used() const { return used_; }
    [[nodiscard]] int left() const { return limit_ - used_; }
    void take(int heads) { used_ += heads; }

    /// True when these columns can be cancelled beside an operation of `heads` heads that is not taken yet.
    [[nodiscard]] bool canCancel(const ColumnList& columns, int heads = 0) const {
        return heads + extraHeads(columns) <= left();
    }
    /// Columns stand in no more than one cancel: those given are new to the batch.
    void cancel(const ColumnList& columns) {
        used_ += extraHeads(columns);
        batch_.append(columns);
    }
    [[nodiscard]] const ColumnList& cancelled() const { return batch_; }
    [[nodiscard]] int cancelHeads() const { return headsFor(batch_.size(), dHead_); }

private:
    [[nodiscard]] int extraHeads(const ColumnList& columns) const {
        return headsFor(batch_.size() + columns.size(), dHead_) - cancelHeads();
    }

    int limit_ = 0;
    Columns dHead_ = 1;
    int used_ = 0;  ///< those of the batch included
    ColumnList batch_;
};

}  // namespace memplan::torchwright

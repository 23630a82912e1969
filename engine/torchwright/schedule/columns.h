// SPDX-License-Identifier: Apache-2.0
// A list of columns of the residual stream in component order, as runs: a node's value i stands in the i-th column.
#pragma once

#include "engine/torchwright/graph/node.h"

namespace memplan::torchwright {

struct ColumnRun {
    Columns first = 0;
    Columns count = 0;
    friend bool operator==(const ColumnRun&, const ColumnRun&) = default;
};

class ColumnList {
public:
    void append(Columns column);
    void append(const ColumnList& other);
    [[nodiscard]] Columns size() const { return size_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }
    /// Maximal runs: the next run never continues the one before.
    [[nodiscard]] const std::vector<ColumnRun>& runs() const { return runs_; }
    /// Calls f(column) for each in order.
    template <class F> void forEach(F&& f) const {
        for (const ColumnRun& run : runs_)
            for (Columns c = run.first; c < run.first + run.count; ++c)
                f(c);
    }
    [[nodiscard]] std::vector<Columns> expanded() const;
    friend bool operator==(const ColumnList&, const ColumnList&) = default;

private:
    std::vector<ColumnRun> runs_;
    Columns size_ = 0;
};

}  // namespace memplan::torchwright

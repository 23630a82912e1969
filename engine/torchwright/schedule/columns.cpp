// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/schedule/columns.h"

namespace memplan::torchwright {

void ColumnList::append(Columns column) {
    if (!runs_.empty() && runs_.back().first + runs_.back().count == column) {
        ++runs_.back().count;
    } else {
        runs_.push_back({column, 1});
    }
    ++size_;
}

void ColumnList::append(const ColumnList& other) {
    for (const ColumnRun& run : other.runs_) {
        if (!runs_.empty() && runs_.back().first + runs_.back().count == run.first) {
            runs_.back().count += run.count;
        } else {
            runs_.push_back(run);
        }
    }
    size_ += other.size_;
}

std::vector<Columns> ColumnList::expanded() const {
    std::vector<Columns> columns;
    columns.reserve(static_cast<std::size_t>(size_));
    forEach([&columns](Columns c) { columns.push_back(c); });
    return columns;
}

}  // namespace memplan::torchwright

// SPDX-License-Identifier: Apache-2.0
// Time compressed into columns, one for each largest set of coexisting buffers (performance-and-toolchain 5).
#pragma once

#include "engine/base/ids.h"

#include <cstddef>
#include <span>
#include <vector>

namespace memplan::solve {

/// Start ticks whose live set is not part of a later one's. Two lifetimes overlap exactly when they share a column.
[[nodiscard]] std::vector<Step> timeColumns(std::span<const StepRange> lifetimes);

using ColumnRange = Interval<std::size_t>;

/// Columns in which `lifetime` is live; never empty for one of the lifetimes that the columns were made of.
[[nodiscard]] ColumnRange columnsOf(StepRange lifetime, std::span<const Step> columns);

}  // namespace memplan::solve

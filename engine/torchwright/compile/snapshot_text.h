// SPDX-License-Identifier: Apache-2.0
// Text form of a program: a node a line, then the schedule operation by operation (architecture 5.6).
#pragma once

#include "engine/torchwright/compile/state.h"

#include <string>

namespace memplan::torchwright {

/// "12 = Linear(3) : 16 | render/row after 4"; once scheduled "layer 3 compute_linear 12 -> 16-31, 1 head".
[[nodiscard]] std::string snapshotText(const State& state);
/// "16-31, 40"
[[nodiscard]] std::string columnsText(const ColumnList& columns);

}  // namespace memplan::torchwright

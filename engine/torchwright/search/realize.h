// SPDX-License-Identifier: Apache-2.0
// An assignment of layers as a schedule with heads, slots and columns (torchwright.md 17). A value loses its columns
// when it was read for the last time; they are cancelled where and when a value is born in them, so that no head clears
// what nobody writes again.
#pragma once

#include "engine/torchwright/schedule/schedule.h"
#include "engine/torchwright/search/assignment.h"

#include <optional>

namespace memplan::torchwright {

/// Nothing for an assignment that is overfull.
[[nodiscard]] std::optional<Schedule> realize(const NodeGraph& graph, const UnitModel& model,
                                              const Assignment& assignment);

}  // namespace memplan::torchwright

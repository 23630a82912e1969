// SPDX-License-Identifier: Apache-2.0
// The schedule of pass `schedule` with `torchwright.optimize` above 0 (torchwright.md 17), and what the plan says of
// it.
#pragma once

#include "engine/pipeline/pass.h"
#include "engine/target/target.h"
#include "engine/torchwright/compile/state.h"
#include "engine/torchwright/search/better_schedule.h"

#include <optional>

namespace memplan::torchwright {

/// With the effort of `torchwright.optimize`, above 0.
[[nodiscard]] BetterSchedule searchedSchedule(const NodeGraph& graph, const ScheduleOptions& options,
                                              const Settings& settings, const RunControl& control);
/// Searches for fewer layers and decides: the bounds, the scopes that automatic K found, the way of the search.
[[nodiscard]] Schedule improvedSchedule(const State& state, PassContext& context);

/// The same as figures of the plan; nothing for one of the heuristic.
[[nodiscard]] std::optional<StatisticsTable> improvementTable(const Plan& plan);

}  // namespace memplan::torchwright

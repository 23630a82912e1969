// SPDX-License-Identifier: Apache-2.0
// The figures of torchwright.md 14 as the plan holds them.
#pragma once

#include "engine/torchwright/compile/state.h"

namespace memplan::torchwright {

/// Longest paths and bounds of the graph before fusion; without the slack.
[[nodiscard]] TorchwrightPath pathOf(const NodeGraph& graph, LocalRouting routing);
/// Annotations, plateaus, clusters and slack of the schedule.
void addFigures(State& state, const Settings& settings);

}  // namespace memplan::torchwright

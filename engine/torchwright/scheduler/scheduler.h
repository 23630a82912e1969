// SPDX-License-Identifier: Apache-2.0
// The layer scheduler (torchwright.md 7): greedy, layer by layer, attention sublayer before MLP sublayer. The order of
// everything that upstream leaves to hash sets is the ascending id.
#pragma once

#include "engine/base/run_control.h"
#include "engine/torchwright/graph/node_graph.h"
#include "engine/torchwright/schedule/schedule.h"

namespace memplan::torchwright {

/// Needs a graph without Assert and DebugWatch and options of which d is a multiple of dHead. A schedule that cannot be
/// completed is a value too. Cancelled: what was done so far, with NotConverged.
[[nodiscard]] Schedule scheduleLayers(const NodeGraph& graph, const ScheduleOptions& options,
                                      const RunControl& control = {});

}  // namespace memplan::torchwright

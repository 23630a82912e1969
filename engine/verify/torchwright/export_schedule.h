// SPDX-License-Identifier: Apache-2.0
// The schedule that the manifest of an export states, in terms of the graph that was scheduled.
#pragma once

#include "engine/base/result.h"
#include "engine/torchwright/graph/node_graph.h"
#include "engine/torchwright/schedule/schedule.h"
#include "engine/verify/torchwright/transformer/model.h"

namespace memplan::verify::torchwright {

/// What a manifest does not hold (parameters, refusals, totals, hints) is empty. Error: TW-031 where its nodes are not
/// those of the graph, or an operation is none that a layer has.
[[nodiscard]] Result<memplan::torchwright::Schedule> exportedSchedule(const memplan::torchwright::NodeGraph& graph,
                                                                      const transformer::Bundle& bundle);

}  // namespace memplan::verify::torchwright

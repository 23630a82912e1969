// SPDX-License-Identifier: Apache-2.0
// An exported transformer against the graph that was scheduled: its schedule is replayed, and every entry of every
// array is what the operations of its layer demand or zero, also where no sample input would show it.
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/torchwright/graph/node_graph.h"
#include "engine/torchwright/schedule/schedule.h"
#include "engine/verify/torchwright/transformer/model.h"

#include <vector>

namespace memplan::verify::torchwright {

/// VER-020 names layer, sublayer, matrix, row and column of an entry; at most 20 entries, then how many more. VER-010,
/// 011 and 013 for a manifest whose schedule breaks a rule, TW-031 for one of another graph; entries are compared only
/// without them. `planned`: the schedule that the export has to hold; null where only the export is known.
[[nodiscard]] std::vector<Diagnostic> checkExport(const memplan::torchwright::NodeGraph& graph,
                                                  const transformer::Bundle& bundle,
                                                  const memplan::torchwright::Schedule* planned = nullptr);

}  // namespace memplan::verify::torchwright

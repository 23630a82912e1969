// SPDX-License-Identifier: Apache-2.0
// What the passes of a compile hand on (pipeline.md 3).
#pragma once

#include "engine/plan/torchwright_data.h"
#include "engine/torchwright/analysis/clusters.h"
#include "engine/torchwright/compile/planned_ops.h"
#include "engine/torchwright/fusion/fuse_linears.h"
#include "engine/torchwright/scope/concurrency.h"
#include "engine/torchwright/weights/transformer.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace memplan::torchwright {

struct State {
    NodeGraph graph;                                ///< as the passes have made it so far
    ScheduleOptions options;                        ///< of the settings and hints
    std::shared_ptr<const Graph> neutral;           ///< that is to be lowered; null for a graph of this machine
    std::map<std::int64_t, GraphOpId> graphOps;     ///< by number of the node
    std::map<std::int64_t, TensorId> graphTensors;  ///< of a lowered graph: by number of the node
    std::vector<ConcurrencyScope> scopes;           ///< of concurrency hints
    std::shared_ptr<const NodeGraph> unscoped;      ///< the graph without them; null where there are none
    std::vector<Cluster> clusters;                  ///< of admission control
    std::shared_ptr<const NodeGraph> unfused;       ///< before Linears were fused: what `report.path` speaks about
    std::shared_ptr<const NodeGraph> scheduled;     ///< what the schedule speaks about
    std::optional<Schedule> schedule;
    std::vector<PlannedOp> ops;                  ///< of the schedule
    std::shared_ptr<const Transformer> weights;  ///< null without tensors, or where they are not wanted
    TorchwrightData report;                      ///< path, annotations, plateaus and clusters, as far as they are known
};

}  // namespace memplan::torchwright

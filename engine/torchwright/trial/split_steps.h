// SPDX-License-Identifier: Apache-2.0
// Splitting across steps: values that leave one pass as outputs and come back as inputs of the next start there at
// layer 0 (torchwright.md 14, Steps).
#pragma once

#include "engine/base/result.h"
#include "engine/base/run_control.h"
#include "engine/torchwright/scheduler/scheduler.h"

#include <algorithm>

namespace memplan::torchwright {

struct StepSplit {
    NodeGraph first, second;     ///< the graphs of the two steps
    Schedule before, one, two;   ///< of the whole graph and of both steps
    Columns widthPerToken = 0;   ///< columns that each token carries to the next step
    int positionsPerResult = 2;  ///< token positions that one result needs

    [[nodiscard]] bool ok() const { return one.ok() && two.ok(); }
    /// Layers of a transformer that can run either step.
    [[nodiscard]] int layersAfter() const { return std::max(one.layerCount(), two.layerCount()); }
};

/// Step 1 computes the nodes and the outputs that do not depend on them, step 2 the rest with the nodes as inputs.
/// Error: TW-021 where one of them computes nothing or reads another.
[[nodiscard]] Result<StepSplit> splitAcrossSteps(const NodeGraph& graph, const std::vector<NodeId>& nodes,
                                                 const ScheduleOptions& options, const RunControl& control = {});

}  // namespace memplan::torchwright

// SPDX-License-Identifier: Apache-2.0
// Layers that an annotation is responsible for: the graph is compiled with it and with zeros in its place
// (torchwright.md 14, Stub-out attribution).
#pragma once

#include "engine/base/result.h"
#include "engine/base/run_control.h"
#include "engine/torchwright/scheduler/scheduler.h"

namespace memplan::torchwright {

struct StubOut {
    std::string annotation;
    ScheduleResult result = ScheduleResult::Ok;  ///< of the compile without it
    int layersBefore = 0, layersAfter = 0;
    Columns peakOccupiedAfter = 0;  ///< the zeros that take its place hold columns from layer 0 on
    int nodesAfter = 0;
    friend bool operator==(const StubOut&, const StubOut&) = default;

    [[nodiscard]] int delta() const { return layersBefore - layersAfter; }
};

/// `whole` is the schedule of the graph; it is compiled once more, with its options. Hints by node do not apply. Error:
/// TW-021 for an annotation that no node has.
[[nodiscard]] Result<StubOut> stubOut(const NodeGraph& graph, const Schedule& whole, std::string_view annotation,
                                      const RunControl& control = {});

}  // namespace memplan::torchwright

// SPDX-License-Identifier: Apache-2.0
// What a schedule is made with: the settings of settings.md 4 that the scheduler reads, and the hints `layer_min` and
// `priority` (hints.md 4.3).
#pragma once

#include "engine/torchwright/graph/node.h"
#include "engine/torchwright/schedule/routing.h"

namespace memplan::torchwright {

struct ScheduleOptions {
    Columns d = 1024;    ///< columns of the residual stream, a multiple of dHead
    Columns dHead = 16;  ///< columns of a head
    Slots dHidden = 0;   ///< slots of a layer, 0 = d
    int maxLayers = 100;
    LocalRouting localInAttention = LocalRouting::Never;
    double pressureThreshold = 0.75;  ///< occupied share above which priorities flip
    bool assumeZeroInit = false;
    bool admissionControl = false;
    double admissionBudgetFraction = 0.4;
    int admissionMinChains = 4;
    Columns admissionMinPeakWidth = 32;
    std::vector<int> layerMin;  ///< by node: not ready before this layer; empty = no such hint
    std::vector<int> priority;  ///< by node: larger is scheduled earlier; empty = no such hint

    friend bool operator==(const ScheduleOptions&, const ScheduleOptions&) = default;

    [[nodiscard]] int headsPerLayer() const { return dHead > 0 ? d / dHead : 0; }
    [[nodiscard]] Slots slotsPerLayer() const { return dHidden == 0 ? d : dHidden; }
    /// Parameters of one head and of one slot (torchwright.md 6).
    [[nodiscard]] std::int64_t headParams() const { return std::int64_t{4} * d * dHead; }
    [[nodiscard]] std::int64_t slotParams() const { return std::int64_t{2} * d + 2; }
    [[nodiscard]] std::int64_t layerCapacity() const {
        const std::int64_t width = d, hidden = slotsPerLayer();
        return 4 * width * width + 2 * width * hidden + hidden + width;
    }
};

}  // namespace memplan::torchwright

// SPDX-License-Identifier: Apache-2.0
// Operations of a plan that the machine runs as one program.
#pragma once

#include "engine/base/ids.h"

#include <string>
#include <vector>

namespace memplan {

/// target_data.kernels: what runs as one bundle.
struct PlanKernel {
    std::string name;
    std::vector<OpId> ops;
    std::vector<BufferId> arguments;  ///< binding order
    int externalTensors = 0, tensorLimit = 0;
    bool nonTerminal = false;
    std::vector<BufferId> liveAcross;  ///< pinned buffers live past its end
    friend bool operator==(const PlanKernel&, const PlanKernel&) = default;
};

}  // namespace memplan

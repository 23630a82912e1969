// SPDX-License-Identifier: Apache-2.0
// What each part of DFSharding 2.0 gains (ttnn-optimizer 6, user-experience 8.8): isolated chains, then one part after
// the other switched on.
#pragma once

#include "engine/base/run_control.h"
#include "engine/plan/ttnn_data.h"
#include "engine/target/target.h"

#include <string>
#include <utility>
#include <vector>

namespace memplan::ttnn {

struct PartStep {
    std::string title;  ///< "isolated chains", "+ concat"
    /// That lead from the present request to this step.
    std::vector<std::pair<std::string, std::string>> settings;
    TtnnGoals goals;
    PlanPtr plan;     ///< null where the compile failed
    std::string why;  ///< of a failure
    bool isCurrent = false;
};

/// Five steps. `current` is the plan of the request: the step that it is is not compiled again. The policy of all is
/// DFSharding. Reports progress "parts"; cancelling is an error, a passed deadline ends with the steps so far.
[[nodiscard]] Result<std::vector<PartStep>> partGains(const Target& target, const CompileRequest& request,
                                                      const PlanPtr& current, const RunControl& control);

}  // namespace memplan::ttnn

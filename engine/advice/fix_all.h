// SPDX-License-Identifier: Apache-2.0
// One change that fixes every buffer of one kind that can be fixed (user-experience 15.3, "Fix all of this kind").
#pragma once

#include "engine/advice/fixes.h"

#include <string_view>

namespace memplan::advice {

/// Buffers off chip whose reason has this diagnostic code (codes.md 1), in plan order.
[[nodiscard]] std::vector<BufferId> buffersRefusedAs(const Plan& plan, std::string_view code);

struct FixAllOptions {
    int maxTrials = 200;  ///< compiles in all
    int maxTrialsPerBuffer = 8;
};

struct FixAllReport {
    Change change;    ///< everything together, relative to the request; empty when nothing pays
    int refused = 0;  ///< buffers of this kind in the plan given
    int fixed = 0;    ///< of these, on chip in the end
    int tried = 0;    ///< compiles
    PlanPtr plan;     ///< with the change; null when there is none
    Bytes trafficBefore = 0, trafficAfter = 0;
};

/// Takes the buffers one after the other and keeps, for each that is still off chip, the smallest change that brings it
/// on chip and lowers the traffic; later buffers are looked at under the changes kept so far. `plan` is the plan of
/// `request`. A passed deadline ends with what was found, cancelling is an error.
[[nodiscard]] Result<FixAllReport> fixAll(const CompileRequest& request, const PlanPtr& plan, std::string_view code,
                                          const FixAllOptions& options, const RunControl& control);

}  // namespace memplan::advice

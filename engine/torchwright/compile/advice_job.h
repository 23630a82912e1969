// SPDX-License-Identifier: Apache-2.0
// The advice of a plan that is on the screen, with trials: a job of its own, which never changes the plan
// (torchwright.md 19.1).
#pragma once

#include "engine/pipeline/request.h"
#include "engine/torchwright/advice/finding.h"

namespace memplan::torchwright {

struct AdviceJob {
    std::string planHash;  ///< of the plan that it is about
    std::shared_ptr<const AdviceReport> report;
};

/// Spends up to `trials` compiles (the window: 20). `request` is the one that `plan` was compiled from. Reports
/// progress "trying advice". Errors: why the compile fails, CANCELLED.
[[nodiscard]] Result<AdviceJob> tryAdvice(const CompileRequest& request, const Plan& plan, int trials,
                                          const RunControl& control);

}  // namespace memplan::torchwright

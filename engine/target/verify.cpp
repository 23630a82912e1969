// SPDX-License-Identifier: Apache-2.0
#include "engine/target/verify.h"

#include "engine/target/target.h"

namespace memplan {

std::vector<Diagnostic> verifyPlan(const Plan& plan) {
    const Target* target = findTarget(plan.target);
    return target != nullptr ? target->verifyFile(plan) : std::vector<Diagnostic>{};
}

std::vector<Diagnostic> verifyCompiled(const Plan& plan) {
    const Target* target = findTarget(plan.target);
    return target != nullptr ? target->verify(plan) : std::vector<Diagnostic>{};
}

Result<void> requireSound(const Plan& plan) {
    if (plan.solver == "imported" || plan.ops.empty()) return {};
    const std::vector<Diagnostic> found = verifyPlan(plan);
    if (found.empty()) return {};
    const Diagnostic& first = found.front();
    return makeError(first.code, first.where, first.message,
                     "`memplan verify` lists everything; compile the input again");
}

}  // namespace memplan

// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/compile/advice_job.h"

#include "engine/plan/plan_hash.h"
#include "engine/plan/torchwright_data.h"
#include "engine/torchwright/compile/target.h"

namespace memplan::torchwright {

Result<AdviceJob> tryAdvice(const CompileRequest& request, const Plan& plan, int trials, const RunControl& control) {
    CompileRequest own = request;
    own.stopAfter = "diagnostics";
    for (const auto& [key, value] : {std::pair<std::string_view, std::string>("torchwright.advice", "true"),
                                     {"torchwright.advice_trials", std::to_string(trials)}})
        if (auto set = own.settings.set(key, value); !set) return set.error();
    const CompileOutcome outcome = target().compile(own, control, nullptr);
    if (!outcome.plan) return outcome.failure->error;
    return AdviceJob{planHash(plan), torchwrightData(*outcome.plan).advice};
}

}  // namespace memplan::torchwright

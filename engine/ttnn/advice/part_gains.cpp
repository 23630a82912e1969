// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/advice/part_gains.h"

#include "engine/ttnn/advice/exchange.h"

#include <array>

namespace memplan::ttnn {
namespace {

constexpr std::string_view kPolicy = "ttnn.policy", kChains = "DFSharding";

struct Part {
    const char* title;
    const char* key;
};
constexpr std::array<Part, 5> kParts{{{"isolated chains", ""},
                                      {"+ concat", "ttnn.concat_chains"},
                                      {"+ reshape", "ttnn.reshape_reservations"},
                                      {"+ fork", "ttnn.fork_reservations"},
                                      {"+ merges", "ttnn.chain_merging"}}};

PartStep stepOf(std::size_t step, const Settings& settings) {
    PartStep result;
    result.title = kParts[step].title;
    for (std::size_t i = 1; i < kParts.size(); ++i) {
        const bool isOn = i <= step;
        if (settings.boolean(kParts[i].key) != isOn)
            result.settings.emplace_back(kParts[i].key, isOn ? "true" : "false");
    }
    if (settings.text(kPolicy) != kChains) result.settings.emplace_back(kPolicy, kChains);
    result.isCurrent = result.settings.empty();
    return result;
}

void compileStep(const Target& target, CompileRequest request, const RunControl& control, PartStep& step) {
    for (const auto& [key, value] : step.settings)
        (void)request.settings.set(key, value);
    RunControl quiet = control;
    quiet.onProgress = nullptr;
    const CompileOutcome outcome = target.compile(request, quiet, nullptr);
    step.plan = outcome.plan;
    if (outcome.plan)
        step.goals = ttnnData(*outcome.plan).goals;
    else if (outcome.failure)
        step.why = outcome.failure->error.primary().message;
}

}  // namespace

Result<std::vector<PartStep>> partGains(const Target& target, const CompileRequest& request, const PlanPtr& current,
                                        const RunControl& control) {
    const CompileRequest plain = withoutExtras(request);
    std::vector<PartStep> steps;
    for (std::size_t i = 0; i < kParts.size() && !control.timedOut(); ++i) {
        control.progress("parts", static_cast<double>(i), static_cast<double>(kParts.size()));
        PartStep step = stepOf(i, request.settings);
        if (step.isCurrent && current) {
            step.plan = current;
            step.goals = ttnnData(*current).goals;
        } else {
            compileStep(target, plain, control, step);
        }
        if (control.cancelled()) return makeError(kCancelledCode, "", "cancelled");
        steps.push_back(std::move(step));
    }
    control.progress("parts", static_cast<double>(kParts.size()), static_cast<double>(kParts.size()));
    return steps;
}

}  // namespace memplan::ttnn

// SPDX-License-Identifier: Apache-2.0
#include "app/cli/input/plan_input.h"

#include "app/cli/program/common_options.h"
#include "engine/io/plan/plan_json.h"
#include "engine/target/compile.h"
#include "engine/target/verify.h"

namespace memplan::cli {

Result<OpenedPlan> openPlanFile(const std::string& path, const std::string& command, FileHash hash,
                                const Streams& streams) {
    io::OpenOptions options = openOptions(Settings());
    options.hashesPlans = hash == FileHash::Wanted;
    auto opened = open(path, options, Wanted::Plan, streams);
    if (!opened) return std::move(opened).error();
    io::OpenedInput& input = opened.value();
    if (input.program) {
        const CompileRequest request =
            requestFor(graphOf(*input.program, input.input.name), input.program, input.input, Settings(), {});
        CompileOutcome outcome = compile(request, RunControl{streams.stop, {}, {}});
        if (outcome.failure) return std::move(outcome.failure->error);
        return OpenedPlan{*outcome.plan, input.input.sha256, true};
    }
    if (input.format != io::Format::Plan) {
        return makeError("CLI-001", command, "this file is no plan but \"" + std::string(input.input.format) + "\"",
                         "`memplan compile INPUT --out PLAN.json` writes one");
    }
    auto plan = io::takePlanJson(std::move(input.bytes));
    if (!plan) return std::move(plan).error();
    return OpenedPlan{std::move(plan).value(), input.input.sha256};
}

Result<Plan> openPlan(const std::string& path, const std::string& command, const Streams& streams) {
    auto opened = openPlanFile(path, command, FileHash::Unused, streams);
    if (!opened) return std::move(opened).error();
    return std::move(opened.value().plan);
}

Result<Plan> readSoundPlan(std::string_view bytes) {
    auto plan = io::readPlanJson(bytes);
    if (!plan) return plan;
    if (auto sound = requireSound(plan.value()); !sound) return std::move(sound).error();
    return plan;
}

}  // namespace memplan::cli

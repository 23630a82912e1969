// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/features/compare/plan_of_file.h"

#include "engine/io/input.h"
#include "engine/io/plan/plan_json.h"
#include "engine/target/compile.h"

namespace memplan::app {

Result<PlanPtr> planOfFile(const FileToPlan& file, const RunControl& control) {
    const std::string& path = file.path;
    io::OpenOptions options;
    options.limits = io::Limits::from(file.settings);
    options.bindings.raw = file.bindings;
    options.bindWithSuggestions = true;
    auto opened = io::openInput(path, options, control);
    if (!opened) return std::move(opened).error();
    io::OpenedInput& input = opened.value();
    if (input.format == io::Format::Plan) {
        auto plan = io::readPlanJson(input.bytes);
        if (!plan) return std::move(plan).error();
        return PlanPtr(std::make_shared<const Plan>(std::move(plan).value()));
    }
    if (!input.graph)
        return makeError("IN-013", path, "this file is neither a plan nor a graph",
                         "`memplan compile INPUT --out PLAN.json` writes a plan");
    if (!file.cut.isEmpty()) {
        auto part = cutGraph(*input.graph, file.cut);
        if (!part) return std::move(part).error();
        input.graph = std::make_shared<const Graph>(std::move(part).value());
    }
    CompileRequest request = requestFor(input.graph, input.program, input.input, file.settings,
                                        hintsInForce(input.graph->hints, file.hints));
    planFor(file.target, request);
    CompileOutcome outcome = compile(request, control);
    if (outcome.failure) return std::move(outcome.failure->error);
    return outcome.plan;
}

}  // namespace memplan::app

// SPDX-License-Identifier: Apache-2.0
#include "engine/target/compile.h"

#include "engine/base/text.h"

#include <utility>

namespace memplan {
namespace {

/// The machine of the request, by name or by nature.
Result<const Target*> targetOf(const CompileRequest& request) {
    if (request.target.empty()) return &naturalTarget(request.program.get());
    auto target = requireTarget(request.target);
    if (!target) return target;
    if (!request.program || request.program->target() == request.target) return target;
    return makeError("IN-013", "",
                     "the input holds " + std::string(request.program->kind()) + ", which " +
                         text::quoted(request.target) + " does not plan",
                     "leave --target out, or open the graph that it was made from");
}

}  // namespace

CompileOutcome compile(const CompileRequest& request, const RunControl& control, PipelineObserver* observer) {
    auto target = targetOf(request);
    if (!target) return {nullptr, CompileFailure{std::move(target).error(), "", {}}};
    if (request.inputError) return {nullptr, CompileFailure{*request.inputError, "", {}}};
    if (!request.target.empty() && request.machine.isBuiltIn())
        return target.value()->compile(request, control, observer);
    CompileRequest named = request;
    named.target = std::string(target.value()->info().id);
    if (auto fits = target.value()->fitToMachine(named.settings, named.machine); !fits)
        return {nullptr, CompileFailure{fits.error(), "", {}}};
    return target.value()->compile(named, control, observer);
}

CompileRequest requestFor(std::shared_ptr<const Graph> graph, std::shared_ptr<const Source> program, PlanInput input,
                          Settings settings, std::vector<Hint> hints) {
    CompileRequest request;
    request.target = naturalTarget(program.get()).info().id;
    request.graph = std::move(graph);
    request.program = std::move(program);
    request.input = std::move(input);
    request.settings = std::move(settings);
    request.hints = std::move(hints);
    readSettingFiles(request);
    return request;
}

void planFor(const TargetId& target, CompileRequest& request) {
    if (target.empty() || target == request.target) return;
    request.target = target;
    readSettingFiles(request);
}

void readSettingFiles(CompileRequest& request) {
    request.files.clear();
    request.inputError.reset();
    const auto target = targetOf(request);
    if (!target) return;
    auto files = target.value()->readSettingFiles(request.settings);
    if (files)
        request.files = std::move(files).value();
    else
        request.inputError = std::move(files).error();
}

void setMachine(CompileRequest& request, MachineDescription machine) {
    const auto target = targetOf(request);
    request.machine = std::move(machine);
    if (!target || request.inputError) return;
    if (!request.machine.isBuiltIn() && request.machine.target != target.value()->info().id) {
        request.inputError = makeError("MCH-001", "/target",
                                       "the machine is one of " + text::quoted(request.machine.target) +
                                           ", the plan is for " + text::quoted(target.value()->info().id),
                                       "leave it out, or name a machine of that target");
        return;
    }
    if (auto fits = target.value()->fitToMachine(request.settings, request.machine); !fits)
        request.inputError = fits.error();
}

PassList passList(std::string_view target) {
    const Target* found = findTarget(target);
    return found != nullptr ? found->passes() : PassList{};
}

std::shared_ptr<const Graph> graphOf(const Source& program, const std::string& name) {
    return naturalTarget(&program).graphOf(program, name);
}

void attachSource(const Source& program, std::shared_ptr<const Graph> graph, Plan& plan) {
    naturalTarget(&program).attachSource(program, std::move(graph), plan);
}

Result<std::vector<Artefact>> planArtefacts(const Plan& plan, Diagnostics& notes) {
    const Target* target = findTarget(plan.target);
    return target != nullptr ? target->artefacts(plan, notes) : std::vector<Artefact>{};
}

std::shared_ptr<const sim::ExecutionRecord> executionRecord(const Plan& plan) {
    const Target* target = findTarget(plan.target);
    return target != nullptr ? target->executionRecord(plan) : nullptr;
}

SideAttachment attachSide(const Plan& plan, const std::vector<SideDocument>& documents) {
    const Target* target = findTarget(plan.target);
    return target != nullptr ? target->attachSide(plan, documents) : SideAttachment{};
}

}  // namespace memplan

// SPDX-License-Identifier: Apache-2.0
#include "engine/io/plan/plan_execution.h"
#include "engine/io/plan/plan_json.h"
#include "engine/io/plan/plan_side_json.h"
#include "engine/machine/machine_json.h"
#include "engine/plan/file/plan_records.h"
#include "engine/target/target.h"

#include <variant>

namespace memplan::io {

namespace {

std::size_t estimate(const Plan& p) {
    constexpr std::size_t kPerOp = 5000, kPerBuffer = 1500, kPerConstant = 21;
    std::size_t constants = 0;  // elements of the graph's values
    if (p.graph) {
        for (const Tensor& t : p.graph->tensors)
            constants += t.value.size();
    }
    return 16'384 + p.ops.size() * kPerOp + p.buffers.size() * kPerBuffer + constants * kPerConstant;
}

void writeSettings(JsonWriter& w, const Settings& settings) {
    w.key("settings");
    w.beginObject();
    for (const SettingInfo& info : allSettings())
        std::visit([&](const auto& value) { w.member(info.key, value); }, settings.value(info.key));
    w.endObject();
}

void writeHint(RecordWriter& file, std::size_t i) {
    const Plan& plan = file.plan();
    const Hint& h = plan.hints[i];
    JsonWriter& w = file.json();
    w.beginObject();
    file.member("target", h.target);
    if (h.scopeIsArray || h.scopes.size() != 1) {
        file.member("scope", h.scopes);
    } else {
        file.member("scope", h.scopes[0]);
    }
    file.member("key", h.key);
    file.raw("value", h.value.json());
    file.sparse("enabled", h.enabled, !h.enabled);
    file.sparse("comment", h.comment);
    file.member("state", i < plan.hintStates.size() ? plan.hintStates[i] : std::string());
    file.member("state_reason", i < plan.hintStateReasons.size() ? plan.hintStateReasons[i] : std::string());
    for (const auto& [key, json] : h.unknown)
        file.raw(key, json);
    w.endObject();
}

/// Passes that did not run are left out.
void writePasses(RecordWriter& file) {
    file.json().key("passes");
    file.json().beginArray();
    for (const PassRun& run : file.plan().passes) {
        if (run.ran) file.value(run);
    }
    file.json().endArray();
}

/// Only what differs from the machine that everybody has is worth a word.
void writeMachineOfPlan(RecordWriter& file) {
    const Plan& plan = file.plan();
    const Target* target = findTarget(plan.target);
    if (target == nullptr || plan.machine.isBuiltIn()) return;
    file.json().key("x_machine");
    writeMachine(file.json(), plan.machine, target->machineKind());
}

std::string write(const Plan& p, const SideInformation* side) {
    JsonWriter w(estimate(p));
    RecordWriter file(p, w);
    w.beginObject();
    file.member("format", std::string_view("memplan-plan"));
    file.member("version", 1);
    file.member("target", p.target);
    file.member("input", p.input);
    writeSettings(w, p.settings);
    w.key("hints");
    w.beginArray();
    for (std::size_t i = 0; i < p.hints.size(); ++i)
        writeHint(file, i);
    w.endArray();
    file.member("ops", p.ops);
    file.member("buffers", p.buffers);
    file.sparse("memory", p.memory, isPlacementDecided(p));
    file.sparse("metrics", p.metrics, isPlacementDecided(p));
    writePasses(file);
    file.group("target_data", [&](RecordWriter& data) {
        if (const Target* target = findTarget(p.target)) target->writeData(p, data);
        if (side != nullptr) writeSideInformation(data, *side);
    });
    planOutcome(file, p);
    writeMachineOfPlan(file);
    planFacts(file, p);
    writeExecution(w, p);
    w.endObject();
    return w.finish();
}

}  // namespace

std::string writePlanJson(const Plan& plan) {
    return write(plan, nullptr);
}

std::string writePlanJson(const Plan& plan, const SideInformation* side) {
    return write(plan, side);
}

}  // namespace memplan::io

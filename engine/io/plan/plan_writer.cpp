// SPDX-License-Identifier: Apache-2.0
#include "engine/io/plan/plan_execution.h"
#include "engine/io/plan/plan_json.h"
#include "engine/io/plan/plan_metric_fields.h"
#include "engine/io/plan/plan_side_json.h"
#include "engine/json/json_text.h"
#include "engine/machine/machine_json.h"
#include "engine/plan/file/plan_items_writer.h"
#include "engine/plan/stopped.h"
#include "engine/target/target.h"

#include <algorithm>

namespace memplan::io {

namespace {

class PlanWriter {
public:
    PlanWriter(const Plan& plan, const SideInformation* side)
        : p_(plan), side_(side), w_(estimate(plan)), items_(plan, w_) {}

    std::string run() {
        w_.beginObject();
        writeHead();
        writeSettings();
        writeHints();
        writeList("ops", p_.ops, [this](const PlanOp& op) { items_.writeOp(op); });
        writeList("buffers", p_.buffers, [this](const PlanBuffer& b) { items_.writeBuffer(b); });
        if (isPlacementDecided(p_)) {
            writeMemory();
            writeMetrics();
        }
        writePasses();
        writeTargetData();
        writeExtras();
        writeExecution(w_, p_);
        w_.endObject();
        return w_.finish();
    }

private:
    static std::size_t estimate(const Plan& p) {
        constexpr std::size_t kPerOp = 5000, kPerBuffer = 1500, kPerConstant = 21;
        std::size_t constants = 0;  // elements of the graph's values
        if (p.graph) {
            for (const Tensor& t : p.graph->tensors)
                constants += t.value.size();
        }
        return 16'384 + p.ops.size() * kPerOp + p.buffers.size() * kPerBuffer + constants * kPerConstant;
    }

    template <class T, class F> void writeList(std::string_view key, const std::vector<T>& items, F&& writeItem) {
        w_.key(key);
        w_.beginArray();
        for (const T& item : items)
            writeItem(item);
        w_.endArray();
    }

    void writeHead() {
        w_.member("format", "memplan-plan");
        w_.member("version", 1);
        w_.member("target", p_.target);
        w_.key("input");
        w_.beginObject();
        w_.member("path", p_.input.path);
        w_.member("format", p_.input.format);
        w_.member("sha256", p_.input.sha256);
        w_.member("name", p_.input.name);
        w_.endObject();
    }

    void writeSettings() {
        w_.key("settings");
        w_.beginObject();
        for (const SettingInfo& info : allSettings()) {
            w_.key(info.key);
            const SettingValue& value = p_.settings.value(info.key);
            if (const bool* b = std::get_if<bool>(&value)) w_.boolean(*b);
            if (const auto* i = std::get_if<std::int64_t>(&value)) w_.integer(*i);
            if (const double* d = std::get_if<double>(&value)) w_.number(*d);
            if (const auto* s = std::get_if<std::string>(&value)) w_.string(*s);
        }
        w_.endObject();
    }

    void writeHints() {
        w_.key("hints");
        w_.beginArray();
        for (std::size_t i = 0; i < p_.hints.size(); ++i)
            writeHint(p_.hints[i], i);
        w_.endArray();
    }

    void writeHint(const Hint& h, std::size_t i) {
        w_.beginObject();
        w_.member("target", h.target);
        w_.key("scope");
        if (h.scopeIsArray || h.scopes.size() != 1) {
            w_.beginArray(true);
            for (const std::string& s : h.scopes)
                w_.string(s);
            w_.endArray();
        } else {
            w_.string(h.scopes[0]);
        }
        w_.member("key", h.key);
        w_.key("value");
        w_.raw(h.value.json());
        if (!h.enabled) w_.member("enabled", false);
        if (!h.comment.empty()) w_.member("comment", h.comment);
        w_.member("state", i < p_.hintStates.size() ? p_.hintStates[i] : std::string());
        w_.member("state_reason", i < p_.hintStateReasons.size() ? p_.hintStateReasons[i] : std::string());
        for (const auto& [key, json] : h.unknown) {
            w_.key(key);
            w_.raw(json);
        }
        w_.endObject();
    }

    void writeMemory() {
        const PlanMemory& m = p_.memory;
        w_.key("memory");
        w_.beginObject();
        w_.member("capacity", m.capacity);
        w_.member("alignment", m.alignment);
        w_.member("peak", m.peak);
        w_.member("live_peak", m.livePeak);
        w_.key("occupancy");
        w_.beginArray();
        for (const OccupancyPoint& o : m.occupancy) {
            w_.beginInlineObject();
            w_.member("t", std::int64_t{o.step});
            w_.member("bytes", o.bytes);
            w_.endObject();
        }
        w_.endArray();
        w_.member("x_physical", m.physical);
        w_.member("x_live_peak_step", std::int64_t{m.livePeakStep});
        writeIntegers(w_, "x_bound_per_step", m.boundPerStep);
        w_.endObject();
    }

    void writeMetrics() {
        w_.key("metrics");
        w_.beginObject();
        for (const auto& [key, json] : planMetricFields(p_)) {
            w_.key(key);
            w_.raw(json);
        }
        w_.endObject();
    }

    void writeDiagnostic(const Diagnostic& d) {
        w_.beginObject();
        w_.member("severity", severityName(d.severity));
        w_.member("code", d.code);
        w_.member("where", d.where);
        w_.member("message", d.message);
        w_.member("hint", d.hint);
        if (!d.pass.empty()) w_.member("x_pass", d.pass);
        if (!d.ops.empty()) writePositions(w_, "x_ops", d.ops);
        if (!d.buffers.empty()) writePositions(w_, "x_buffers", d.buffers);
        w_.endObject();
    }

    void writePasses() {
        w_.key("passes");
        w_.beginArray();
        for (const PassRun& r : p_.passes) {
            if (!r.ran) continue;
            w_.beginObject();
            w_.member("name", r.name);
            w_.member("seconds", r.seconds);
            w_.member("changed", r.changed);
            writeList("diagnostics", r.diagnostics, [this](const Diagnostic& d) { writeDiagnostic(d); });
            w_.member("x_title", r.title);
            w_.member("x_mandatory", r.mandatory);
            if (!r.parent.empty()) w_.member("x_parent", r.parent);
            w_.key("x_counts");
            w_.beginInlineObject();
            for (const auto& [name, count] : r.counts)
                w_.member(name, count);
            w_.endObject();
            w_.endObject();
        }
        w_.endArray();
    }

    void writeTargetData() {
        w_.key("target_data");
        w_.beginObject();
        if (const Target* target = findTarget(p_.target)) target->writeData(p_, items_);
        if (side_ != nullptr) writeSideInformation(w_, *side_);
        w_.endObject();
    }

    void writeDecision(const Decision& d) {
        w_.beginObject();
        w_.member("pass", d.pass);
        w_.key("op");
        items_.opName(d.op);
        w_.key("buffer");
        items_.bufferName(d.buffer);
        w_.member("kind", kindName(d));
        w_.member("chosen", sentence(d.chosen));
        w_.key("alternatives");
        w_.beginArray(true);
        for (const auto& [label, score] : d.alternatives) {
            w_.beginArray(true);
            w_.string(sentence(label));
            w_.number(score);
            w_.endArray();
        }
        w_.endArray();
        w_.member("why", sentence(d.why));
        w_.endObject();
    }

    /// Only what differs from the machine that everybody has is worth a word.
    void writeMachineOfPlan() {
        const Target* target = findTarget(p_.target);
        if (target == nullptr || p_.machine.isBuiltIn()) return;
        w_.key("x_machine");
        writeMachine(w_, p_.machine, target->machineKind());
    }

    void writeExtras() {
        w_.member("x_solver", p_.solver);
        w_.member("x_stopped_after", p_.stoppedAfter);
        writeMachineOfPlan();
        w_.member("x_input_hash", p_.inputHash);
        w_.member("x_plan_hash", p_.planHash);
        writeList("x_problems", p_.problems, [this](const Diagnostic& d) { writeDiagnostic(d); });
        writeList("x_decisions", p_.decisions, [this](const Decision& d) { writeDecision(d); });
    }

    const Plan& p_;
    const SideInformation* side_;
    JsonWriter w_;
    PlanItemsWriter items_;
};

}  // namespace

std::string writePlanJson(const Plan& plan) {
    return PlanWriter(plan, nullptr).run();
}

std::string writePlanJson(const Plan& plan, const SideInformation* side) {
    return PlanWriter(plan, side).run();
}

}  // namespace memplan::io

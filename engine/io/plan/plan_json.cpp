// SPDX-License-Identifier: Apache-2.0
#include "engine/io/plan/plan_json.h"

#include "engine/base/text.h"
#include "engine/io/plan/plan_derived.h"
#include "engine/io/plan/plan_execution.h"
#include "engine/io/plan/plan_side_json.h"
#include "engine/json/json_sax.h"
#include "engine/machine/machine_json.h"
#include "engine/plan/file/plan_records.h"
#include "engine/target/target.h"

#include <algorithm>
#include <variant>

namespace memplan::io {
namespace {

constexpr JsonCodes kPlanCodes{"IN-008", "MPG-002", "IN-008", "IN-008", "IN-008", "IN-008", "IN-008"};
constexpr std::string_view kFormat = "memplan-plan";
constexpr std::int64_t kVersion = 1;

/// A hint as given and what became of it.
template <class AHint, class Text> struct HintEntry {
    AHint& hint;
    Text& state;
    Text& reason;
};

/// One subject stands as itself, unless it was given as a list.
void scope(auto& file, const Hint& h) {
    h.scopeIsArray || h.scopes.size() != 1 ? file.member("scope", h.scopes) : file.member("scope", h.scopes[0]);
}
void scope(RecordReader& file, Hint& h) {
    const TapeIndex at = file.fields().required(file.at(), "scope");
    h.scopeIsArray = at != 0 && file.fields().tape.type(at) == JsonType::Array;
    h.scopeIsArray ? file.member("scope", h.scopes) : file.member("scope", h.scopes.emplace_back());
}

void hintValue(auto& file, const Hint& h) {
    file.raw("value", h.value.json());
}
void hintValue(RecordReader& file, Hint& h) {
    if (const TapeIndex at = file.fields().required(file.at(), "value"))
        h.value = HintValue(jsonValue(file.fields().tape, at));
}

}  // namespace

template <class AHint, class Text> struct Record<HintEntry<AHint, Text>> {
    static constexpr bool kInline = false;
    static void members(auto& file, auto& entry) {
        file.member("target", entry.hint.target);
        scope(file, entry.hint);
        file.member("key", entry.hint.key);
        hintValue(file, entry.hint);
        file.sparse("enabled", entry.hint.enabled, !entry.hint.enabled);
        file.sparse("comment", entry.hint.comment);
        file.member("state", entry.state);
        file.optional("state_reason", entry.reason);
        others(file, entry);
    }

private:
    /// What a later version or another program wrote into a hint goes on with it.
    static void others(auto& file, const auto& entry) {
        for (const auto& [key, json] : entry.hint.unknown)
            file.raw(key, json);
    }
    static void others(RecordReader& file, const auto& entry) {
        const Hint none;
        eachOther(file, HintEntry<const Hint, Text>{none, entry.state, entry.reason}, [&](TapeIndex at) {
            const Tape& tape = file.fields().tape;
            entry.hint.unknown.emplace_back(tape.key(at), tape.json(at));
        });
    }
};

namespace {

void hints(RecordWriter& file, const Plan& plan) {
    const std::string none;
    const auto at = [&](const std::vector<std::string>& texts, std::size_t i) -> const std::string& {
        return i < texts.size() ? texts[i] : none;
    };
    std::vector<HintEntry<const Hint, const std::string>> entries;
    for (std::size_t i = 0; i < plan.hints.size(); ++i)
        entries.push_back({plan.hints[i], at(plan.hintStates, i), at(plan.hintStateReasons, i)});
    file.member("hints", entries);
}

void hints(RecordReader& file, Plan& plan) {
    PlanFields& f = file.fields();
    f.each(f.array(file.at(), "hints"), [&](TapeIndex at) {
        HintEntry<Hint, std::string> entry{plan.hints.emplace_back(), plan.hintStates.emplace_back(),
                                           plan.hintStateReasons.emplace_back()};
        file.value(at, entry);
    });
}

void settings(RecordWriter& file, const Plan& plan) {
    file.group("settings", [&](RecordWriter& object) {
        for (const SettingInfo& info : allSettings())
            std::visit([&](const auto& value) { object.json().member(info.key, value); },
                       plan.settings.value(info.key));
    });
}

void settings(RecordReader& file, Plan& plan) {
    PlanFields& f = file.fields();
    const TapeIndex object = f.object(file.at(), "settings");
    if (object == 0) return;
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const TapeIndex c : f.tape.children(object)) {
        if (findSetting(f.tape.key(c)) == nullptr) continue;  // written by a later version
        const bool isText = f.tape.type(c) == JsonType::String;
        pairs.emplace_back(f.tape.key(c), isText ? std::string(f.tape.text(c)) : f.tape.json(c));
    }
    auto read = Settings::fromPairs(pairs);
    if (!read) return f.fail(object, read.error().primary().message);
    plan.settings = std::move(read).value();
}

/// Passes that did not run are left out.
void passes(RecordWriter& file, const Plan& plan) {
    file.json().key("passes");
    file.json().beginArray();
    for (const PassRun& run : plan.passes) {
        if (run.ran) file.value(run);
    }
    file.json().endArray();
}

void passes(RecordReader& file, Plan& plan) {
    file.member("passes", plan.passes);
}

/// Only what differs from the machine that everybody has is worth a word.
void machine(RecordWriter& file, const Plan& plan) {
    const Target* target = findTarget(plan.target);
    if (target == nullptr || plan.machine.isBuiltIn()) return;
    file.json().key("x_machine");
    writeMachine(file.json(), plan.machine, target->machineKind());
}

void machine(RecordReader& file, Plan& plan) {
    PlanFields& f = file.fields();
    const TapeIndex at = f.optional(0, "x_machine");
    const Target* target = findTarget(plan.target);
    if (at == 0 || target == nullptr) return;
    auto machine = readMachine(f.tape, at, target->machineKind());
    if (!machine) return f.fail(at, machine.error().primary().message + " (" + machine.error().primary().hint + ")");
    plan.machine = std::move(machine).value();
}

/// Names first, so that ops and buffers may refer to each other.
void nameItems(PlanFields& f) {
    f.nameOps(f.array(0, "ops"), "id");
    f.nameBuffers(f.array(0, "buffers"), "name");
}

/// The file behind its head. `targetData` writes or reads the key of this name: what it holds of kernels is compared
/// with the decisions, which are read first.
template <class File, class F> void body(File& file, auto& plan, F&& targetData) {
    file.member("input", plan.input);
    settings(file, plan);
    hints(file, plan);
    if constexpr (File::kReads) nameItems(file.fields());
    file.member("ops", plan.ops);
    file.member("buffers", plan.buffers);
    file.sparse("memory", plan.memory, isPlacementDecided(plan));
    file.sparse("metrics", plan.metrics, isPlacementDecided(plan));
    passes(file, plan);
    if constexpr (!File::kReads) targetData();
    file.optional("x_solver", plan.solver);
    file.optional("x_stopped_after", plan.stoppedAfter);
    machine(file, plan);
    file.optional("x_input_hash", plan.inputHash);
    file.optional("x_plan_hash", plan.planHash);
    file.optional("x_problems", plan.problems);
    file.optional("x_decisions", plan.decisions);
    if constexpr (File::kReads) targetData();
}

// ---- reading -----------------------------------------------------------------------------------------

const Target* readHead(PlanFields& f, Plan& plan) {
    if (f.tape.type(0) != JsonType::Object) {
        f.fail(0, "a plan is one JSON object");
    } else if (f.text(0, "format") != kFormat) {
        f.fail(f.optional(0, "format"), "the format is not " + text::quoted(kFormat));
    } else if (const std::int64_t version = f.integer(0, "version"); version != kVersion) {
        f.fail(f.optional(0, "version"), "plan version " + text::grouped(version) + ", this program reads version 1");
    }
    if (f.error()) return nullptr;
    plan.target = f.text(0, "target");
    const Target* target = findTarget(plan.target);
    if (target == nullptr) f.fail(f.optional(0, "target"), "unknown target " + text::quoted(plan.target));
    return target;
}

bool listsAllSettings(const PlanFields& f) {
    const TapeIndex settings = f.optional(0, "settings");
    return std::ranges::all_of(allSettings(),
                               [&](const SettingInfo& info) { return f.optional(settings, info.key) != 0; });
}

Result<Plan> planOf(const Tape& tape) {
    PlanFields f(tape);
    Plan plan;
    const Target* target = readHead(f, plan);
    if (f.error()) return *f.error();
    RecordReader file(f, 0);
    body(file, plan, [&] { target->readData(f, f.optional(0, "target_data"), plan); });
    if (f.error()) return *f.error();
    // The hashes of a version with fewer settings cannot be compared with anything.
    if (!listsAllSettings(f)) plan.inputHash = plan.planHash = "";
    deriveUnstated(f, plan);
    target->deriveData(f, plan);
    if (Result<void> read = readExecution(f, plan); !read) return read.error();
    return plan;
}

Result<Tape> planTape(std::string_view bytes) {
    Limits limits;
    limits.jsonBytes = kMostPlanBytes;
    return readTape(bytes, kPlanCodes, limits, RunControl{});
}

// ---- writing -----------------------------------------------------------------------------------------

std::size_t estimate(const Plan& p) {
    constexpr std::size_t kPerOp = 5000, kPerBuffer = 1500, kPerConstant = 21;
    std::size_t constants = 0;  // elements of the graph's values
    if (p.graph) {
        for (const Tensor& t : p.graph->tensors)
            constants += t.value.size();
    }
    return 16'384 + p.ops.size() * kPerOp + p.buffers.size() * kPerBuffer + constants * kPerConstant;
}

}  // namespace

std::string writePlanJson(const Plan& plan, const SideInformation* side) {
    JsonWriter w(estimate(plan));
    RecordWriter file(plan, w);
    w.beginObject();
    file.member("format", kFormat);
    file.member("version", kVersion);
    file.member("target", plan.target);
    body(file, plan, [&] {
        file.group("target_data", [&](RecordWriter& data) {
            if (const Target* target = findTarget(plan.target)) target->writeData(plan, data);
            if (side != nullptr) writeSideInformation(data, *side);
        });
    });
    writeExecution(w, plan);
    w.endObject();
    return w.finish();
}

std::string writePlanJson(const Plan& plan) {
    return writePlanJson(plan, nullptr);
}

Result<Plan> readPlanJson(std::string_view bytes) {
    auto tape = planTape(bytes);
    if (!tape) return std::move(tape).error();
    return planOf(tape.value());
}

Result<Plan> takePlanJson(std::string bytes) {
    auto tape = planTape(bytes);
    std::string().swap(bytes);
    if (!tape) return std::move(tape).error();
    return planOf(tape.value());
}

}  // namespace memplan::io

// SPDX-License-Identifier: Apache-2.0
#include "engine/base/text.h"
#include "engine/io/plan/plan_derived.h"
#include "engine/io/plan/plan_execution.h"
#include "engine/io/plan/plan_items_reader.h"
#include "engine/io/plan/plan_json.h"
#include "engine/json/json_sax.h"
#include "engine/machine/machine_json.h"
#include "engine/plan/file/plan_fields.h"
#include "engine/plan/file/plan_names.h"
#include "engine/plan/search_decision.h"
#include "engine/plan/wordings.h"
#include "engine/target/target.h"

#include <algorithm>
#include <array>
#include <limits>

namespace memplan::io {

namespace {

constexpr JsonCodes kPlanCodes{"IN-008", "MPG-002", "IN-008", "IN-008", "IN-008", "IN-008", "IN-008"};
constexpr std::int64_t kVersion = 1;

class PlanReader {
public:
    explicit PlanReader(const Tape& tape) : f_(tape) {}

    Result<Plan> run() {
        if (!readHead()) return *f_.error();
        readSettings();
        readHints();
        nameItems();
        f_.each(f_.array(0, "ops"), [this](TapeIndex at) { p_.ops.push_back(readPlanOp(f_, at)); });
        f_.each(f_.array(0, "buffers"), [this](TapeIndex at) { p_.buffers.push_back(readPlanBuffer(f_, at)); });
        if (const TapeIndex m = f_.optional(0, "memory")) readMemory(m);
        if (const TapeIndex m = f_.optional(0, "metrics")) readMetrics(m);
        f_.each(f_.array(0, "passes"), [this](TapeIndex at) { p_.passes.push_back(readPass(at)); });
        readExtras();
        target_->readData(f_, f_.optional(0, "target_data"), p_);
        if (f_.error()) return *f_.error();
        deriveUnstated(f_, p_);
        target_->deriveData(f_, p_);
        if (Result<void> read = readExecution(f_, p_); !read) return read.error();
        return std::move(p_);
    }

private:
    bool readHead() {
        if (f_.tape.type(0) != JsonType::Object) {
            f_.fail(0, "a plan is one JSON object");
        } else if (f_.text(0, "format") != "memplan-plan") {
            f_.fail(f_.optional(0, "format"), "the format is not \"memplan-plan\"");
        } else if (const std::int64_t version = f_.integer(0, "version"); version != kVersion) {
            f_.fail(f_.optional(0, "version"),
                    "plan version " + text::grouped(version) + ", this program reads version 1");
        }
        if (f_.error()) return false;
        const std::string target = f_.text(0, "target");
        target_ = findTarget(target);
        if (target_ == nullptr) f_.fail(f_.optional(0, "target"), "unknown target " + text::quoted(target));
        p_.target = target;
        if (const TapeIndex input = f_.object(0, "input")) {
            p_.input = {f_.text(input, "path"), f_.text(input, "format"), f_.text(input, "sha256"),
                        f_.text(input, "name")};
        }
        readMachineOfPlan();
        return !f_.error();
    }

    void readMachineOfPlan() {
        const TapeIndex at = f_.optional(0, "x_machine");
        if (at == 0 || target_ == nullptr) return;
        auto machine = readMachine(f_.tape, at, target_->machineKind());
        if (machine)
            p_.machine = std::move(machine).value();
        else
            f_.fail(at, machine.error().primary().message + " (" + machine.error().primary().hint + ")");
    }

    void readSettings() {
        const TapeIndex settings = f_.object(0, "settings");
        if (settings == 0) return;
        std::vector<std::pair<std::string, std::string>> pairs;
        for (const TapeIndex c : f_.tape.children(settings)) {
            if (findSetting(f_.tape.key(c)) == nullptr) continue;  // written by a later version
            const bool isText = f_.tape.type(c) == JsonType::String;
            pairs.emplace_back(std::string(f_.tape.key(c)), isText ? std::string(f_.tape.text(c)) : f_.tape.json(c));
        }
        auto read = Settings::fromPairs(pairs);
        if (read) {
            p_.settings = std::move(read).value();
        } else {
            f_.fail(settings, read.error().primary().message);
        }
    }

    [[nodiscard]] bool listsAllSettings() const {
        const TapeIndex settings = f_.optional(0, "settings");
        return settings != 0 && std::all_of(allSettings().begin(), allSettings().end(), [&](const SettingInfo& info) {
                   return f_.optional(settings, info.key) != 0;
               });
    }

    void readHints() {
        f_.each(f_.array(0, "hints"), [this](TapeIndex at) {
            Hint h;
            h.target = f_.text(at, "target");
            const TapeIndex scope = f_.required(at, "scope");
            h.scopeIsArray = scope != 0 && f_.tape.type(scope) == JsonType::Array;
            if (h.scopeIsArray) {
                f_.each(scope, [&](TapeIndex s) { h.scopes.emplace_back(f_.tape.text(s)); });
            } else {
                h.scopes = {f_.text(at, "scope")};
            }
            h.key = f_.text(at, "key");
            if (const TapeIndex value = f_.required(at, "value")) h.value = HintValue(jsonValue(f_.tape, value));
            h.enabled = f_.boolean(at, "enabled", true);
            h.comment = f_.text(at, "comment", "");
            keepUnknown(at, h);
            p_.hintStates.push_back(f_.text(at, "state"));
            p_.hintStateReasons.push_back(f_.text(at, "state_reason", ""));
            p_.hints.push_back(std::move(h));
        });
    }

    /// What a later version or another program wrote into a hint goes on with it.
    void keepUnknown(TapeIndex at, Hint& hint) const {
        static constexpr std::array<std::string_view, 8> kKnown{"target",  "scope",   "key",   "value",
                                                                "enabled", "comment", "state", "state_reason"};
        if (f_.tape.type(at) != JsonType::Object) return;
        for (const TapeIndex member : f_.tape.children(at)) {
            const std::string_view key = f_.tape.key(member);
            if (std::find(kKnown.begin(), kKnown.end(), key) != kKnown.end()) continue;
            hint.unknown.emplace_back(key, f_.tape.json(member));
        }
    }

    /// Names first, so that ops and buffers may refer to each other.
    void nameItems() {
        f_.nameOps(f_.array(0, "ops"), "id");
        f_.nameBuffers(f_.array(0, "buffers"), "name");
    }

    void readMemory(TapeIndex at) {
        PlanMemory& m = p_.memory;
        m.capacity = f_.atLeast(at, "capacity", 0);
        m.alignment = f_.atLeast(at, "alignment", 1);
        m.peak = f_.integer(at, "peak");
        m.livePeak = f_.integer(at, "live_peak");
        f_.each(f_.array(at, "occupancy"), [&](TapeIndex o) {
            m.occupancy.push_back({f_.step(o, "t"), f_.integer(o, "bytes")});
        });
        m.physical = f_.integer(at, "x_physical", m.capacity);
        m.livePeakStep = static_cast<Step>(f_.integer(at, "x_live_peak_step", 0));
        if (f_.optional(at, "x_bound_per_step") != 0) m.boundPerStep = f_.integers(at, "x_bound_per_step");
    }

    void readMetrics(TapeIndex at) {
        PlanMetrics& m = p_.metrics;
        m.mainMemoryReadBytes = f_.integer(at, "main_memory_read_bytes");
        m.mainMemoryWriteBytes = f_.integer(at, "main_memory_write_bytes");
        m.pinnedBytes = f_.integer(at, "pinned_bytes");
        m.upperBoundBytes = f_.integer(at, "upper_bound_bytes");
        m.coreUtilisation = f_.number(at, "core_utilisation", 0);
        if (f_.optional(at, "estimated_microseconds") != 0)
            m.estimatedMicroseconds = f_.number(at, "estimated_microseconds", 0);
        m.mainMemoryElements = f_.integer(at, "main_memory_elements", 0);
        m.unpinnedBytes = f_.integer(at, "unpinned_bytes", 0);
        m.provedOptimal = f_.boolean(at, "proved_optimal", false);
        m.peakLowerBound = f_.integer(at, "peak_lower_bound", 0);
        m.spillLowerBound = f_.integer(at, "spill_lower_bound", 0);
        m.buffersOnChip = static_cast<int>(f_.integer(at, "buffers_on_chip", 0));
        m.buffersTotal = static_cast<int>(f_.integer(at, "buffers_total", 0));
        m.fragmentationMax = f_.number(at, "fragmentation_max", 0);
        m.opsBelowHalf = static_cast<int>(f_.integer(at, "ops_below_half", 0));
        m.opsOverSpan = static_cast<int>(f_.integer(at, "ops_over_span", 0));
        m.mismatches = static_cast<int>(f_.integer(at, "mismatches", 0));
        m.restickifyShare = f_.number(at, "restickify_share", 0);
        m.paddingShare = f_.number(at, "padding_share", 0);
    }

    Diagnostic readDiagnostic(TapeIndex at) {
        Diagnostic d;
        const auto severity = severityFromName(f_.text(at, "severity"));
        if (!severity) f_.fail(at, "severity is error, warning or note");
        d.severity = severity.value_or(Severity::Note);
        d.code = f_.text(at, "code");
        d.where = f_.text(at, "where", "");
        d.message = f_.text(at, "message");
        d.hint = f_.text(at, "hint", "");
        d.pass = f_.text(at, "x_pass", "");
        d.ops = f_.opPositions(at, "x_ops");
        d.buffers = f_.bufferPositions(at, "x_buffers");
        return d;
    }

    PassRun readPass(TapeIndex at) {
        PassRun r;
        r.name = f_.text(at, "name");
        r.seconds = f_.number(at, "seconds", 0);
        r.changed = f_.boolean(at, "changed", false);
        f_.each(f_.optional(at, "diagnostics"), [&](TapeIndex d) { r.diagnostics.push_back(readDiagnostic(d)); });
        r.title = f_.text(at, "x_title", "");
        r.mandatory = f_.boolean(at, "x_mandatory", true);
        r.parent = f_.text(at, "x_parent", "");
        if (const TapeIndex counts = f_.optional(at, "x_counts");
            counts != 0 && f_.tape.type(counts) == JsonType::Object) {
            for (const TapeIndex c : f_.tape.children(counts))
                r.counts.emplace(std::string(f_.tape.key(c)), f_.integerAt(c));
        }
        return r;
    }

    void readExtras() {
        p_.solver = f_.text(0, "x_solver", "");
        p_.stoppedAfter = f_.text(0, "x_stopped_after", "");
        p_.inputHash = f_.text(0, "x_input_hash", "");
        p_.planHash = f_.text(0, "x_plan_hash", "");
        // The hashes of a version with fewer settings cannot be compared with anything.
        if (!listsAllSettings()) p_.inputHash = p_.planHash = "";
        f_.each(f_.optional(0, "x_problems"), [this](TapeIndex at) { p_.problems.push_back(readDiagnostic(at)); });
        f_.each(f_.optional(0, "x_decisions"), [this](TapeIndex at) {
            Decision d;
            d.pass = f_.text(at, "pass", "");
            d.op = f_.op(at, "op");
            d.buffer = f_.buffer(at, "buffer");
            setKind(d, f_.text(at, "kind", ""));
            d.chosen = recorded(f_.text(at, "chosen", ""));
            d.why = recorded(f_.text(at, "why", ""));
            f_.each(f_.optional(at, "alternatives"), [&](TapeIndex pair) {
                if (f_.tape.type(pair) != JsonType::Array || f_.tape.count(pair) != 2) return;
                const TapeIndex what = *f_.tape.children(pair).begin();
                // JSON has no infinity: null is the score of what was not possible.
                const TapeIndex score = f_.tape.at(what).next;
                const bool isPossible = f_.tape.type(score) != JsonType::Null;
                d.alternatives.push_back(
                    {recorded(std::string(f_.tape.text(what))),
                     isPossible ? f_.tape.number(score) : std::numeric_limits<double>::infinity()});
            });
            if (d.kind == DecisionKind::Search) restoreSearchFacts(d);
            p_.decisions.push_back(std::move(d));
        });
    }

    PlanFields f_;
    Plan p_;
    const Target* target_ = nullptr;
};

Result<Tape> planTape(std::string_view bytes) {
    Limits limits;
    limits.jsonBytes = kMostPlanBytes;
    return readTape(bytes, kPlanCodes, limits, RunControl{});
}

}  // namespace

Result<Plan> readPlanJson(std::string_view bytes) {
    auto tape = planTape(bytes);
    if (!tape) return std::move(tape).error();
    return PlanReader(tape.value()).run();
}

Result<Plan> takePlanJson(std::string bytes) {
    auto tape = planTape(bytes);
    std::string().swap(bytes);
    if (!tape) return std::move(tape).error();
    return PlanReader(tape.value()).run();
}

}  // namespace memplan::io

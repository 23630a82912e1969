// SPDX-License-Identifier: Apache-2.0
#include "engine/base/text.h"
#include "engine/io/plan/plan_derived.h"
#include "engine/io/plan/plan_execution.h"
#include "engine/io/plan/plan_json.h"
#include "engine/json/json_sax.h"
#include "engine/machine/machine_json.h"
#include "engine/plan/file/plan_records.h"
#include "engine/target/target.h"

#include <algorithm>
#include <array>

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
        // Names first, so that ops and buffers may refer to each other.
        f_.nameOps(f_.array(0, "ops"), "id");
        f_.nameBuffers(f_.array(0, "buffers"), "name");
        file_.member("ops", p_.ops);
        file_.member("buffers", p_.buffers);
        file_.optional("memory", p_.memory);
        file_.optional("metrics", p_.metrics);
        file_.member("passes", p_.passes);
        planOutcome(file_, p_);
        planFacts(file_, p_);
        // The hashes of a version with fewer settings cannot be compared with anything.
        if (!listsAllSettings()) p_.inputHash = p_.planHash = "";
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
        file_.member("input", p_.input);
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
            RecordReader hint(f_, at);
            hint.member("target", h.target);
            const TapeIndex scope = f_.required(at, "scope");
            h.scopeIsArray = scope != 0 && f_.tape.type(scope) == JsonType::Array;
            if (h.scopeIsArray) {
                hint.value(scope, h.scopes);
            } else {
                h.scopes = {f_.text(at, "scope")};
            }
            hint.member("key", h.key);
            if (const TapeIndex value = f_.required(at, "value")) h.value = HintValue(jsonValue(f_.tape, value));
            hint.optional("enabled", h.enabled);
            hint.optional("comment", h.comment);
            keepUnknown(at, h);
            hint.member("state", p_.hintStates.emplace_back());
            hint.optional("state_reason", p_.hintStateReasons.emplace_back());
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

    PlanFields f_;
    RecordReader file_{f_, 0};
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

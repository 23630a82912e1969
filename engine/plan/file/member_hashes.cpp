// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/file/member_hashes.h"

#include "engine/plan/file/plan_records.h"

#include <algorithm>

namespace memplan::io {
namespace {

using Texts = std::vector<std::string>;

Texts settingTexts(const Settings& settings) {
    Texts texts;
    for (const SettingInfo& s : allSettings()) {
        if (s.key == "engine.threads") continue;
        texts.emplace_back(s.key);
        texts.push_back(settings.textOf(s.key));
    }
    return texts;
}

/// The hints, then what became of each and why.
std::vector<Texts> hintTexts(const Plan& plan) {
    std::vector<Texts> texts;
    for (const Hint& h : plan.hints) {
        Texts& hint = texts.emplace_back(h.scopes);
        hint.insert(hint.end(), {h.target, h.key, h.value.json(), h.enabled ? "enabled" : "", h.comment});
    }
    texts.insert(texts.end(), {plan.hintStates, plan.hintStateReasons});
    return texts;
}

/// Those that stand in a file.
std::vector<PassRun> passesThatRan(const Plan& plan) {
    std::vector<PassRun> passes;
    for (const PassRun& run : plan.passes) {
        if (run.ran) passes.emplace_back(run).seconds = 0;
    }
    return passes;
}

PlanMetrics withSortedFigures(PlanMetrics metrics) {
    std::ranges::sort(metrics.own);
    return metrics;
}

}  // namespace

void hashParts(const Plan& plan, MemberHashes& file) {
    file.member("input", plan.input);
    file.member("settings", settingTexts(plan.settings));
    file.member("hints", hintTexts(plan));
    file.member("ops", plan.ops);
    file.member("buffers", plan.buffers);
    file.member("memory", plan.memory);
    file.member("metrics", withSortedFigures(plan.metrics));
    file.member("passes", passesThatRan(plan));
    file.member("x_solver", plan.solver);
    file.member("x_stopped_after", plan.stoppedAfter);
    file.member("x_machine", machineKey(plan.machine));
    file.member("x_input_hash", plan.inputHash);
    file.member("x_plan_hash", plan.planHash);
    file.member("x_problems", plan.problems);
    file.member("x_decisions", plan.decisions);
}

}  // namespace memplan::io

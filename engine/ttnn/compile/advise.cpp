// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/compile/advise.h"

#include "engine/ttnn/advice/findings.h"
#include "engine/ttnn/advice/trials.h"

#include <algorithm>
#include <utility>

namespace memplan::ttnn {
namespace {

/// Ids of the graph that hints name the operations of the lowered function by.
std::vector<std::string> hintIds(const State& state) {
    std::vector<std::string> ids(state.input().operations.size());
    const Graph* graph = state.request->graph.get();
    for (std::size_t i = 0; graph != nullptr && i < ids.size() && i < state.sources.size(); ++i)
        if (!state.sources[i].empty()) ids[i] = graph->ops[state.sources[i].front().at()].id;
    return ids;
}

/// Figures that plans are compared by; the plan has the others.
TtnnGoals goalsOf(const Measures& measures) {
    TtnnGoals goals;
    goals.estimatedNs = measures.totalNs();
    goals.shardedOps = measures.shardedOps;
    goals.dramBytes = measures.dramRead + measures.dramWritten;
    return goals;
}

/// What was compiled for a finding, best first, and what was not.
std::string triedWords(const Advice& advice, std::size_t finding, const TrialReport* report) {
    std::string words;
    const auto add = [&](const std::string& one) { words += (words.empty() ? "" : "; ") + one; };
    if (report != nullptr)
        for (const Trial& trial : report->trials)
            if (std::ranges::find(trial.findings, finding) != trial.findings.end())
                add(trialWords(trial, report->before));
    if (!words.empty()) return words;
    for (const Proposal& proposal : advice.findings[finding].proposals)
        add(proposal.change.text);
    return words.empty() ? words : "not tried: " + words;
}

void report(const State& state, const Advice& advice, const TrialReport* trials, PassContext& context) {
    const std::vector<std::string> names = operationNames(state.current());
    for (const std::size_t i : findingOrder(advice, trials)) {
        const Finding& finding = advice.findings[i];
        Diagnostic d = diagnosticOf(finding, "op " + names[state.current().order[finding.ops.front().at()].at()]);
        const std::string tried = triedWords(advice, i, trials);
        if (!tried.empty()) d.hint += (d.hint.empty() ? "" : " (") + tried + (d.hint.empty() ? "" : ")");
        context.report(std::move(d));
    }
}

}  // namespace

Result<void> advise(State& state, const PolicyInput& input, PassContext& context) {
    const bool isWanted =
        context.settings.boolean("ttnn.advice") && state.options.enableOptimizer && state.options.memoryLayoutAnalysis;
    if (!isWanted) return {};
    const Situation situation{input,
                              state.solution,
                              *state.transformed,
                              *state.measures,
                              operationNames(state.current()),
                              hintIds(state),
                              context.hints,
                              context.settings.text("ttnn.override_output_layout")};
    auto advice = std::make_shared<const Advice>(adviceFor(situation));
    state.advice = advice;
    const auto limit = static_cast<int>(context.settings.integer("ttnn.advice_trials"));
    const Target* target = limit > 0 ? findTarget("ttnn") : nullptr;
    if (target == nullptr) {
        report(state, *advice, nullptr, context);
        return {};
    }
    auto trials = tryAdvice({*target, *state.request, *advice, goalsOf(*state.measures), {}}, limit, context.control);
    if (!trials) return std::move(trials).error();
    report(state, *advice, &trials.value(), context);
    return {};
}

}  // namespace memplan::ttnn

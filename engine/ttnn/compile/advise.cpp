// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/compile/advise.h"

#include "engine/base/text.h"
#include "engine/ttnn/advice/finders/findings.h"
#include "engine/ttnn/advice/trials.h"

#include <algorithm>
#include <optional>
#include <set>
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

/// Says findings with what was tried for them; a trial that several share is described in full once.
class Reporter {
public:
    Reporter(const State& state, const Advice& advice, const TrialReport* trials, PassContext& context)
        : state_(state), advice_(advice), trials_(trials), context_(context), names_(operationNames(state.current())) {}

    void run() {
        for (const std::size_t i : findingOrder(advice_, trials_)) {
            const Finding& finding = advice_.findings[i];
            const OperationId op = state_.current().order[finding.ops.front().at()];
            Diagnostic d = diagnosticOf(finding, "op " + names_[op.at()]);
            const std::string tried = triedWords(i);
            if (!tried.empty()) d.hint = d.hint.empty() ? tried : d.hint + " (" + tried + ")";
            context_.report(std::move(d));
        }
    }

    /// Proposals for a failed chain that stand in no finding.
    [[nodiscard]] std::vector<std::string> suggestions(const ChainProposals& chain) const {
        std::vector<std::string> words;
        for (const Proposal& proposal : chain.proposals) {
            const bool isFound = std::ranges::any_of(advice_.findings, [&](const Finding& finding) {
                return std::ranges::find(finding.proposals, proposal) != finding.proposals.end();
            });
            if (isFound) continue;
            const Trial* trial = trials_ != nullptr ? trials_->find(proposal) : nullptr;
            words.push_back(trial != nullptr ? trialWords(*trial, trials_->before)
                                             : proposal.change.text + " (not tried)");
        }
        return words;
    }

private:
    /// What was compiled for a finding, best first, else what may be.
    std::string triedWords(std::size_t finding) {
        std::vector<std::string> words;
        for (std::size_t t = 0; trials_ != nullptr && t < trials_->trials.size(); ++t) {
            const Trial& trial = trials_->trials[t];
            if (std::ranges::find(trial.findings, finding) == trial.findings.end()) continue;
            words.push_back(reported_.insert(t).second ? trialWords(trial, trials_->before)
                                                       : trial.proposal.change.text + ": as above");
        }
        if (!words.empty()) return text::join(words, "; ");
        for (const Proposal& proposal : advice_.findings[finding].proposals)
            words.push_back(proposal.change.text);
        return words.empty() ? std::string() : "not tried: " + text::join(words, "; ");
    }

    const State& state_;
    const Advice& advice_;
    const TrialReport* trials_;
    PassContext& context_;
    std::vector<std::string> names_;
    std::set<std::size_t> reported_;
};

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
    std::optional<TrialReport> trials;
    if (target != nullptr) {
        auto tried =
            tryAdvice({*target, *state.request, *advice, goalsOf(*state.measures), {}}, limit, context.control);
        if (!tried) return std::move(tried).error();
        trials = std::move(tried).value();
    }
    Reporter reporter(state, *advice, trials ? &*trials : nullptr, context);
    reporter.run();
    for (const ChainProposals& chain : advice->chains)
        state.solution.record.chains[static_cast<std::size_t>(chain.chain)].suggestions = reporter.suggestions(chain);
    return {};
}

}  // namespace memplan::ttnn

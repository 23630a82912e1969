// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/compile/advice.h"

#include "engine/torchwright/advice/advise.h"
#include "engine/torchwright/compile/advice_text.h"
#include "engine/torchwright/compile/hints.h"
#include "engine/torchwright/compile/improved.h"
#include "engine/torchwright/compile/options.h"
#include "engine/torchwright/texts/advice.h"

#include <algorithm>
#include <utility>

namespace memplan::torchwright {
namespace {

constexpr std::size_t kMostSubjects = 32;  ///< of one diagnostic

AdviceQuestion questionOf(const State& state, const PassContext& context) {
    const Settings& s = context.settings;
    AdviceQuestion question{state.scheduled, *state.schedule, fusionRule(state, context), {}, {}, {}, {}, 0, {}};
    question.plateaus = plateauRuleOf(s);
    question.clusters = clusterRuleOf(state.options);
    question.scopes = state.scopes;
    question.unscoped = state.unscoped;
    question.seed = static_cast<std::uint64_t>(s.integer("engine.seed"));
    if (s.integer("torchwright.optimize") > 0) {
        question.scheduler = [&s](const NodeGraph& graph, const ScheduleOptions& options, const RunControl& control) {
            return searchedSchedule(graph, options, s, control).schedule;
        };
    }
    return question;
}

/// By node: the operation that computes it, a chain's for all its members.
std::vector<OpId> opsByNode(const State& state) {
    std::vector<OpId> ops(state.scheduled->size());
    for (std::size_t i = 0; i < state.ops.size(); ++i) {
        const PlannedOp& op = state.ops[i];
        if (!op.node.isValid() || (op.mlp != nullptr && op.mlp->kind == MlpKind::Bias)) continue;
        ops[op.node.at()] = OpId::of(i);
        if (op.mlp == nullptr) continue;
        for (const NodeId member : chainMembers(*state.scheduled, *op.mlp))
            ops[member.at()] = OpId::of(i);
    }
    return ops;
}

std::string placeOf(const NodeGraph& graph, const Finding& finding) {
    return finding.nodes.empty() ? "graph" : "node " + graph.label(finding.nodes.front());
}

void addSubjects(const Finding& finding, const std::vector<OpId>& ops, Diagnostic& d) {
    for (const NodeId id : finding.nodes) {
        if (d.buffers.size() == kMostSubjects) return;
        d.buffers.push_back(BufferId::of(id.at()));
        const OpId op = ops[id.at()];
        if (op.isValid() && std::ranges::find(d.ops, op) == d.ops.end()) d.ops.push_back(op);
    }
}

Diagnostic noteOf(int code, std::string where, const Statement& what) {
    Diagnostic d;
    d.severity = Severity::Note;
    d.code = codeText(code);
    d.where = std::move(where);
    d.message = sentence(what);
    return d;
}

Diagnostic diagnosticOf(const NodeGraph& graph, const std::vector<OpId>& ops, const Finding& finding) {
    Diagnostic d = noteOf(finding.code, placeOf(graph, finding), {});
    d.severity = finding.severity;
    d.message = findingText(finding) + "; " + sentence(finding.why);
    if (const std::string tried = trialText(finding); !tried.empty()) d.message += " (" + tried + ")";
    d.hint = sentence(finding.instead);
    addSubjects(finding, ops, d);
    return d;
}

/// What was tried without gain is no problem of the plan; its trace keeps it for those who ask.
Decision triedInVain(const std::vector<OpId>& ops, const Finding& finding) {
    Decision d;
    d.otherKind = kAdviceDecision;
    if (!finding.nodes.empty()) {
        d.op = ops[finding.nodes.front().at()];
        d.buffer = BufferId::of(finding.nodes.front().at());
    }
    std::string what = findingText(finding);
    d.chosen = {say::kAdviceTried, codeText(finding.code), std::move(what)};
    d.why = {say::kAdviceOutcome, trialText(finding)};
    return d;
}

Diagnostic skippedNote(const AdviceReport& report) {
    std::vector<std::string> codes;
    for (const int code : report.skipped)
        codes.push_back(codeText(code));
    Diagnostic d = noteOf(100, "graph", {say::kNoTensors, std::move(codes)});
    d.hint = sentence({say::kNoTensorsInstead});
    return d;
}

}  // namespace

void giveAdvice(State& state, PassContext& context) {
    const auto trials = static_cast<int>(context.settings.integer("torchwright.advice_trials"));
    auto report = std::make_shared<AdviceReport>(advise(questionOf(state, context), trials, context.control));
    const std::vector<OpId> ops = opsByNode(state);
    if (!report->skipped.empty()) context.report(skippedNote(*report));
    for (const Finding& finding : report->findings) {
        if (finding.trial.outcome == TrialOutcome::NoGain)
            context.decide(triedInVain(ops, finding));
        else
            context.report(diagnosticOf(*report->graph, ops, finding));
    }
    for (const auto& [code, count] : report->left)
        context.report(noteOf(code, "graph", {say::kAndMore, count}));
    state.report.advice = std::move(report);
}

}  // namespace memplan::torchwright

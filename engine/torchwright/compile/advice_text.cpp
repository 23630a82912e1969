// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/compile/advice_text.h"

#include "engine/torchwright/texts/advice.h"

namespace memplan::torchwright {
namespace {

std::string numbersText(const NodeGraph& graph, const std::vector<NodeId>& ids) {
    std::string list = "[";
    for (const NodeId id : ids)
        list += (list.size() > 1 ? "," : "") + std::to_string(graph.at(id).number);
    return list + "]";
}

Hint laterHint(const NodeGraph& graph, NodeId node, int layer) {
    Hint hint;
    hint.target = "torchwright";
    hint.scopes = {"op:" + std::to_string(graph.at(node).number)};
    hint.key = "layer_min";
    hint.value = HintValue(HintValue::Payload(std::int64_t{layer}));
    return hint;
}

Hint concurrencyHint(const NodeGraph& graph, const Finding& finding) {
    std::vector<NodeId> terminals;
    std::string members;
    for (const ClusterChain& chain : finding.proposal.chains) {
        terminals.push_back(chain.terminal);
        members += (members.empty() ? "" : ",") + numbersText(graph, chain.nodes);
    }
    Hint hint;
    hint.target = "torchwright";
    hint.scopes = {"graph"};
    hint.key = "concurrency";
    hint.value = HintValue::parse("{\"k\":" + std::to_string(finding.trial.k) +
                                  ",\"terminals\":" + numbersText(graph, terminals) + ",\"members\":[" + members + "]}")
                     .value_or(HintValue());
    return hint;
}

}  // namespace

std::string findingText(const Finding& finding) {
    std::string what = sentence(finding.what);
    return finding.places > 1 ? sentence({say::kTimes, finding.places, std::move(what)}) : what;
}

std::string trialText(const Finding& finding) {
    const Trial& t = finding.trial;
    if (t.outcome == TrialOutcome::NotTried)
        return finding.paramsSaved > 0 ? sentence({say::kPredicted, finding.paramsSaved}) : std::string();
    if (t.after.result != ScheduleResult::Ok) return sentence({say::kFailed, resultName(t.after.result)});
    return sentence({t.outcome == TrialOutcome::Better ? say::kGained : say::kNotGained, t.before.layers,
                     t.after.layers, t.before.allocated, t.after.allocated});
}

AdviceChange changeOf(const AdviceReport& report, const Finding& finding) {
    AdviceChange change;
    change.setting = finding.proposal.setting;
    if (!finding.proposal.chains.empty() && finding.trial.k > 0) change.hint = concurrencyHint(*report.graph, finding);
    if (finding.startLater)
        change.hint = laterHint(*report.graph, finding.startLater->first, finding.startLater->second);
    return change;
}

}  // namespace memplan::torchwright

// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/advice/trials.h"

#include "engine/base/text.h"
#include "engine/torchwright/analysis/chains.h"
#include "engine/torchwright/eval/evaluate.h"
#include "engine/torchwright/report/tiers.h"
#include "engine/torchwright/scheduler/scheduler.h"
#include "engine/torchwright/scope/in_flight.h"
#include "engine/torchwright/texts/advice.h"
#include "engine/torchwright/trial/k_search.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace memplan::torchwright {
namespace {

constexpr std::size_t kPositions = 8;
constexpr int kMostShortSearch = 6;  ///< compiles of one short search
constexpr double kTolerance = 1e-4;  ///< of max(1, |value|)

/// Values by node of one graph for the same nodes of another one.
std::vector<int> carried(const NodeGraph& from, const std::vector<int>& values, const NodeGraph& to) {
    std::vector<int> out(values.empty() ? 0 : to.size(), 0);
    for (std::size_t i = 0; i < out.size(); ++i) {
        const NodeId id = from.find(to.nodes[i].number);
        if (id.isValid()) out[i] = values[id.at()];
    }
    return out;
}

ScheduleOptions carried(const NodeGraph& from, const ScheduleOptions& options, const NodeGraph& to) {
    ScheduleOptions out = options;
    out.layerMin = carried(from, options.layerMin, to);
    out.priority = carried(from, options.priority, to);
    return out;
}

bool isClose(const Rows& a, const Rows& b) {
    if (a.positions != b.positions || a.width != b.width) return false;
    for (std::size_t i = 0; i < a.values.size(); ++i)
        if (!(std::abs(a.values[i] - b.values[i]) <= kTolerance * std::max(1.0, std::abs(a.values[i])))) return false;
    return true;
}

}  // namespace

bool PlanFigures::isBetterThan(const PlanFigures& other) const {
    if (result != ScheduleResult::Ok) return false;
    return std::tie(layers, allocated) < std::tie(other.layers, other.allocated);
}

PlanFigures figuresOf(const NodeGraph& graph, const Schedule& schedule) {
    PlanFigures figures;
    figures.result = schedule.result;
    figures.layers = schedule.layerCount();
    figures.heads = schedule.headsTotal;
    figures.slotCount = schedule.slotsTotal;
    figures.peakColumns = schedule.peakOccupied;
    figures.allocated = tiersOf(graph, schedule).allocated;
    return figures;
}

Trials::Trials(const AdviceQuestion& question, int budget, const RunControl& control)
    : question_(question), budget_(budget), control_(control),
      before_(torchwright::figuresOf(*question.graph, question.schedule)) {}

Schedule Trials::compile(const NodeGraph& graph, const ScheduleOptions& options) {
    ++spent_;
    return question_.scheduler ? question_.scheduler(graph, options, control_)
                               : scheduleLayers(graph, options, control_);
}

const Schedule* Trials::withoutScopes() {
    if (!question_.unscoped) return &question_.schedule;
    if (!withoutScopes_ && !isOver()) {
        withoutScopes_ = compile(*question_.unscoped, question_.schedule.options);
        if (control_.shouldStop()) withoutScopes_.reset();
    }
    return withoutScopes_ ? &*withoutScopes_ : nullptr;
}

bool Trials::run(Finding& finding) {
    if (finding.proposal.isEmpty() || isOver()) return true;
    if (!finding.proposal.rewrites.empty()) return runRewrite(finding);
    if (!finding.proposal.setting.first.empty())
        runSetting(finding);
    else
        searchK(finding);
    return true;
}

void Trials::conclude(Finding& finding, const PlanFigures& after) const {
    if (control_.shouldStop()) return;  // a schedule that was stopped says nothing
    finding.trial.before = before_;
    finding.trial.after = after;
    finding.trial.outcome = after.isBetterThan(before_) ? TrialOutcome::Better : TrialOutcome::NoGain;
}

bool Trials::runRewrite(Finding& finding) {
    GraphEdit edit(*question_.graph);
    for (const Rewrite& rewrite : finding.proposal.rewrites)
        rewrite(edit);
    auto rewritten = std::make_shared<const NodeGraph>(edit.finish());
    const std::optional<bool> same = givesSameValues(*rewritten);
    if (same && !*same) return false;
    const ScheduleOptions options = carried(*question_.graph, question_.schedule.options, *rewritten);
    const Schedule schedule = compile(*rewritten, options);
    conclude(finding, torchwright::figuresOf(*rewritten, schedule));
    finding.trial.areValuesCompared = same.has_value();
    finding.trial.rewritten = std::move(rewritten);
    return true;
}

void Trials::runSetting(Finding& finding) {
    const auto& [key, value] = finding.proposal.setting;
    ScheduleOptions options = question_.schedule.options;
    if (key == "torchwright.fuse") {
        FusionRule rule = question_.fusion;
        rule.fuseAll = true;
        const NodeGraph fused = fuseLinears(*question_.graph, rule).graph;
        return conclude(finding,
                        torchwright::figuresOf(fused, compile(fused, carried(*question_.graph, options, fused))));
    }
    if (key == "torchwright.local_in_attention") options.localInAttention = LocalRouting::Never;
    if (key == "torchwright.d_head")
        options.dHead = static_cast<Columns>(text::parseInt(value).value_or(options.dHead));
    conclude(finding, torchwright::figuresOf(*question_.graph, compile(*question_.graph, options)));
}

void Trials::searchK(Finding& finding) {
    const Schedule* without = withoutScopes();
    if (without == nullptr || budget_ - spent_ < kMostShortSearch) return;
    const NodeGraph& graph = question_.unscoped ? *question_.unscoped : *question_.graph;
    Cluster cluster;
    cluster.chains = finding.proposal.chains;
    const KSearch search = shortSearch({graph, cluster, without->options}, *without, control_);
    spent_ += static_cast<int>(search.tried.size());
    const KOutcome* best = bestOf(search.tried);
    if (best == nullptr && !search.tried.empty()) best = &search.tried.front();
    if (best == nullptr) return;
    conclude(finding, figuresOf(*best));
    finding.trial.k = best->k;
    if (finding.trial.outcome == TrialOutcome::Better) finding.instead = {say::kPlateauOneTried, best->k, best->layers};
}

PlanFigures Trials::figuresOf(const KOutcome& outcome) const {
    const ScheduleOptions& o = question_.schedule.options;
    PlanFigures out{outcome.result, outcome.layers, outcome.headsTotal, outcome.slotsTotal, outcome.peakOccupied, 0};
    // What a schedule allocates beside heads and slots, the entries of biases, is the same for every K.
    out.allocated = before_.allocated + (out.heads - before_.heads) * o.headParams() +
                    (out.slotCount - before_.slotCount) * o.slotParams();
    return out;
}

std::optional<bool> Trials::givesSameValues(const NodeGraph& rewritten) {
    const NodeGraph& graph = *question_.graph;
    if (!graph.hasTensors) return std::nullopt;
    const GraphInputs inputs = sampleInputs(graph, kPositions, question_.seed);
    if (!isEvaluated_) {
        isEvaluated_ = true;
        if (const auto values = evaluateNodes(graph, inputs, control_))
            for (const NodeId output : graph.outputs())
                expected_.push_back(values.value()[output.at()]);
    }
    if (expected_.empty()) return std::nullopt;
    const auto values = evaluateNodes(rewritten, inputs, control_);
    if (!values) return std::nullopt;
    const std::vector<NodeId> outputs = rewritten.outputs();
    for (std::size_t i = 0; i < expected_.size(); ++i)
        if (!isClose(expected_[i], values.value()[outputs[i].at()])) return false;
    return true;
}

}  // namespace memplan::torchwright

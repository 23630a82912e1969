// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/compile/improved.h"

#include "engine/plan/search_decision.h"
#include "engine/torchwright/compile/options.h"
#include "engine/torchwright/texts/reasons.h"

#include <utility>

namespace memplan::torchwright {
namespace {

constexpr std::string_view kBoundsKind = "layer_bounds", kScopeKind = "automatic_k";

Decision boundsDecision(const BetterSchedule& better) {
    const LayerBounds& bounds = *better.bounds;
    Decision d;
    d.otherKind = kBoundsKind;
    d.chosen = {say::kLayersAtLeast, bounds.best(), std::string(bounds.strongest())};
    const auto add = [&](const Wording& label, int layers) {
        d.alternatives.push_back({label, static_cast<double>(layers)});
    };
    add(say::kBoundOfOrder, bounds.ofOrder), add(say::kBoundOfSlots, bounds.ofSlots);
    add(say::kBoundOfHeads, bounds.ofHeads), add(say::kBoundOfColumns, bounds.ofColumns);
    if (bounds.ofProof > 0) add(say::kBoundOfProof, bounds.ofProof);
    const int layers = better.schedule.layerCount();
    if (!better.schedule.ok()) {
        d.why = better.isRuledOut() ? Statement(say::kNoneExists, better.schedule.options.maxLayers)
                                    : Statement(say::kNothingFound);
    } else if (better.heuristicLayers == 0) {
        d.why = {better.isProved() ? say::kFoundAloneProved : say::kFoundAlone, layers};
    } else {
        d.why = {better.isProved() ? say::kFoundProved : say::kFound, layers, better.heuristicLayers};
    }
    return d;
}

Decision scopeDecision(const NodeGraph& graph, const BetterSchedule& better, const ChosenScope& scope) {
    Decision d;
    d.otherKind = kScopeKind;
    d.chosen = {say::kScope, scope.k, static_cast<std::int64_t>(scope.cluster.chains.size()),
                graph.at(scope.cluster.join).number};
    d.why = {say::kScopedLayers, better.scopedLayers, better.compiles};
    return d;
}

}  // namespace

BetterSchedule searchedSchedule(const NodeGraph& graph, const ScheduleOptions& options, const Settings& s,
                                const RunControl& control) {
    const SearchEffort effort = effortOf(static_cast<int>(s.integer("torchwright.optimize")),
                                         static_cast<std::uint64_t>(s.integer("engine.seed")));
    return betterSchedule(graph, options, effort, plateauRuleOf(s), solve::withTimeLimit(control, s));
}

Schedule improvedSchedule(const State& state, PassContext& context) {
    BetterSchedule better = searchedSchedule(*state.scheduled, state.options, context.settings, context.control);
    if (better.bounds) {
        Decision bounds = boundsDecision(better);
        if (!better.schedule.ok()) better.schedule.error += "; " + sentence(bounds.why);
        context.decide(std::move(bounds));
    }
    for (const ChosenScope& scope : better.scopes)
        context.decide(scopeDecision(*state.scheduled, better, scope));
    if (better.trace) context.decide(searchDecision(*better.trace));
    return std::move(better.schedule);
}

std::optional<StatisticsTable> improvementTable(const Plan& plan) {
    StatisticsTable table{"against the heuristic", {}};
    for (const Decision& d : plan.decisions) {
        const std::string_view kind = kindName(d);
        if (kind == kBoundsKind) {
            table.rows.emplace_back("layers", sentence(d.why));
            std::string each;
            for (const Alternative& a : d.alternatives)
                each +=
                    (each.empty() ? ": " : ", ") + sentence(a.label) + " " + std::to_string(static_cast<int>(a.score));
            table.rows.emplace_back("strongest bound", sentence(d.chosen) + each);
        }
        if (kind == kScopeKind) table.rows.emplace_back("automatic K", sentence(d.chosen) + ", " + sentence(d.why));
        if (d.kind == DecisionKind::Search) table.rows.emplace_back("search", sentence(d.why));
    }
    if (table.rows.empty()) return std::nullopt;
    return table;
}

}  // namespace memplan::torchwright

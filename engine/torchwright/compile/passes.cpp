// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/compile/passes.h"

#include "engine/base/text.h"
#include "engine/torchwright/advice/finding.h"
#include "engine/torchwright/compile/advice.h"
#include "engine/torchwright/compile/failures.h"
#include "engine/torchwright/compile/hints.h"
#include "engine/torchwright/compile/improved.h"
#include "engine/torchwright/compile/options.h"
#include "engine/torchwright/compile/report.h"
#include "engine/torchwright/cut/cut.h"
#include "engine/torchwright/scheduler/scheduler.h"

#include <algorithm>
#include <utility>

namespace memplan::torchwright {
namespace {

const PassOutcome kNothing{};

std::int64_t count(std::size_t n) {
    return static_cast<std::int64_t>(n);
}

/// A graph of this machine needs no lowering; begin() refuses others.
Result<PassOutcome> lower(State& state, PassContext&) {
    return PassOutcome{false, {{"nodes", count(state.graph.size())}}};
}

Result<PassOutcome> strip(State& state, PassContext& context) {
    const Settings& s = context.settings;
    const std::size_t before = state.graph.size();
    auto cut = cutAsAsked(state.graph,
                          {s.text("torchwright.isolate"), s.text("torchwright.stub"), s.text("torchwright.as_inputs")});
    if (!cut) return std::move(cut).error();
    state.graph = withPosition(stripped(cut.value()), state.options.dHead);
    return PassOutcome{state.graph.size() != before, {{"nodes", count(state.graph.size())}}};
}

Result<PassOutcome> analyse(State& state, PassContext&) {
    state.report.path = pathOf(state.graph, state.options.localInAttention);
    const TorchwrightPath& path = state.report.path;
    return PassOutcome{
        false, {{"critical_path", path.lengthEdges}, {"tied_paths", path.tiedPaths}, {"asap_layers", path.asapLayers}}};
}

Result<PassOutcome> fuse(State& state, PassContext& context) {
    const FusionRule rule = fusionRule(state, context);
    Fusion fusion = fuseLinears(state.graph, rule);
    reportFusion(state, fusion, context);
    const std::int64_t pairs = count(fusion.fused.size());
    state.graph = std::move(fusion.graph);
    return PassOutcome{pairs > 0, {{"fused_pairs", pairs}}};
}

Result<PassOutcome> apply(State& state, PassContext& context) {
    const int applied = applyScopes(state, context);
    return PassOutcome{applied > 0, {{"hints", applied}}};
}

Result<PassOutcome> detectClusters(State& state, PassContext&) {
    state.clusters = clustersOf(state.graph, relationsOf(state.graph),
                                {state.options.admissionMinChains, state.options.admissionMinPeakWidth});
    return PassOutcome{false, {{"clusters", count(state.clusters.size())}}};
}

Result<PassOutcome> schedule(State& state, PassContext& context) {
    readScheduleHints(state, context);
    state.scheduled = std::make_shared<const NodeGraph>(state.graph);
    const bool isSearched = context.settings.integer("torchwright.optimize") > 0;
    state.schedule = isSearched ? improvedSchedule(state, context)
                                : scheduleLayers(*state.scheduled, state.options, context.control);
    state.ops = plannedOps(*state.scheduled, *state.schedule);
    const Schedule& s = *state.schedule;
    if (context.cancelled()) return makeError(kCancelledCode, "", "cancelled");
    reportScheduleHints(state, context);
    if (!s.ok()) return failureOf(*state.scheduled, s);
    return PassOutcome{true,
                       {{"layers", s.layerCount()},
                        {"heads", s.headsTotal},
                        {"slots", s.slotsTotal},
                        {"peak_columns", s.peakOccupied}}};
}

Result<PassOutcome> diagnose(State& state, PassContext& context) {
    addFigures(state, context.settings);
    if (context.settings.boolean("torchwright.advice")) giveAdvice(state, context);
    if (context.cancelled()) return makeError(kCancelledCode, "", "cancelled");
    PassOutcome outcome{false,
                        {{"annotations", count(state.report.annotations.size())},
                         {"plateaus", count(state.report.plateaus.size())},
                         {"clusters", count(state.report.clusters.size())}}};
    if (const AdviceReport* advice = state.report.advice.get()) {
        outcome.counts["advice"] = count(advice->findings.size());
        if (advice->compiles > 0) outcome.counts["advice_trials"] = advice->compiles;
    }
    return outcome;
}

const std::vector<Pass>& rows() {
    static const std::vector<Pass> kRows{
        {{.id = "lower_to_torchwright",
          .title = "Lower to torchwright",
          .purpose = "makes nodes of a neutral graph; a torchwright graph stays as it is",
          .needs = {"graph"},
          .provides = {"nodes"}},
         lower},
        {{.id = "strip",
          .title = "Strip and cut",
          .purpose = "isolation, stubs and cut inputs if asked for; removes Assert and DebugWatch",
          .needs = {"nodes"},
          .provides = {"nodes"}},
         strip},
        {{.id = "analyse",
          .title = "Analyse",
          .purpose = "distances, chains, earliest layers and paths of the graph as given",
          .needs = {"nodes"},
          .provides = {"analysis"}},
         analyse},
        {{.id = "fuse_linears",
          .title = "Fuse Linears",
          .purpose = "joins consecutive Linears: all pairs with torchwright.fuse, else those that a hint names",
          .needs = {"nodes"},
          .provides = {"nodes"}},
         fuse},
        {{.id = "apply_scopes",
          .title = "Apply scopes",
          .purpose = "concurrency and ordering hints as edges between nodes",
          .needs = {"nodes"},
          .provides = {"nodes"}},
         apply},
        {{.id = "detect_clusters",
          .title = "Detect clusters",
          .purpose = "sibling clusters that admission control holds back",
          .switchKey = "torchwright.admission_control",
          .needs = {"nodes"},
          .provides = {"clusters"}},
         detectClusters},
        {{.id = "schedule",
          .title = "Schedule",
          .purpose = "layers, columns and operations",
          .needs = {"nodes"},
          .provides = {"layers", "columns"}},
         schedule},
        {{.id = "diagnostics",
          .title = "Diagnostics",
          .purpose = "annotation table, occupancy, plateaus, critical path, bindings, advice",
          .needs = {"layers", "analysis"},
          .provides = {"report"}},
         diagnose},
    };
    return kRows;
}

}  // namespace

const std::vector<Pass>& pipeline() {
    return rows();
}

}  // namespace memplan::torchwright

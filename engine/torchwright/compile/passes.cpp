// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/compile/passes.h"

#include "engine/base/text.h"
#include "engine/torchwright/advice/finding.h"
#include "engine/torchwright/compile/advice.h"
#include "engine/torchwright/compile/execute.h"
#include "engine/torchwright/compile/failures.h"
#include "engine/torchwright/compile/hints.h"
#include "engine/torchwright/compile/improved.h"
#include "engine/torchwright/compile/options.h"
#include "engine/torchwright/compile/report.h"
#include "engine/torchwright/cut/cut.h"
#include "engine/torchwright/lower/lower.h"
#include "engine/torchwright/scheduler/scheduler.h"

#include <algorithm>
#include <utility>

namespace memplan::torchwright {
namespace {

const PassOutcome kNothing{};

std::int64_t count(std::size_t n) {
    return static_cast<std::int64_t>(n);
}

/// A graph of this machine stays as it is.
Result<PassOutcome> lower(State& state, PassContext&) {
    if (state.neutral) {
        auto made = lowered(*state.neutral);
        if (!made) return std::move(made).error();
        state.graph = std::move(made.value().nodes);
        state.graphOps = std::move(made.value().ops);
        state.graphTensors = std::move(made.value().tensors);
        return PassOutcome{true, {{"nodes", count(state.graph.size())}}};
    }
    return PassOutcome{false, {{"nodes", count(state.graph.size())}}};
}

Result<PassOutcome> strip(State& state, PassContext& context) {
    const std::size_t before = state.graph.size();
    auto prepared = preparedGraph(state.graph, cutSettingsOf(context.settings), state.options.dHead);
    if (!prepared) return std::move(prepared).error();
    state.graph = std::move(prepared).value();
    return PassOutcome{state.graph.size() != before, {{"nodes", count(state.graph.size())}}};
}

Result<PassOutcome> analyse(State& state, PassContext&) {
    state.unfused = std::make_shared<const NodeGraph>(state.graph);
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
    state.clusters = clustersOf(state.graph, relationsOf(state.graph), clusterRuleOf(state.options));
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
    if (!s.ok()) return failureOf(*state.scheduled, s, isSearched);
    return PassOutcome{true,
                       {{"layers", s.layerCount()},
                        {"heads", s.headsTotal},
                        {"slots", s.slotsTotal},
                        {"peak_columns", s.peakOccupied}}};
}

Result<PassOutcome> writeWeights(State& state, PassContext&) {
    const NodeGraph& graph = *state.scheduled;
    if (!whyNoWeights(graph, *state.schedule).empty()) return PassOutcome{false, {{"layers", 0}}};
    auto weights = weightsOf(graph, *state.schedule);
    if (!weights) return std::move(weights).error();
    state.weights = std::make_shared<const Transformer>(std::move(weights).value());
    std::int64_t entries = 0;
    for (const LayerWeights& layer : state.weights->layers)
        for (const Tensor* tensor : {&layer.query, &layer.key, &layer.value, &layer.output, &layer.first,
                                     &layer.firstBias, &layer.second, &layer.secondBias})
            entries += count(tensor->entries.size());
    return PassOutcome{false, {{"layers", count(state.weights->layers.size())}, {"entries", entries}}};
}

/// Why there are no weights where somebody asked for what needs them.
void reportNoWeights(const State& state, PassContext& context, const std::string& what) {
    const bool isOff = !context.settings.boolean("torchwright.weights");
    Diagnostic d;
    d.severity = Severity::Warning;
    d.code = "TW-023";
    d.where = isOff ? "torchwright.weights" : "weights";
    d.message = what + (isOff ? "the setting is false" : whyNoWeights(*state.scheduled, *state.schedule));
    d.hint = isOff ? "set torchwright.weights=true" : "export the graph with its tensors";
    context.report(std::move(d));
}

Result<PassOutcome> verifyNumeric(State& state, PassContext& context) {
    if (!state.weights) {
        reportNoWeights(state, context, "nothing was executed: ");
        return PassOutcome{false, {{"compared", 0}}};
    }
    constexpr std::size_t kPositions = 8;
    const std::int64_t seed = context.settings.integer("engine.seed");
    const ProbeRequest request{sampleInputs(*state.unfused, kPositions, static_cast<std::uint64_t>(seed)),
                               context.settings.number("torchwright.verify_tolerance")};
    auto files = bundleFiles(*state.scheduled, *state.schedule, *state.weights, {});
    if (!files) return std::move(files).error();
    const auto probe = probeFiles(*state.unfused, sourceOf(std::move(files).value()), request, context.control);
    if (!probe) return probe.error();
    if (!probe.value().passes()) {
        Error error = makeError("TW-018", probe.value().findings.front().where, probe.value().findings.front().message,
                                "raise torchwright.verify_tolerance if the difference is small, else report this");
        return error;
    }
    state.report.probe = probeFigures(probe.value(), request);
    state.report.probe->seed = seed;
    return PassOutcome{false, {{"compared", state.report.probe->compared}}};
}

/// The files themselves are made of the finished plan.
Result<PassOutcome> writeArtefacts(State& state, PassContext& context) {
    if (!state.weights) reportNoWeights(state, context, "the export holds the schedule alone: ");
    return PassOutcome{};
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
        {{.id = "write_weights",
          .title = "Write weights",
          .purpose = "tensors of every layer; of a graph without tensors none",
          .switchKey = "torchwright.weights",
          .needs = {"layers"},
          .provides = {"weights"},
          .emptyWhenOff = {"weights"}},
         writeWeights},
        {{.id = "diagnostics",
          .title = "Diagnostics",
          .purpose = "annotation table, occupancy, plateaus, critical path, bindings, advice",
          .needs = {"layers", "analysis"},
          .provides = {"report"}},
         diagnose},
        {{.id = "verify_numeric",
          .title = "Verify numerically",
          .purpose = "executes the compiled transformer on sample inputs and compares it with the graph, node by node",
          .switchKey = "torchwright.verify",
          .needs = {"weights"},
          .provides = {"probe"}},
         verifyNumeric},
        {{.id = "write_artefacts",
          .title = "Write the transformer",
          .purpose = "compiled weights and the schedule of the layers as files",
          .needs = {"layers"},
          .provides = {"artefacts"},
          .onlyForExport = true},
         writeArtefacts},
    };
    return kRows;
}

}  // namespace

const std::vector<Pass>& pipeline() {
    return rows();
}

}  // namespace memplan::torchwright

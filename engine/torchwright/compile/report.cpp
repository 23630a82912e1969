// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/compile/report.h"

#include "engine/torchwright/analysis/asap.h"
#include "engine/torchwright/analysis/paths.h"
#include "engine/torchwright/compile/options.h"
#include "engine/torchwright/report/annotation_table.h"
#include "engine/torchwright/report/occupancy.h"
#include "engine/torchwright/report/spans.h"
#include "engine/torchwright/report/tiers.h"
#include "engine/torchwright/scope/in_flight.h"

#include <algorithm>

namespace memplan::torchwright {
namespace {

std::vector<bool> nodesOfRun(const NodeGraph& graph, const CriticalPath& path, const PathRun& run) {
    std::vector<bool> marked(graph.size(), false);
    for (int i = run.start; i < run.start + run.nodes; ++i)
        marked[path.example[static_cast<std::size_t>(i)].at()] = true;
    return marked;
}

TorchwrightAnnotation annotationOf(const AnnotationRow& row, std::int64_t allocated) {
    TorchwrightAnnotation a;
    a.annotation = row.annotation;
    a.nodes = row.nodes;
    a.neurons = row.neurons;
    a.heads = row.heads;
    a.graphParams = row.graphParams;
    a.nonZeros = row.nonZeros;
    a.upstreamEstimate = row.upstreamEstimate;
    a.scheduledHeads = row.scheduledHeads;
    a.scheduledSlots = row.scheduledSlots;
    a.scheduledParams = row.scheduledParams;
    if (row.span) a.layerSpan = {row.span->first, row.span->last, row.span->distinct};
    a.share = allocated > 0 ? static_cast<double>(row.scheduledParams) / static_cast<double>(allocated) : 0;
    a.density = row.density();
    return a;
}

void addAnnotations(const AsapQuestion& question, const Schedule& schedule, TorchwrightData& report) {
    const std::vector<AnnotationRow> rows = annotationTable(question.graph, schedule);
    const std::int64_t allocated = tiersOf(question.graph, schedule).allocated;
    for (const AnnotationRow& row : rows)
        report.annotations.push_back(annotationOf(row, allocated));
    for (const AnnotationSpan& span : spansOf(question, rows)) {
        const auto it = std::ranges::find(report.annotations, span.annotation, &TorchwrightAnnotation::annotation);
        if (it == report.annotations.end()) continue;
        it->spanVerdict = spanOutcomeName(span.outcome);
        it->asapSpan = span.asapSpan;
        it->reach = span.reach;
    }
}

TorchwrightPlateau plateauOf(const Plateau& from) {
    TorchwrightPlateau p{from.first, from.last, {}, {}, from.meanOpsInside, from.meanOpsOutside};
    for (const Plateau::Contributor& c : from.contributors) {
        p.averageColumns.emplace_back(c.annotation, c.columns);
        p.share.emplace_back(c.annotation, c.share);
    }
    return p;
}

TorchwrightCluster clusterOf(const NodeGraph& graph, const Schedule& schedule, const Cluster& from) {
    TorchwrightCluster c;
    c.join = graph.at(from.join).number;
    c.peakWidth = from.peakWidth;
    for (const ClusterChain& chain : from.chains) {
        TorchwrightChain& own = c.chains.emplace_back();
        own.terminal = graph.at(chain.terminal).number;
        own.peakWidth = chain.peakWidth;
        for (const NodeId id : chain.nodes)
            own.nodes.push_back(graph.at(id).number);
    }
    c.inFlight = inFlightOf(from, schedule);
    c.natural = c.inFlight.empty() ? 0 : *std::ranges::max_element(c.inFlight);
    return c;
}

}  // namespace

TorchwrightPath pathOf(const NodeGraph& graph, LocalRouting routing) {
    const Relations relations = relationsOf(graph);
    const std::vector<Chain> chains = chainsOf(graph, relations);
    const AsapQuestion question{graph, relations, chains, routing};
    const Asap bound = asapOf(question);
    const CriticalPath path = criticalPathOf(graph, relations);
    TorchwrightPath p;
    p.lengthEdges = path.lengthEdges;
    for (const NodeId id : path.example)
        p.example.push_back(graph.at(id).number);
    p.realOps = path.realOps;
    for (const PathRun& run : path.runs)
        p.runs.push_back({run.annotation, run.start, run.nodes, run.realOps,
                          reachOf(question, bound, nodesOfRun(graph, path, run))});
    p.tiedPaths = path.tiedPaths;
    p.nodesOnSome = path.nodesOnSome;
    p.upstreamFigure = path.upstreamFigure;
    p.asapLayers = bound.layers;
    p.asapAlways = asapOf({graph, relations, chains, LocalRouting::Always}).layers;
    p.asapNever = asapOf({graph, relations, chains, LocalRouting::Never}).layers;
    p.ruleOfThumb = ruleOfThumbLayers(question);
    return p;
}

void addFigures(State& state, const Settings& settings) {
    const NodeGraph& graph = *state.scheduled;
    const Schedule& schedule = *state.schedule;
    const Relations relations = relationsOf(graph);
    const std::vector<Chain> chains = chainsOf(graph, relations);
    TorchwrightData& report = state.report;
    const AsapQuestion scheduled{graph, relations, chains, state.options.localInAttention};
    addAnnotations(scheduled, schedule, report);
    for (const Plateau& plateau : plateausOf(graph, schedule, plateauRuleOf(settings)))
        report.plateaus.push_back(plateauOf(plateau));
    for (const Cluster& cluster : clustersOf(graph, relations, clusterRuleOf(state.options)))
        report.clusters.push_back(clusterOf(graph, schedule, cluster));
    report.path.slack = schedule.layerCount() - asapOf(scheduled).layers;
    report.isReported = true;
}

}  // namespace memplan::torchwright

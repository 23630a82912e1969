// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/stream/data/concurrency_report.h"

#include "engine/torchwright/compile/options.h"
#include "engine/torchwright/cut/cut.h"
#include "engine/torchwright/report/occupancy.h"
#include "widgets/plan/units.h"

#include <QObject>
#include <QStringList>

#include <algorithm>

namespace memplan::ui {

namespace tw = torchwright;

namespace {

constexpr std::string_view kHintKey = "concurrency";

/// The longest path of which both are part: "a/b" of "a/b" and "a/b/c".
QString commonPath(const QString& a, const QString& b) {
    const QStringList left = a.split(u'/'), right = b.split(u'/');
    QStringList shared;
    for (qsizetype i = 0; i < std::min(left.size(), right.size()) && left[i] == right[i]; ++i)
        shared << left[i];
    return shared.join(u'/');
}

QString layersOf(int count) {
    return plural(count, QObject::tr("layer"), QObject::tr("layers"));
}

bool isUnder(const QString& annotation, const QString& path) {
    return !path.isEmpty() && (annotation == path || annotation.startsWith(path + u'/'));
}

std::vector<tw::Cluster> clustersOf(const TorchwrightData& data) {
    const tw::ScheduleOptions& options = data.schedule.options;
    return tw::clustersOf(*data.graph, tw::relationsOf(*data.graph), tw::clusterRuleOf(options));
}

/// Where a compile failed, its stream as far as it came is a plan too.
PlanPtr planOrRest(const CompileOutcome& outcome) {
    return outcome.plan ? outcome.plan : outcome.failure ? outcome.failure->memory : nullptr;
}

QString outcomeText(const tw::KOutcome& outcome) {
    if (outcome.ok())
        return QObject::tr("%1, peak %2 columns").arg(layersOf(outcome.layers), groupedText(outcome.peakOccupied));
    return QObject::tr("%1 after %2")
        .arg(fromStd(std::string(tw::resultName(outcome.result))).replace(u'_', u' '), layersOf(outcome.layers));
}

}  // namespace

std::vector<ChainCluster> chainClusters(const PlanPtr& plan) {
    const TorchwrightData* data = streamDataOf(plan);
    if (data == nullptr) return {};
    std::vector<ChainCluster> clusters;
    for (const tw::Cluster& c : clustersOf(*data)) {
        ChainCluster cluster;
        cluster.join = data->graph->at(c.join).number;
        cluster.title = QObject::tr("%1 chains into node %2").arg(c.chains.size()).arg(cluster.join);
        for (const tw::ClusterChain& chain : c.chains) {
            const tw::Node& end = data->graph->at(chain.terminal);
            const QString own = fromStd(end.annotation);
            cluster.annotation = cluster.terminals.empty() ? own : commonPath(cluster.annotation, own);
            cluster.terminals.push_back(end.number);
        }
        clusters.push_back(std::move(cluster));
    }
    for (ChainCluster& cluster : clusters) {
        const auto inside = std::ranges::count_if(
            clusters, [&](const ChainCluster& other) { return isUnder(other.annotation, cluster.annotation); });
        cluster.isAlone = !cluster.annotation.isEmpty() && inside == 1;
    }
    return clusters;
}

int clusterUnder(const std::vector<ChainCluster>& clusters, const QString& annotation) {
    const auto at = std::ranges::find_if(
        clusters, [&](const ChainCluster& cluster) { return isUnder(cluster.annotation, annotation); });
    return at == clusters.end() ? -1 : static_cast<int>(at - clusters.begin());
}

std::pair<QString, QString> concurrencyHint(const ChainCluster& cluster, int k) {
    if (cluster.isAlone)
        return {QStringLiteral("annotation:") + cluster.annotation, QStringLiteral("{\"k\": %1}").arg(k)};
    QStringList terminals;
    for (const std::int64_t number : cluster.terminals)
        terminals << QString::number(number);
    return {QStringLiteral("graph"),
            QStringLiteral("{\"k\": %1, \"terminals\": [%2]}").arg(k).arg(terminals.join(QStringLiteral(", ")))};
}

int startK(const PlanPtr& plan, std::int64_t join) {
    const TorchwrightData* data = streamDataOf(plan);
    if (data == nullptr) return 1;
    const tw::NodeGraph& graph = *data->graph;
    const tw::ScheduleOptions& options = data->schedule.options;
    const auto clusters = clustersOf(*data);
    const auto cluster = std::ranges::find(clusters, graph.find(join), &tw::Cluster::join);
    if (cluster == clusters.end()) return 1;
    return tw::kByFormula(options.d,
                          tw::residualPeakWidth(graph, tw::chainsOf(graph, tw::relationsOf(graph)), *cluster), 1);
}

std::optional<KStudy> studyK(CompileRequest request, std::int64_t join, const RunControl& control) {
    std::erase_if(request.hints, [](const Hint& hint) { return hint.key == kHintKey; });
    request.keepSnapshotTexts = false;
    const PlanPtr base = planOrRest(compile(request, control));
    const TorchwrightData* data = streamDataOf(base);
    if (data == nullptr || control.cancelled()) return std::nullopt;
    const tw::NodeGraph& graph = *data->graph;
    const tw::ScheduleOptions& options = data->schedule.options;
    const auto clusters = clustersOf(*data);
    const auto cluster = std::ranges::find(clusters, graph.find(join), &tw::Cluster::join);
    if (cluster == clusters.end()) return std::nullopt;

    KStudy study;
    study.join = join;
    study.isBaseOk = data->schedule.ok();
    study.baseLayers = data->schedule.layerCount();
    tw::KSearch found = tw::tuneK({graph, *cluster, options}, data->schedule, control);
    if (control.cancelled()) return std::nullopt;
    std::ranges::sort(found.tried, {}, &tw::KOutcome::k);
    study.tried = std::move(found.tried);
    study.best = found.best;
    study.natural = found.natural;
    const tw::PlateauRule rule = tw::plateauRuleOf(request.settings);
    study.conditions = tw::conditionsOf(graph, data->schedule, *cluster, tw::plateausOf(graph, data->schedule, rule));
    study.start = tw::kByFormula(options.d, study.conditions.peakWidth, 1);
    return study;
}

ChartData kChart(const KStudy& study) {
    ChartData chart;
    chart.name = QObject::tr("Sweep of K");
    chart.scope = QObject::tr("layers compiled, by chains at a time");
    chart.along = QStringLiteral("K");
    chart.values = QObject::tr("Layers");
    chart.empty = QObject::tr("No K was tried.");
    ChartSeries line{.name = QObject::tr("Layers"), .ink = {.category = 4}};
    for (const tw::KOutcome& outcome : study.tried) {
        const double layers = outcome.ok() ? outcome.layers : kNoFigure;
        if (study.best && outcome.k == study.best->k) line.ringed.push_back(static_cast<int>(line.points.size()));
        line.points.push_back({static_cast<double>(outcome.k), layers, outcomeText(outcome)});
    }
    if (!line.points.empty()) chart.series.push_back(std::move(line));
    if (study.isBaseOk)
        chart.bound =
            ChartBound{static_cast<double>(study.baseLayers), QObject::tr("no hint: %1").arg(study.baseLayers)};
    chart.sentence = kSentence(study);
    return chart;
}

QString kSentence(const KStudy& study) {
    const QString without =
        study.isBaseOk
            ? QObject::tr("without a limit %1").arg(layersOf(study.baseLayers))
            : QObject::tr("without a limit it ends after %1 without progress").arg(layersOf(study.baseLayers));
    if (!study.best) {
        const bool hasAny = std::ranges::any_of(study.tried, &tw::KOutcome::ok);
        return hasAny ? QObject::tr("No limit is better: %1.").arg(without)
                      : QObject::tr("No limit compiles; %1.").arg(without);
    }
    return QObject::tr("K = %1 is the best of %2 that were compiled: %3, %4.")
        .arg(study.best->k)
        .arg(study.tried.size())
        .arg(layersOf(study.best->layers), without);
}

std::vector<StreamFact> kConditions(const KStudy& study) {
    const tw::ScopeConditions& c = study.conditions;
    const auto mark = [](bool holds) { return holds ? QStringLiteral("\u2713 ") : QStringLiteral("\u2717 "); };
    const QString needed = groupedText(c.peakWidth * c.chains), spare = groupedText(qRound64(c.freeColumns));
    return {
        {QObject::tr("At least 4 chains"), mark(c.areParallel()) + QString::number(c.chains)},
        {QObject::tr("They do not fit at once"),
         mark(c.overflow()) + QObject::tr("%1 x %2 = %3, free %4").arg(c.chains).arg(c.peakWidth).arg(needed, spare)},
        {QObject::tr("Half of the plateau is theirs"),
         mark(c.dominate()) + (c.hasPlateau ? percentText(c.plateauShare) : QObject::tr("no plateau"))},
        {QObject::tr("In flight without a limit"), groupedText(study.natural),
         QObject::tr("A K of this or more holds nothing back")},
        {QObject::tr("Largest K that can fit"), groupedText(c.largestFittingK)},
        {QObject::tr("K of the formula"), groupedText(study.start),
         QObject::tr("d / (4 x widest value), where the search begins")}};
}

}  // namespace memplan::ui

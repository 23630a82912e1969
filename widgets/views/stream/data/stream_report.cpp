// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/stream/data/stream_report.h"

#include "engine/torchwright/analysis/paths.h"
#include "engine/torchwright/cut/cut.h"
#include "engine/torchwright/report/tiers.h"
#include "widgets/plan/units.h"

#include <QObject>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>

namespace memplan::ui {

namespace tw = torchwright;

const TorchwrightData* streamDataOf(const PlanPtr& plan) {
    if (!plan) return nullptr;
    const TorchwrightData& data = torchwrightData(*plan);
    return data.isScheduled() ? &data : nullptr;
}

namespace {

QString decimals(double value, int places) {
    return QString::number(value, 'f', places);
}

double ratio(double part, double whole) {
    return whole > 0 ? part / whole : 0;
}

QString layersOf(qint64 count) {
    return plural(count, QObject::tr("layer"), QObject::tr("layers"));
}

// ---- annotations ----

using NodesByName = std::map<std::string_view, std::vector<ItemId>>;

NodesByName nodesByAnnotation(const tw::NodeGraph& graph) {
    NodesByName nodes;
    for (std::size_t i = 0; i < graph.size(); ++i)
        nodes[tw::annotationName(graph.nodes[i])].push_back(ItemId::of(BufferId::of(i)));
    return nodes;
}

/// Columns that an annotation holds on average over the layers of all plateaus.
double plateauColumnsOf(const TorchwrightData& data, const std::string& annotation) {
    double columns = 0, layers = 0;
    for (const TorchwrightPlateau& plateau : data.plateaus) {
        const double size = plateau.last - plateau.first + 1;
        layers += size;
        for (const auto& [name, mean] : plateau.averageColumns)
            if (name == annotation) columns += mean * size;
    }
    return ratio(columns, layers);
}

AnnotationLine lineOf(const TorchwrightData& data, const TorchwrightAnnotation& a, NodesByName& nodes) {
    AnnotationLine line;
    line.annotation = fromStd(a.annotation);
    line.nodes = a.nodes;
    line.neurons = a.neurons;
    line.heads = a.scheduledHeads;
    line.slotCount = a.scheduledSlots;
    line.graphParams = a.graphParams;
    line.allocated = a.scheduledParams;
    line.estimate = a.upstreamEstimate;
    if (a.layerSpan.size() == 3) {
        line.first = a.layerSpan[0];
        line.last = a.layerSpan[1];
        line.distinct = a.layerSpan[2];
    }
    line.spanOutcome = fromStd(a.spanVerdict);
    line.share = a.share;
    line.plateauColumns = plateauColumnsOf(data, a.annotation);
    line.reach = a.reach;
    line.items = std::move(nodes[a.annotation]);
    return line;
}

void addTo(AnnotationLine& sum, const AnnotationLine& line) {
    sum.nodes += line.nodes;
    sum.neurons += line.neurons;
    sum.heads += line.heads;
    sum.slotCount += line.slotCount;
    sum.graphParams += line.graphParams;
    sum.allocated += line.allocated;
    sum.estimate += line.estimate;
    sum.share += line.share;
    sum.plateauColumns += line.plateauColumns;
    if (line.first >= 0) {
        sum.first = sum.first < 0 ? line.first : std::min(sum.first, line.first);
        sum.last = std::max(sum.last, line.last);
    }
    sum.items.insert(sum.items.end(), line.items.begin(), line.items.end());
}

}  // namespace

// ---- tiers ----

std::vector<TierLine> tierLines(const PlanPtr& plan) {
    const TorchwrightData* data = streamDataOf(plan);
    if (data == nullptr) return {};
    const tw::ParameterTiers t = tw::tiersOf(*data->graph, data->schedule);
    const auto whole = static_cast<double>(t.capacity);
    const auto line = [whole](const QString& name, std::int64_t value, const QString& help) {
        return TierLine{name, value, ratio(static_cast<double>(value), whole), help};
    };
    const QString layers = layersOf(data->schedule.layerCount());
    return {line(QObject::tr("Graph"), t.graph, QObject::tr("Dense sizes of all nodes")),
            line(QObject::tr("Allocated"), t.allocated,
                 QObject::tr("4 d d_head for each head and 2 d + 2 for each slot that is used, and entries of biases")),
            line(QObject::tr("of it, clearing columns"), t.cancel,
                 QObject::tr("Heads that only clear columns so that they can be used again")),
            line(QObject::tr("Capacity, %1").arg(layers), t.capacity,
                 QObject::tr("4 d d + 2 d d_hidden + d_hidden + d for each layer"))};
}

std::vector<StreamFact> tierFacts(const PlanPtr& plan) {
    const TorchwrightData* data = streamDataOf(plan);
    if (data == nullptr) return {};
    const tw::ParameterTiers t = tw::tiersOf(*data->graph, data->schedule);
    return {{QObject::tr("Density"), percentText(t.density()), QObject::tr("Graph parameters for each allocated one")},
            {QObject::tr("Utilisation"), percentText(t.utilisation()), QObject::tr("Allocated, of the capacity")},
            {QObject::tr("Overall"), percentText(t.overall()), QObject::tr("Graph parameters, of the capacity")},
            {QObject::tr("Cancel share"), percentText(t.cancelShare()),
             QObject::tr("Of the allocated parameters: heads that clear columns")},
            {QObject::tr("Exchange rate"),
             QObject::tr("1 head = %1 slots").arg(decimals(tw::exchangeRate(data->schedule.options), 1)),
             QObject::tr("Slots that the parameters of one head would buy")},
            {QObject::tr("Head width used"), percentText(tw::headWidthUsed(*data->graph, data->schedule)),
             QObject::tr("Of the value columns of all heads those that operations use")},
            {QObject::tr("Heads, slots"), QObject::tr("%1, %2").arg(groupedText(data->schedule.headsTotal),
                                                                    groupedText(data->schedule.slotsTotal))}};
}

ChartData tierChart(const PlanPtr& plan) {
    ChartData chart;
    chart.form = ChartData::Form::Bars;
    chart.name = QObject::tr("Parameter tiers");
    chart.scope = QObject::tr("share of the capacity");
    chart.along = QObject::tr("Tier");
    chart.values = QObject::tr("% of the capacity");
    chart.tickText = [](double v) { return decimals(v, 0) + QStringLiteral("\u202f%"); };
    chart.empty = QObject::tr("This plan has no layers.");
    ChartSeries bars{.name = QObject::tr("Parameters"), .ink = {.category = 4}};
    int row = 0;
    const QStringList names{QObject::tr("Graph"), QObject::tr("Allocated"), QObject::tr("Clearing"),
                            QObject::tr("Capacity")};
    for (const TierLine& line : tierLines(plan)) {
        chart.labels << names[row];
        chart.longLabels << line.name;
        chart.rowTexts << percentText(line.ofCapacity);
        bars.points.push_back({static_cast<double>(row++), line.ofCapacity * 100, groupedText(line.parameters)});
    }
    if (row > 0) chart.series.push_back(std::move(bars));
    return chart;
}

ChartData occupancyChart(const PlanPtr& plan) {
    constexpr int kSteps = 10;
    ChartData chart;
    chart.form = ChartData::Form::Bars;
    chart.name = QObject::tr("Occupancy histogram");
    chart.scope = QObject::tr("layers by columns taken after them");
    chart.along = QObject::tr("Of d");
    chart.values = QObject::tr("Layers");
    chart.tickText = [](double v) { return std::floor(v) == v ? decimals(v, 0) : QString(); };
    chart.empty = QObject::tr("This plan has no layers.");
    const TorchwrightData* data = streamDataOf(plan);
    if (data == nullptr || data->schedule.layers.empty()) return chart;
    std::array<int, kSteps> layers{};
    const auto d = static_cast<double>(data->schedule.options.d);
    for (const tw::Layer& layer : data->schedule.layers) {
        const double share = static_cast<double>(layer.occupiedAfter) / d;
        ++layers[static_cast<std::size_t>(std::clamp(static_cast<int>(share * kSteps), 0, kSteps - 1))];
    }
    ChartSeries bars{.name = QObject::tr("Layers"), .ink = {.residency = Residency::OnChip}};
    for (int row = 0; row < kSteps; ++row) {
        const int step = kSteps - 1 - row;  // the fullest on top, as in the map of a memory
        const int count = layers[static_cast<std::size_t>(step)];
        chart.labels << QObject::tr("%1 to %2 %").arg(step * 100 / kSteps).arg((step + 1) * 100 / kSteps);
        chart.rowTexts << groupedText(count);
        bars.points.push_back({static_cast<double>(row), static_cast<double>(count), layersOf(count)});
    }
    chart.series.push_back(std::move(bars));
    return chart;
}

// ---- annotations ----

double AnnotationLine::density() const {
    return ratio(static_cast<double>(graphParams), static_cast<double>(allocated));
}

QString AnnotationLine::layersText() const {
    if (first < 0) return {};
    const QString span = first == last ? QString::number(first) : QObject::tr("%1-%2").arg(first).arg(last);
    return distinct > 0 ? QObject::tr("%1 (%2)").arg(span).arg(distinct) : span;
}

bool AnnotationLine::isNamed() const {
    return !annotation.startsWith(u'(');
}

std::vector<AnnotationLine> annotationLines(const PlanPtr& plan) {
    const TorchwrightData* data = streamDataOf(plan);
    if (data == nullptr || !data->isReported) return {};
    std::vector<AnnotationLine> groups;
    NodesByName nodes = nodesByAnnotation(*data->graph);
    for (const TorchwrightAnnotation& a : data->annotations) {
        AnnotationLine line = lineOf(*data, a, nodes);
        const QString name = line.annotation.section(u'/', 0, 0);
        auto group = std::ranges::find(groups, name, &AnnotationLine::annotation);
        if (group == groups.end()) {
            groups.push_back({.annotation = name});
            group = groups.end() - 1;
        }
        addTo(*group, line);
        group->parts.push_back(std::move(line));
    }
    for (AnnotationLine& group : groups) {
        // An annotation alone under its first word needs no sum above it.
        if (group.parts.size() != 1) continue;
        AnnotationLine only = std::move(group.parts.front());
        group = std::move(only);
    }
    return groups;
}

AnnotationLine annotationSum(const std::vector<AnnotationLine>& lines) {
    AnnotationLine sum;
    for (const AnnotationLine& line : lines)
        addTo(sum, line);
    return sum;
}

std::vector<std::int64_t> resultsOf(const PlanPtr& plan, const QString& annotation) {
    const TorchwrightData* data = streamDataOf(plan);
    if (data == nullptr) return {};
    const std::string path = annotation.toStdString();
    const tw::NodeGraph& graph = *data->graph;
    std::vector<bool> isResult(graph.size(), false);
    for (const tw::NodeId id : graph.outputs())
        isResult[id.at()] = tw::isUnder(graph.at(id), path);
    for (const tw::Node& reader : graph.nodes) {
        if (tw::isUnder(reader, path)) continue;
        for (const tw::NodeId input : reader.inputs)
            if (tw::isUnder(graph.at(input), path)) isResult[input.at()] = true;
    }
    std::vector<std::int64_t> numbers;
    for (std::size_t i = 0; i < graph.size(); ++i)
        if (isResult[i]) numbers.push_back(graph.nodes[i].number);
    return numbers;
}

// ---- paths ----

std::vector<StreamFact> pathFacts(const PlanPtr& plan) {
    const TorchwrightData* data = streamDataOf(plan);
    if (data == nullptr || !data->isReported) return {};
    const TorchwrightPath& p = data->path;
    const int layers = data->schedule.layerCount();
    const QString tied =
        p.tiedPaths > 1 ? QObject::tr("%1: shortening one of them alone gains nothing").arg(groupedText(p.tiedPaths))
                        : groupedText(p.tiedPaths);
    const auto nodes = static_cast<double>(data->graph->size());
    return {{QObject::tr("Layers compiled"),
             QObject::tr("%1, %2 above the bound").arg(groupedText(layers), groupedText(p.slack)),
             QObject::tr("What is above the bound is due to scheduling: heads, slots, columns or order")},
            {QObject::tr("Bound by order alone"),
             QObject::tr("%1 (before fusion %2 with Linears alone in attention, %3 with them in the MLP)")
                 .arg(data->layerBound())
                 .arg(p.asapAlways)
                 .arg(p.asapNever),
             QObject::tr("Fewest layers with any number of heads, slots and columns")},
            {QObject::tr("Longest path"),
             QObject::tr("%1 edges, %2 operations").arg(groupedText(p.lengthEdges), groupedText(p.realOps)),
             QObject::tr("Concatenates are edges, but no operations")},
            {QObject::tr("Rule of thumb"), layersOf(p.ruleOfThumb),
             QObject::tr("As the bound, with an Add that costs nothing")},
            {QObject::tr("Inflation by scheduling"),
             QObject::tr("%1; layers for each edge of the longest path: %2")
                 .arg(decimals(data->inflation(), 2), decimals(ratio(layers, p.lengthEdges), 2)),
             QObject::tr("Layers for each layer of the bound")},
            {QObject::tr("Tied paths"), tied, QObject::tr("Distinct longest paths, counted up to 1 000 000")},
            {QObject::tr("Nodes on one of them"),
             QObject::tr("%1, %2").arg(groupedText(p.nodesOnSome), percentText(ratio(p.nodesOnSome, nodes)))}};
}

std::vector<RunLine> runLines(const PlanPtr& plan) {
    const TorchwrightData* data = streamDataOf(plan);
    if (data == nullptr || !data->isReported) return {};
    std::vector<RunLine> lines;
    for (const TorchwrightRun& run : data->path.runs) {
        RunLine line{fromStd(run.annotation), run.realOps, run.reach, run.start, {}};
        for (int i = run.start; i < run.start + run.nodes; ++i) {
            const tw::NodeId id = data->graph->find(data->path.example[static_cast<std::size_t>(i)]);
            if (id.isValid()) line.items.push_back(ItemId::of(BufferId::of(id.at())));
        }
        lines.push_back(std::move(line));
    }
    return lines;
}

ChartData bindingChart(const PlanPtr& plan) {
    ChartData chart;
    chart.form = ChartData::Form::Bars;
    chart.name = QObject::tr("What bound the layers");
    chart.along = QObject::tr("Bound by");
    chart.values = QObject::tr("Layers");
    chart.tickText = [](double v) { return std::floor(v) == v ? decimals(v, 0) : QString(); };
    chart.empty = QObject::tr("This plan has no layers.");
    const TorchwrightData* data = streamDataOf(plan);
    if (data == nullptr || data->schedule.layers.empty()) return chart;
    const std::array<int, 5> counts = tw::bindingsOf(data->schedule);
    const QStringList names{QObject::tr("order"), QObject::tr("heads"), QObject::tr("columns"), QObject::tr("slots"),
                            QObject::tr("admission")};
    ChartSeries bars{.name = QObject::tr("Layers"), .ink = {.category = 4}};
    int row = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        if (counts[i] == 0) continue;
        chart.labels << names[static_cast<qsizetype>(i)];
        chart.rowTexts << groupedText(counts[i]);
        bars.points.push_back({static_cast<double>(row++), static_cast<double>(counts[i]), layersOf(counts[i])});
    }
    const auto forced = std::ranges::count(data->schedule.layers, true, &tw::Layer::isForcedByOrder);
    chart.scope = forced > 0 ? QObject::tr("%1 forced by order").arg(layersOf(forced)) : QString();
    chart.series.push_back(std::move(bars));
    return chart;
}

}  // namespace memplan::ui

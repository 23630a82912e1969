// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/compile/statistics.h"

#include "engine/base/figures.h"
#include "engine/base/text.h"
#include "engine/plan/torchwright_data.h"
#include "engine/torchwright/advice/codes.h"
#include "engine/torchwright/compile/advice.h"
#include "engine/torchwright/compile/figures.h"
#include "engine/torchwright/compile/improved.h"
#include "engine/torchwright/compile/planned_ops.h"
#include "engine/torchwright/compile/snapshot_text.h"
#include "engine/torchwright/report/annotation_table.h"
#include "engine/torchwright/report/tiers.h"

#include <algorithm>
#include <array>

namespace memplan::torchwright {
namespace {

using text::fixed;
using text::grouped;
using Rows = std::vector<std::pair<std::string, std::string>>;

std::string percent(double share) {
    return fixed(100 * share, 1) + " %";
}

double ratio(std::int64_t part, std::int64_t whole) {
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

StatisticsTable tiersTable(const TorchwrightData& data) {
    const ParameterTiers t = tiersOf(*data.graph, data.schedule);
    return {"parameter tiers",
            {{"graph", grouped(t.graph)},
             {"allocated", grouped(t.allocated) + ", of them " + percent(t.cancelShare()) + " to clear columns"},
             {"total capacity", grouped(t.capacity)},
             {"density, graph / allocated", fixed(t.density(), 4)},
             {"utilisation, allocated / capacity", fixed(t.utilisation(), 4)},
             {"overall, graph / capacity", fixed(t.overall(), 4)},
             {"exchange rate", "1 head = " + fixed(exchangeRate(data.schedule.options), 1) + " slots"},
             {"head width used", percent(headWidthUsed(*data.graph, data.schedule))}}};
}

StatisticsTable roomTable(const Schedule& schedule) {
    const ScheduleOptions& o = schedule.options;
    int heads = 0, slots = 0;
    for (const Layer& layer : schedule.layers) {
        heads = std::max(heads, layer.heads);
        slots = std::max(slots, layer.slotsUsed);
    }
    const auto fullest = [](std::int64_t total, int most, int room) {
        return grouped(total) + ", at most " + grouped(most) + " of " + grouped(room) + " in a layer";
    };
    return {"room in use",
            {{"columns", "at most " + grouped(schedule.peakOccupied) + " of " + grouped(o.d) + ", " +
                             percent(meanOccupancy(schedule)) + " on average"},
             {"heads", fullest(schedule.headsTotal, heads, o.headsPerLayer())},
             {"slots", fullest(schedule.slotsTotal, slots, o.slotsPerLayer())}}};
}

std::string spanText(const TorchwrightAnnotation& a) {
    if (a.layerSpan.size() != 3) return "no layers";
    return "layers " + std::to_string(a.layerSpan[0]) + "-" + std::to_string(a.layerSpan[1]) + " (" +
           std::to_string(a.layerSpan[2]) + "), " + a.spanVerdict + ", reach " + std::to_string(a.reach);
}

StatisticsTable annotationTable(const TorchwrightData& data) {
    Rows rows;
    for (const TorchwrightAnnotation& a : data.annotations) {
        rows.emplace_back(a.annotation, grouped(a.nodes) + " nodes, " + grouped(a.neurons) + " neurons, " +
                                            grouped(a.scheduledHeads) + " heads, " + grouped(a.scheduledSlots) +
                                            " slots, " + spanText(a) + ", graph " + grouped(a.graphParams) +
                                            ", allocated " + grouped(a.scheduledParams) + " (" + percent(a.share) +
                                            "), density " + fixed(a.density, 4) + ", original's estimate " +
                                            grouped(a.upstreamEstimate));
    }
    return {"annotations", std::move(rows)};
}

StatisticsTable groupTable(const TorchwrightData& data) {
    const std::int64_t allocated = tiersOf(*data.graph, data.schedule).allocated;
    Rows rows;
    for (const AnnotationRow& group : annotationGroups(torchwright::annotationTable(*data.graph, data.schedule)))
        rows.emplace_back(group.annotation, grouped(group.nodes) + " nodes, graph " + grouped(group.graphParams) +
                                                ", allocated " + grouped(group.scheduledParams) + " (" +
                                                percent(ratio(group.scheduledParams, allocated)) + ")");
    return {"annotations by group", std::move(rows)};
}

StatisticsTable pathTable(const TorchwrightData& data) {
    const TorchwrightPath& p = data.path;
    const int layers = data.schedule.layerCount();
    Rows rows{
        {"longest path", grouped(p.lengthEdges) + " edges, " + grouped(p.realOps) + " operations"},
        {"layers", grouped(layers) + ", bound by order alone " + grouped(data.layerBound())},
        {"bound by order before fusion", grouped(p.asapAlways) + " with Linears of no chain in attention, " +
                                             grouped(p.asapNever) + " with them in the MLP"},
        {"rule of thumb", grouped(p.ruleOfThumb) + ", the bound by order with Adds that take no time"},
        {"scheduling slack", grouped(p.slack) + " layers, inflation (layers / bound) " + fixed(data.inflation(), 2) +
                                 ", layers / longest path " + fixed(ratio(layers, p.lengthEdges), 2)},
        {"tied paths",
         grouped(p.tiedPaths) + (p.tiedPaths > 1 ? ": shortening one of them alone gains nothing" : std::string())},
        {"nodes on one of them", grouped(p.nodesOnSome)},
        {"the original's figure", grouped(p.upstreamFigure)}};
    int listed = 0;
    for (const TorchwrightRun& run : p.runs) {
        if (run.realOps < 3 || ++listed > 10) break;
        rows.emplace_back("run of " + run.annotation, grouped(run.realOps) + " operations from node " +
                                                          std::to_string(run.start) + " of the path on, reach " +
                                                          grouped(run.reach));
    }
    return {"critical path", std::move(rows)};
}

StatisticsTable bindingTable(const TorchwrightData& data) {
    constexpr std::array kCauses{Cause::Order, Cause::HeadRoom, Cause::ColumnRoom, Cause::SlotRoom, Cause::Admission};
    const std::array<int, 5> counts = bindingsOf(data.schedule);
    Rows rows;
    for (std::size_t i = 0; i < kCauses.size(); ++i) {
        if (counts[i] > 0) rows.emplace_back(std::string(causeName(kCauses[i])), grouped(counts[i]) + " layers");
    }
    const auto forced = std::ranges::count(data.schedule.layers, true, &Layer::isForcedByOrder);
    rows.emplace_back("forced by order", grouped(forced) + " layers");
    return {"what bound the layers", std::move(rows)};
}

StatisticsTable layerTable(const TorchwrightData& data) {
    const ScheduleOptions& o = data.schedule.options;
    Rows rows;
    for (std::size_t i = 0; i < data.schedule.layers.size(); ++i) {
        const Layer& layer = data.schedule.layers[i];
        int across = 0;
        for (const AttentionOp& op : layer.attention)
            across += op.kind == AttentionKind::ComputeAttn ? op.heads : 0;
        rows.emplace_back(std::to_string(i),
                          grouped(static_cast<std::int64_t>(layer.attention.size() + layer.mlp.size())) +
                              " ops, fill " + percent(ratio(layer.params, o.layerCapacity())) + ", columns " +
                              percent(ratio(layer.occupiedBefore, o.d)) + " to " +
                              percent(ratio(layer.occupiedAfter, o.d)) + ", slots " + grouped(layer.slotsUsed) +
                              " of " + grouped(o.slotsPerLayer()) + ", heads " + grouped(layer.heads) + " of " +
                              grouped(o.headsPerLayer()) + " (" + grouped(across) + " across positions), refused " +
                              grouped(static_cast<std::int64_t>(layer.refused.size())) + ", bound by " +
                              std::string(causeName(layer.binding)) +
                              (layer.isForcedByOrder ? ", forced by order" : ""));
    }
    return {"layers", std::move(rows)};
}

StatisticsTable plateauTable(const TorchwrightData& data) {
    Rows rows;
    for (const TorchwrightPlateau& p : data.plateaus) {
        const auto largest = std::ranges::max_element(p.share, {}, &std::pair<std::string, double>::second);
        const std::string owner =
            largest == p.share.end() ? std::string("nobody") : largest->first + " holds " + percent(largest->second);
        rows.emplace_back("layers " + std::to_string(p.first) + "-" + std::to_string(p.last),
                          owner + ", operations of a layer " + fixed(p.meanOpsInside, 1) + " inside, " +
                              fixed(p.meanOpsOutside, 1) + " outside");
    }
    return {"plateaus", std::move(rows)};
}

StatisticsTable clusterTable(const TorchwrightData& data) {
    Rows rows;
    for (const TorchwrightCluster& c : data.clusters)
        rows.emplace_back("into node " + std::to_string(c.join), grouped(static_cast<std::int64_t>(c.chains.size())) +
                                                                     " chains, peak width " + grouped(c.peakWidth) +
                                                                     ", at most " + grouped(c.natural) + " in flight");
    return {"parallel chains", std::move(rows)};
}

/// The notes and warnings of torchwright.md 19, as the plan file holds them.
StatisticsTable adviceTable(const Plan& plan) {
    Rows rows;
    for (const Diagnostic& d : plan.problems) {
        const AdviceCode* code = adviceCode(d.code);
        if (code == nullptr && d.code != "TW-100") continue;
        const std::string lever = code == nullptr ? std::string() : ", " + std::string(leverName(code->lever));
        rows.emplace_back(d.code + ' ' + d.where + lever, d.message + (d.hint.empty() ? "" : "; instead: " + d.hint));
    }
    return {"advice", std::move(rows)};
}

StatisticsTable probeTable(const TorchwrightData& data) {
    const TorchwrightProbe& p = *data.probe;
    Rows rows{{"compared", grouped(p.compared) + " nodes on " + grouped(p.positions) + " positions of random input"},
              {"largest difference", text::significant(p.maxError, 3) + " of " + text::number(p.tolerance)},
              {"with 7.25 in free columns", text::significant(p.garbageMaxError, 3)}};
    for (const auto& [reason, count] : p.notProbed)
        rows.emplace_back("not compared", grouped(count) + " nodes: " + reason);
    for (const TorchwrightProbedNode& n : p.worst)
        rows.emplace_back("node " + std::to_string(n.node),
                          n.op + ", after layer " + grouped(n.layer) + ": " + text::significant(n.maxError, 3) +
                              " apart, graph " + text::number(n.expected) + ", transformer " + text::number(n.got));
    return {"numeric probe", std::move(rows)};
}

StatisticsTable triedTable(const Plan& plan) {
    Rows rows;
    for (const Decision& d : plan.decisions)
        if (d.otherKind == kAdviceDecision) rows.emplace_back(sentence(d.chosen), sentence(d.why));
    return {"advice without gain", std::move(rows)};
}

}  // namespace

std::vector<StatisticsTable> statistics(const Plan& plan) {
    const TorchwrightData& data = torchwrightData(plan);
    if (!data.isScheduled()) return {};
    std::vector<StatisticsTable> tables{roomTable(data.schedule), bindingTable(data), tiersTable(data)};
    if (auto better = improvementTable(plan)) tables.push_back(std::move(*better));
    if (data.isReported) {
        tables.insert(tables.end(), {pathTable(data), annotationTable(data), groupTable(data)});
        if (!data.plateaus.empty()) tables.push_back(plateauTable(data));
        if (!data.clusters.empty()) tables.push_back(clusterTable(data));
    }
    if (data.probe) tables.push_back(probeTable(data));
    tables.push_back(layerTable(data));
    for (StatisticsTable table : {adviceTable(plan), triedTable(plan)})
        if (!table.rows.empty()) tables.push_back(std::move(table));
    return tables;
}

std::vector<std::pair<std::string, std::string>> factsOf(const Plan& plan, OpId id) {
    const TorchwrightData& data = torchwrightData(plan);
    if (!data.isScheduled()) return {};
    const std::vector<PlannedOp> ops = plannedOps(*data.graph, data.schedule);
    if (id.at() >= ops.size()) return {};
    const PlannedOp& op = ops[id.at()];
    const Layer& layer = data.schedule.layers[static_cast<std::size_t>(op.layer)];
    Rows rows{{"layer", std::to_string(op.layer) + ", bound by " + std::string(causeName(layer.binding))}};
    const auto columns = [&](std::string label, const ColumnList& list) {
        if (!list.empty()) rows.emplace_back(std::move(label), columnsText(list));
    };
    if (op.mlp != nullptr) {
        columns("writes columns", op.mlp->target), columns("reads columns", op.mlp->source);
        rows.emplace_back("slots", grouped(op.mlp->slotRange.count) + " from " + grouped(op.mlp->slotRange.first));
        return rows;
    }
    columns("writes columns", op.attention->target), columns("reads columns", op.attention->source);
    columns("adds columns", op.attention->sourceB), columns("query", op.attention->query);
    columns("key", op.attention->key), columns("value", op.attention->value);
    rows.emplace_back("heads", grouped(op.attention->heads) + " of " + grouped(layer.heads) + " used in the layer");
    return rows;
}

}  // namespace memplan::torchwright

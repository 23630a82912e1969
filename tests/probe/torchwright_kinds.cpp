// SPDX-License-Identifier: Apache-2.0
// torchwright_compile: a graph and a configuration in, every figure of the compile out (torchwright.md 18).
#include "tests/probe/torchwright_kinds.h"

#include "engine/torchwright/analysis/asap.h"
#include "engine/torchwright/analysis/clusters.h"
#include "engine/torchwright/analysis/paths.h"
#include "engine/torchwright/fusion/fuse_linears.h"
#include "engine/torchwright/graph/graph_json.h"
#include "engine/torchwright/report/annotation_table.h"
#include "engine/torchwright/report/occupancy.h"
#include "engine/torchwright/scheduler/scheduler.h"
#include "tests/probe/input_checks.h"
#include "tests/probe/registry.h"

#include <cmath>

namespace memplan::probe {
namespace {

using nlohmann::json;
using namespace memplan::torchwright;

json runsJson(const ColumnList& columns) {
    json list = json::array();
    for (const ColumnRun& run : columns.runs())
        list.push_back({run.first, run.count});
    return list;
}

double rounded(double value, int decimals) {
    const double scale = std::pow(10.0, decimals);
    return std::nearbyint(value * scale) / scale;  // ties to even, as the recorded figures
}

/// The keys of a recorded configuration with the ranges of settings.md 4; what is missing takes its default.
ScheduleOptions optionsOf(const json& config) {
    ScheduleOptions o;
    const auto whole = [&](const char* key, int fallback, int least, int most) {
        return static_cast<int>(wholeNumber(config.value(key, json(fallback)), least, most, key));
    };
    const auto share = [&](const char* key, double fallback) {
        const double value = config.value(key, fallback);
        require(value >= 0 && value <= 1, std::string(key) + ": not within 0 to 1");
        return value;
    };
    o.d = whole("d", o.d, 1, 65536);
    o.dHead = whole("d_head", o.dHead, 1, 1024);
    require(o.d % o.dHead == 0, "d is no multiple of d_head");
    o.dHidden = whole("d_hidden", o.dHidden, 0, 1048576);
    o.maxLayers = whole("max_layers", o.maxLayers, 1, 100000);
    const std::string routing = config.value("local_in_attention", "never");
    require(routing == "never" || routing == "always", "local_in_attention is neither never nor always");
    o.localInAttention = routing == "never" ? LocalRouting::Never : LocalRouting::Always;
    o.pressureThreshold = share("pressure_threshold", o.pressureThreshold);
    o.assumeZeroInit = config.value("assume_zero_init", o.assumeZeroInit);
    o.admissionControl = config.value("admission_control", o.admissionControl);
    o.admissionBudgetFraction = share("admission_budget_fraction", o.admissionBudgetFraction);
    o.admissionMinChains = whole("admission_min_chains", o.admissionMinChains, 2, 10000);
    o.admissionMinPeakWidth = whole("admission_min_peak_width", o.admissionMinPeakWidth, 1, 65536);
    return o;
}

/// One answer: the graph as given, the graph that is scheduled, its schedule.
class CompileAnswer {
public:
    CompileAnswer(const NodeGraph& given, const json& config)
        : given_(given), options_(optionsOf(config)), fusion_(fuseLinears(given, {})),
          scheduled_(withPosition(config.value("fuse", false) ? fusion_.graph : given, options_.dHead)),
          schedule_(scheduleLayers(scheduled_, options_)) {}

    json answer() const {
        json out = {{"result", resultName(schedule_.result)},
                    {"n_layers", schedule_.layerCount()},
                    {"analysis", analysisJson()},
                    {"fusion", fusionJson()},
                    {"paths", pathsJson()},
                    {"annotation_stats", {{"rows", annotationsJson()}}},
                    {"layers", layersJson()}};
        if (schedule_.result != ScheduleResult::InputsDoNotFit && schedule_.result != ScheduleResult::DHeadTooSmall)
            out["initial_columns"] = initialJson();
        if (options_.admissionControl) out["clusters"] = clustersJson();
        if (!schedule_.ok()) {
            out["error"] = schedule_.error;
            return out;
        }
        out.update(totalsJson());
        return out;
    }

private:
    [[nodiscard]] std::int64_t number(NodeId id) const { return scheduled_.at(id).number; }
    [[nodiscard]] std::string key(NodeId id) const { return std::to_string(number(id)); }

    json totalsJson() const {
        json layers = json::object();
        for (std::size_t i = 0; i < scheduled_.size(); ++i)
            if (schedule_.nodeLayer[i] >= 0) layers[key(NodeId::of(i))] = schedule_.nodeLayer[i];
        return {{"output_columns", runsJson(schedule_.outputColumns)},
                {"layer_capacity", options_.layerCapacity()},
                {"total_capacity", options_.layerCapacity() * schedule_.layerCount()},
                {"params_used", schedule_.paramsUsed},
                {"heads_total", schedule_.headsTotal},
                {"slots_total", schedule_.slotsTotal},
                {"peak_occupied", schedule_.peakOccupied},
                {"node_layer", layers},
                {"plateaus", plateausJson()}};
    }

    json initialJson() const {
        json columns = json::object();
        for (const Holding& holding : schedule_.holdings)
            if (holding.firstLayer < 0) columns[key(holding.owner)] = runsJson(holding.columns);
        return columns;
    }

    json attentionJson(const AttentionOp& op) const {
        json out = {{"op", opName(op.kind)}, {"heads", op.heads}, {"target", runsJson(op.target)}};
        if (op.node.isValid()) out["node"] = number(op.node);
        if (op.kind == AttentionKind::ComputeAttn) {
            out["q"] = runsJson(op.query);
            out["k"] = runsJson(op.key);
            out["v"] = runsJson(op.value);
        } else if (op.kind != AttentionKind::Cancel) {
            out["source"] = runsJson(op.source);
        }
        if (op.kind == AttentionKind::ComputeAdd) out["source_b"] = runsJson(op.sourceB);
        return out;
    }

    json mlpJson(const MlpOp& op) const {
        json out = {{"op", opName(op.kind)}, {"node", number(op.node)}, {"target", runsJson(op.target)}};
        if (op.kind == MlpKind::Bias) return out;
        out["slots"] = {op.slotRange.first, op.slotRange.count};
        out["source"] = runsJson(op.source);
        return out;
    }

    json layersJson() const {
        const auto occupancy = occupancyOf(scheduled_, schedule_);
        json layers = json::array();
        for (std::size_t i = 0; i < schedule_.layers.size(); ++i) {
            const Layer& layer = schedule_.layers[i];
            json attention = json::array(), mlp = json::array(), released = json::array();
            for (const AttentionOp& op : layer.attention)
                attention.push_back(attentionJson(op));
            for (const MlpOp& op : layer.mlp)
                mlp.push_back(mlpJson(op));
            for (const NodeId id : layer.released)
                released.push_back(number(id));
            layers.push_back({{"heads", layer.heads},
                              {"slots", layer.slotsUsed},
                              {"params", layer.params},
                              {"occupied_before", layer.occupiedBefore},
                              {"occupied_after", layer.occupiedAfter},
                              {"attn", attention},
                              {"mlp", mlp},
                              {"released", released},
                              {"live_by_annotation", occupancy[i]}});
        }
        return layers;
    }

    json plateausJson() const {
        json list = json::array();
        for (const Plateau& plateau : plateausOf(scheduled_, schedule_)) {
            json columns = json::object(), share = json::object();
            for (const Plateau::Contributor& c : plateau.contributors) {
                columns[c.annotation] = rounded(c.columns, 3);
                share[c.annotation] = rounded(c.share, 4);
            }
            list.push_back({{"first", plateau.first},
                            {"last", plateau.last},
                            {"avg_columns", columns},
                            {"share", share},
                            {"mean_ops_inside", rounded(plateau.meanOpsInside, 3)},
                            {"mean_ops_outside", rounded(plateau.meanOpsOutside, 3)}});
        }
        return list;
    }

    json clustersJson() const {
        json list = json::array();
        const auto clusters = clustersOf(scheduled_, relationsOf(scheduled_), clusterRuleOf(options_));
        for (std::size_t i = 0; i < clusters.size(); ++i) {
            json chains = json::array();
            for (const ClusterChain& chain : clusters[i].chains) {
                json nodes = json::array();
                for (const NodeId id : chain.nodes)
                    nodes.push_back(number(id));
                chains.push_back({{"chain", chains.size()},
                                  {"terminal", number(chain.terminal)},
                                  {"peak_width", chain.peakWidth},
                                  {"nodes", nodes}});
            }
            list.push_back({{"cluster", i},
                            {"join", number(clusters[i].join)},
                            {"peak_chain_width", clusters[i].peakWidth},
                            {"chains", chains}});
        }
        return list;
    }

    static json asapJson(const NodeGraph& graph, const Relations& relations) {
        const auto chains = chainsOf(graph, relations);
        return {{"always", asapOf({graph, relations, chains, LocalRouting::Always}).layers},
                {"never", asapOf({graph, relations, chains, LocalRouting::Never}).layers}};
    }

    static int nodesOf(const NodeGraph& graph) {
        int count = 0;
        for (const bool isNeeded : neededNodes(graph))
            count += isNeeded ? 1 : 0;
        return count;
    }

    static std::int64_t paramsOf(const NodeGraph& graph) {
        std::int64_t params = 0;
        for (const Node& node : graph.nodes)
            params += node.params;
        return params;
    }

    json analysisJson() const {
        const Relations relations = relationsOf(given_);
        const auto needed = neededNodes(given_);
        json types = json::object(), distances = json::object(), chains = json::array();
        for (std::size_t i = 0; i < given_.size(); ++i) {
            if (!needed[i]) continue;
            const Node& node = given_.nodes[i];
            const std::string type(kindName(node.kind));
            types[type] = types.value(type, 0) + 1;
            distances[std::to_string(node.number)] = relations.distance[i];
        }
        for (const Chain& chain : chainsOf(given_, relations))
            chains.push_back({given_.at(chain.first).number, given_.at(chain.relu).number,
                              given_.at(chain.second).number, chain.isExclusive});
        return {{"nodes", nodesOf(given_)},
                {"by_type", types},
                {"graph_params", paramsOf(given_)},
                {"critical_path_length", relations.longest},
                {"distance_to_output", distances},
                {"chains", chains},
                {"asap_layers", asapJson(given_, relations)}};
    }

    json fusionJson() const {
        const NodeGraph& after = fusion_.graph;
        const Relations relations = relationsOf(after);
        int linears = 0;
        for (const Node& node : after.nodes)
            linears += node.is(NodeKind::Linear) ? 1 : 0;
        return {{"assert_nodes_stripped_first", true},
                {"fused_pairs", fusion_.fused.size()},
                {"nodes_after", nodesOf(after)},
                {"linears_after", linears},
                {"graph_params_after", paramsOf(after)},
                {"critical_path_after", relations.longest},
                {"asap_layers_after", asapJson(after, relations)},
                {"surviving_linears", survivorsJson()}};
    }

    json survivorsJson() const {
        json list = json::array();
        if (fusion_.fused.empty()) return list;
        for (const Node& node : fusion_.graph.nodes)
            if (node.is(NodeKind::Linear))
                list.push_back(
                    {node.number, fusion_.graph.at(node.inputs.front()).number, node.linear().inputWidth, node.width});
        return list;
    }

    json pathsJson() const {
        const CriticalPath path = criticalPathOf(given_, relationsOf(given_));
        json example = json::array(), runs = json::array();
        for (const NodeId id : path.example)
            example.push_back(given_.at(id).number);
        for (const PathRun& run : path.runs)
            runs.push_back({{"annotation", run.annotation},
                            {"start", run.start},
                            {"nodes", run.nodes},
                            {"real_ops", run.realOps}});
        return {{"length_edges", path.lengthEdges},
                {"example_path", example},
                {"real_ops", path.realOps},
                {"runs", runs},
                {"tied_paths", path.tiedPaths},
                {"nodes_on_some_longest_path", path.nodesOnSome},
                {"upstream_graph_stats_figure", path.upstreamFigure}};
    }

    json annotationsJson() const {
        json rows = json::object();
        for (const AnnotationRow& row : annotationTable(scheduled_, schedule_)) {
            json out = {{"nodes", row.nodes},
                        {"neurons", row.neurons},
                        {"heads", row.heads},
                        {"graph_params", row.graphParams},
                        {"upstream_alloc_estimate", row.upstreamEstimate},
                        {"scheduled_heads", row.scheduledHeads},
                        {"scheduled_slots", row.scheduledSlots},
                        {"scheduled_params", row.scheduledParams},
                        {"layer_span", nullptr}};
            if (row.span) out["layer_span"] = {row.span->first, row.span->last, row.span->distinct};
            rows[row.annotation] = std::move(out);
        }
        return rows;
    }

    const NodeGraph& given_;
    ScheduleOptions options_;
    Fusion fusion_;
    NodeGraph scheduled_;
    Schedule schedule_;
};

json compile(const json& in) {
    const auto read = readGraph(in.at("graph").dump(), {}, {});
    if (!read) throw ProbeError{"bad_input", read.error().primary().message};
    return CompileAnswer(stripped(read.value().graph), in.at("config")).answer();
}

}  // namespace

void registerTorchwright(Registry& registry) {
    registry.add("torchwright_compile", compile);
}

}  // namespace memplan::probe

// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/plan_file/codec.h"

#include "engine/torchwright/plan_file/from_file.h"
#include "engine/torchwright/plan_file/records.h"
#include "engine/torchwright/plan_file/to_file.h"

#include <algorithm>

namespace memplan::torchwright {
namespace {

/// Settings of the schedule; hints stand in the plan.
void options(auto& file, auto& o) {
    file.member("d", o.d);
    file.member("d_head", o.dHead);
    file.member("d_hidden", o.dHidden);
    file.member("max_layers", o.maxLayers);
    file.member("local_in_attention", o.localInAttention);
    file.member("pressure_threshold", o.pressureThreshold);
    file.member("assume_zero_init", o.assumeZeroInit);
    file.member("admission_control", o.admissionControl);
    file.member("admission_budget_fraction", o.admissionBudgetFraction);
    file.member("admission_min_chains", o.admissionMinChains);
    file.member("admission_min_peak_width", o.admissionMinPeakWidth);
}

void totals(auto& file, auto& s) {
    file.member("heads_total", s.headsTotal);
    file.member("slots_total", s.slotsTotal);
    file.member("params_used", s.paramsUsed);
    file.member("peak_occupied", s.peakOccupied);
    file.member("remaining_nodes", s.remainingNodes);
    file.member("free_columns", s.freeColumns);
}

void report(auto& file, auto& data) {
    file.member("critical_path", data.path);
    file.member("annotations", data.annotations);
    file.member("plateaus", data.plateaus);
    file.member("clusters", data.clusters);
}

/// Nodes that are not in the graph after fusion, or read something else there.
std::vector<file::Node> fusedNodes(const file::Graph& before, const file::Graph& after) {
    std::vector<file::Node> nodes;
    for (const file::Node& node : before.nodes) {
        const auto it = std::ranges::lower_bound(after.nodes, node.number, {}, &file::Node::number);
        const bool isSame = it != after.nodes.end() && it->number == node.number && it->inputs == node.inputs;
        if (!isSame) nodes.push_back(node);
    }
    return nodes;
}

std::vector<file::Layer> layersWithOwners(const TorchwrightData& data) {
    std::vector<file::Layer> layers = file::layersToFile(*data.graph, data.schedule);
    for (std::size_t i = 0; i < std::min(layers.size(), data.occupancy.size()); ++i)
        layers[i].liveByAnnotation = data.occupancy[i];
    return layers;
}

/// Reads the schedule in the order in which its parts need each other.
class ScheduleReader {
public:
    ScheduleReader(io::RecordReader& in, TorchwrightData& data) : in_(in), data_(data) {}

    void run() {
        in_.group("config", [&](auto& f) { options(f, data_.schedule.options); });
        const ScheduleOptions& o = data_.schedule.options;
        if (o.d < 1 || o.d > 65536 || o.dHead < 1) return in_.fail("config has no stream of columns");
        file::Graph graph;
        in_.member("graph", graph);
        auto read = file::graphFromFile(graph);
        if (!read) return in_.fail("graph: " + read.error().primary().message);
        data_.graph = std::make_shared<const NodeGraph>(std::move(read).value());
        in_.member("result", data_.schedule.result);
        in_.optional("error", data_.schedule.error);
        readLayers();
        readColumns();
        in_.group("totals", [&](auto& f) { totals(f, data_.schedule); });
        readUnfused(std::move(graph));
        if (in_.fields().optional(in_.at(), "numeric_probe") != 0) in_.member("numeric_probe", data_.probe.emplace());
        if (in_.fields().optional(in_.at(), "critical_path") == 0) return;
        data_.isReported = true;
        report(in_, data_);
    }

private:
    io::RecordReader& in_;
    TorchwrightData& data_;

    /// The graph before fusion: that of the file with the nodes which fusion removed or changed.
    void readUnfused(file::Graph graph) {
        std::vector<file::Node> nodes;
        in_.optional("unfused", nodes);
        if (nodes.empty()) return;
        for (file::Node& node : nodes) {
            const auto at = std::ranges::lower_bound(graph.nodes, node.number, {}, &file::Node::number);
            if (at != graph.nodes.end() && at->number == node.number)
                *at = std::move(node);
            else
                graph.nodes.insert(at, std::move(node));
        }
        auto read = file::graphFromFile(graph);
        if (!read) return in_.fail("unfused: " + read.error().primary().message);
        data_.unfused = std::make_shared<const NodeGraph>(std::move(read).value());
    }

    void readLayers() {
        std::vector<file::Layer> layers;
        in_.member("layers", layers);
        auto read = file::layersFromFile(*data_.graph, layers, data_.schedule.options.d);
        if (!read) return in_.fail("layers: " + read.error().primary().message);
        data_.schedule.layers = std::move(read).value();
        for (file::Layer& layer : layers)
            data_.occupancy.push_back(std::move(layer.liveByAnnotation));
    }

    void readColumns() {
        Schedule& s = data_.schedule;
        std::vector<std::pair<std::int64_t, file::Holding>> holdings;
        in_.table("columns", holdings);
        for (const auto& [number, from] : holdings) {
            const NodeId owner = data_.graph->find(number);
            auto columns = file::columnsFromFile(from.columns, s.options.d);
            if (!owner.isValid() || !columns) return in_.fail("columns: the entry of node " + std::to_string(number));
            s.holdings.push_back({owner, std::move(columns).value(), from.firstLayer, from.lastLayer});
        }
        std::vector<std::pair<std::int64_t, std::int32_t>> layers;
        in_.table("node_layer", layers);
        s.nodeLayer.assign(data_.graph->size(), -1);
        for (const auto& [number, layer] : layers) {
            const NodeId id = data_.graph->find(number);
            if (!id.isValid() || layer < 0 || layer >= s.layerCount())
                return in_.fail("node_layer: the entry of node " + std::to_string(number));
            s.nodeLayer[id.at()] = layer;
        }
        file::Runs output;
        in_.optional("output_columns", output);
        auto columns = file::columnsFromFile(output, s.options.d);
        if (!columns) return in_.fail("output_columns: " + columns.error().primary().message);
        s.outputColumns = std::move(columns).value();
    }
};

}  // namespace

void writeData(const Plan& plan, io::RecordWriter& out) {
    const TorchwrightData& data = torchwrightData(plan);
    if (!data.isScheduled()) return;
    const NodeGraph& graph = *data.graph;
    const Schedule& s = data.schedule;
    out.group("config", [&](auto& f) { options(f, s.options); });
    out.member("result", s.result);
    out.sparse("error", s.error);
    out.member("layers", layersWithOwners(data));
    std::vector<std::pair<std::int64_t, file::Holding>> holdings;
    for (const Holding& h : s.holdings)
        holdings.emplace_back(graph.at(h.owner).number,
                              file::Holding{file::runsOf(h.columns), h.firstLayer, h.lastLayer});
    out.table("columns", holdings);
    std::vector<std::pair<std::int64_t, std::int32_t>> layers;
    for (std::size_t i = 0; i < graph.size(); ++i) {
        if (s.nodeLayer[i] >= 0) layers.emplace_back(graph.nodes[i].number, s.nodeLayer[i]);
    }
    out.table("node_layer", layers);
    out.member("output_columns", file::runsOf(s.outputColumns));
    out.group("totals", [&](auto& f) { totals(f, s); });
    if (data.isReported) report(out, data);
    if (data.probe) out.member("numeric_probe", *data.probe);
    const file::Graph scheduled = file::graphToFile(graph);
    out.member("graph", scheduled);
    if (data.unfused) out.member("unfused", fusedNodes(file::graphToFile(*data.unfused), scheduled));
}

void readData(io::PlanFields& fields, io::TapeIndex at, Plan& plan) {
    if (fields.optional(at, "layers") == 0) return;
    TorchwrightData& data = editTargetData<TorchwrightData>(plan.targetData);
    io::RecordReader in(fields, at);
    ScheduleReader(in, data).run();
    if (fields.error()) {
        plan.targetData = nullptr;
        return;
    }
    if (plan.buffers.size() != data.graph->size()) in.fail("the graph has another number of nodes than buffers");
}

}  // namespace memplan::torchwright

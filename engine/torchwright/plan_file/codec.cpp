// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/plan_file/codec.h"

#include "engine/base/text.h"
#include "engine/torchwright/plan_file/records.h"
#include "engine/torchwright/plan_file/stream_records.h"

#include <algorithm>
#include <functional>

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

NodeNumbers numbersOf(const NodeGraph& graph) {
    NodeNumbers numbers;
    for (const Node& node : graph.nodes)
        numbers.push_back(node.number);
    return numbers;
}

/// Where a node of this number stands, or belongs.
auto placeOf(auto& nodes, std::int64_t number) {
    return std::ranges::lower_bound(nodes, number, {}, &Node::number);
}

/// Nodes that are not in the graph after fusion, or read something else there.
std::vector<Node> fusedNodes(const NodeGraph& before, const NodeGraph& after) {
    const auto readsSame = [&](const Node& a, const Node& b) {
        return std::ranges::equal(
            a.inputs, b.inputs, {}, [&](NodeId id) { return before.at(id).number; },
            [&](NodeId id) { return after.at(id).number; });
    };
    std::vector<Node> nodes;
    for (const Node& node : before.nodes) {
        const auto it = placeOf(after.nodes, node.number);
        const bool isSame = it != after.nodes.end() && it->number == node.number && readsSame(node, *it);
        if (!isSame) nodes.push_back(node);
    }
    return nodes;
}

/// Reads target_data in the order in which its parts need each other.
class ScheduleReader {
public:
    ScheduleReader(io::RecordReader& in, TorchwrightData& data) : in_(in), data_(data) {}

    void run() {
        in_.group("config", [&](auto& f) { options(f, data_.schedule.options); });
        const ScheduleOptions& o = data_.schedule.options;
        if (o.d < 1 || o.d > 65536 || o.dHead < 1) return in_.fail("config has no stream of columns");
        data_.graph = std::make_shared<const NodeGraph>(readGraph({}));
        in_.member("result", data_.schedule.result);
        in_.optional("error", data_.schedule.error);
        readSchedule(numbersOf(*data_.graph));
        in_.group("totals", [&](auto& f) { totals(f, data_.schedule); });
        bool isFused = false;
        fields_.each(fields_.optional(in_.at(), "unfused"), [&](io::TapeIndex) { isFused = true; });
        if (isFused) data_.unfused = std::make_shared<const NodeGraph>(readGraph("unfused"));
        if (fields_.optional(in_.at(), "numeric_probe") != 0) in_.member("numeric_probe", data_.probe.emplace());
        if (fields_.optional(in_.at(), "critical_path") == 0) return;
        data_.isReported = true;
        report(in_, data_);
    }

private:
    io::RecordReader& in_;
    io::PlanFields& fields_ = in_.fields();
    TorchwrightData& data_;

    void addNumbers(io::TapeIndex nodes, NodeNumbers& numbers) {
        fields_.each(nodes, [&](io::TapeIndex at) { numbers.push_back(fields_.integer(at, "id")); });
    }

    /// The graph of the file. `others`: list of nodes to take in place of those of the same number, and beside them.
    NodeGraph readGraph(std::string_view others) {
        NodeGraph graph;
        NodeNumbers numbers;
        const io::TapeIndex at = fields_.object(in_.at(), "graph");
        if (at == 0) return graph;
        addNumbers(fields_.required(at, "nodes"), numbers);
        if (std::ranges::adjacent_find(numbers, std::greater_equal()) != numbers.end())
            fields_.fail(at, "nodes do not stand by ascending id");
        if (!others.empty()) addNumbers(fields_.optional(in_.at(), others), numbers);
        std::ranges::sort(numbers);
        numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
        const StreamRecords records(numbers);
        io::RecordReader file(fields_, at);
        records.graph(file, graph);
        records.nodeList(file, "nodes", graph.nodes);
        std::vector<Node> changed;
        if (!others.empty()) records.nodeList(in_, others, changed);
        for (Node& node : changed) {
            const auto place = placeOf(graph.nodes, node.number);
            const bool isThere = place != graph.nodes.end() && place->number == node.number;
            isThere ? void(*place = std::move(node)) : void(graph.nodes.insert(place, std::move(node)));
        }
        if (!fields_.error() && topologicalOrder(graph).size() < graph.size())
            fields_.fail(at, "the graph has a cycle");
        return graph;
    }

    void readSchedule(const NodeNumbers& numbers) {
        Schedule& s = data_.schedule;
        const StreamRecords records(numbers, s.options.d);
        in_.objects("layers", s.layers, false,
                    [&](auto& file, auto& layer) { records.layer(file, layer, data_.occupancy.emplace_back()); });
        fields_.eachMember(fields_.optional(in_.at(), "columns"), [&](io::TapeIndex at) {
            io::RecordReader file(fields_, at);
            Holding& holding = s.holdings.emplace_back();
            holding.owner = nodeOfKey(at);
            records.holding(file, holding);
        });
        s.nodeLayer.assign(data_.graph->size(), -1);
        fields_.eachMember(fields_.optional(in_.at(), "node_layer"), [&](io::TapeIndex at) {
            const NodeId id = nodeOfKey(at);
            const std::int32_t layer = fields_.smallAt(at);
            if (layer < 0 || layer >= s.layerCount()) return fields_.fail(at, "the schedule has no such layer");
            if (id.isValid()) s.nodeLayer[id.at()] = layer;
        });
        in_.optional("output_columns", records.columns(s.outputColumns));
    }

    NodeId nodeOfKey(io::TapeIndex at) {
        const auto number = text::parseInt(fields_.tape.key(at));
        const NodeId id = number ? data_.graph->find(*number) : NodeId();
        if (!id.isValid()) fields_.fail(at, "the key is the number of no node");
        return id;
    }
};

void writeSchedule(const NodeNumbers& numbers, const TorchwrightData& data, io::RecordWriter& out) {
    const Schedule& s = data.schedule;
    const StreamRecords records(numbers, s.options.d);
    std::size_t i = 0;
    const decltype(data.occupancy)::value_type none;
    out.objects("layers", s.layers, false, [&](auto& file, const Layer& layer) {
        records.layer(file, layer, i < data.occupancy.size() ? data.occupancy[i] : none);
        ++i;
    });
    out.inlineGroup("columns", [&](auto& columns) {
        for (const Holding& h : s.holdings)
            columns.inlineGroup(std::to_string(numbers[h.owner.at()]), [&](auto& file) { records.holding(file, h); });
    });
    out.inlineGroup("node_layer", [&](auto& layers) {
        for (std::size_t node = 0; node < numbers.size(); ++node)
            layers.sparse(std::to_string(numbers[node]), s.nodeLayer[node], s.nodeLayer[node] >= 0);
    });
    out.member("output_columns", records.columns(s.outputColumns));
}

}  // namespace

void writeData(const Plan& plan, io::RecordWriter& out) {
    const TorchwrightData& data = torchwrightData(plan);
    if (!data.isScheduled()) return;
    const NodeNumbers numbers = numbersOf(*data.graph);
    out.group("config", [&](auto& f) { options(f, data.schedule.options); });
    out.member("result", data.schedule.result);
    out.sparse("error", data.schedule.error);
    writeSchedule(numbers, data, out);
    out.group("totals", [&](auto& f) { totals(f, data.schedule); });
    if (data.isReported) report(out, data);
    if (data.probe) out.member("numeric_probe", *data.probe);
    out.group("graph", [&](auto& file) {
        const StreamRecords records(numbers);
        records.graph(file, *data.graph);
        records.nodeList(file, "nodes", data.graph->nodes);
    });
    if (!data.unfused) return;
    const NodeNumbers before = numbersOf(*data.unfused);
    const std::vector<Node> fused = fusedNodes(*data.unfused, *data.graph);
    StreamRecords(before).nodeList(out, "unfused", fused);
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

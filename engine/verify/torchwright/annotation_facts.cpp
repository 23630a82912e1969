// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/own_figures.h"
#include "engine/verify/torchwright/report_facts.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace memplan::verify::torchwright {
namespace {

using namespace memplan::torchwright;

constexpr const char* kCancel = "(cancel)";

/// Heads of an Attn and of a Linear in attention.
std::int64_t headsOf(const Node& node, int dHead) {
    return headsFor(node.is(NodeKind::Attn) ? node.attn().v : node.linear().inputWidth, dHead);
}

double ratio(std::int64_t part, std::int64_t whole) {
    return whole != 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

std::int64_t allocatedBy(const Schedule& s) {
    std::int64_t sum = 0;
    for (const Layer& layer : s.layers) {
        for (const AttentionOp& op : layer.attention)
            sum += op.heads * s.options.headParams();
        for (const MlpOp& op : layer.mlp)
            sum += op.kind == MlpKind::Bias ? std::int64_t{op.target.size()}
                                            : std::int64_t{op.slotRange.count} * s.options.slotParams();
    }
    return sum;
}

class AnnotationFacts {
public:
    AnnotationFacts(const Program& program, const TorchwrightData& data, const Bound& bound, Report& report)
        : p_(program), g_(program.graph), data_(data), o_(data.schedule.options), report_(report), bound_(bound),
          isBeforeRelu_(g_.size(), false) {
        for (const Node& node : g_.nodes)
            if (node.is(NodeKind::ReLU)) isBeforeRelu_[node.inputs.front().at()] = true;
    }

    void run() {
        rows_[kCancel];
        for (std::size_t i = 0; i < g_.size(); ++i)
            if (p_.distance[i] >= 0) members_[annotationOf(g_.nodes[i])].push_back(NodeId::of(i));
        for (const auto& [name, nodes] : members_)
            addNodes(nodes, rows_[name]);
        for (const Layer& layer : data_.schedule.layers)
            addLayer(layer);
        compare();
    }

private:
    const Program& p_;
    const NodeGraph& g_;
    const TorchwrightData& data_;
    const ScheduleOptions& o_;
    Report& report_;
    const Bound& bound_;
    Marked isBeforeRelu_;
    std::map<std::string, TorchwrightAnnotation> rows_;
    std::map<std::string, std::vector<NodeId>> members_;  ///< that an output needs

    void addNodes(const std::vector<NodeId>& nodes, TorchwrightAnnotation& row) const {
        std::set<int> layers;
        for (const NodeId id : nodes) {
            const Node& node = g_.at(id);
            ++row.nodes;
            row.graphParams += node.params;
            row.neurons += node.is(NodeKind::ReLU) ? node.width : 0;
            row.heads += estimate(id);
            if (node.is(NodeKind::Linear) || node.is(NodeKind::Attn))
                row.upstreamEstimate += headsOf(node, o_.dHead) * o_.headParams();
            const std::vector<int>& layerOf = data_.schedule.nodeLayer;
            if (!node.is(NodeKind::Concatenate) && id.at() < layerOf.size() && layerOf[id.at()] >= 0)
                layers.insert(layerOf[id.at()]);
        }
        if (!layers.empty()) row.layerSpan = {*layers.begin(), *layers.rbegin(), static_cast<int>(layers.size())};
    }

    /// Heads by the original's table: a Linear beside a ReLU is a part of a chain.
    [[nodiscard]] std::int64_t estimate(NodeId id) const {
        const Node& node = g_.at(id);
        if (node.is(NodeKind::Attn)) return headsOf(node, o_.dHead);
        if (node.is(NodeKind::Add)) return headsFor(node.width, o_.dHead);
        if (!node.is(NodeKind::Linear)) return 0;
        const bool isBehindRelu = g_.at(node.inputs.front()).is(NodeKind::ReLU);
        return isBehindRelu || isBeforeRelu_[id.at()] ? 0 : headsOf(node, o_.dHead);
    }

    void addLayer(const Layer& layer) {
        for (const AttentionOp& op : layer.attention)
            rows_[op.node.isValid() ? annotationOf(g_.at(op.node)) : kCancel].scheduledHeads += op.heads;
        for (const MlpOp& op : layer.mlp)
            rows_[annotationOf(g_.at(op.node))].scheduledSlots += op.slotRange.count;
    }

    void finish(const std::string& name, std::int64_t allocated, TorchwrightAnnotation& row) const {
        row.annotation = name;
        row.scheduledParams = row.scheduledHeads * o_.headParams() + row.scheduledSlots * o_.slotParams();
        row.share = allocated > 0 ? ratio(row.scheduledParams, allocated) : 0;
        row.density = ratio(row.graphParams, row.scheduledParams);
        if (row.layerSpan.empty()) return;
        Marked marked(g_.size(), false);
        int first = std::numeric_limits<int>::max(), last = -1;
        for (std::size_t i = 0; i < g_.size(); ++i) {
            marked[i] = annotationOf(g_.nodes[i]) == name;
            if (!marked[i] || isInputLike(g_.nodes[i].kind) || g_.nodes[i].is(NodeKind::Concatenate)) continue;
            first = std::min(first, bound_.layerOf(NodeId::of(i)));
            last = std::max(last, bound_.layerOf(NodeId::of(i)));
        }
        row.asapSpan = last < 0 ? 0 : last - first + 1;
        row.reach = bound_.reach(marked);
        const double span = row.layerSpan[1] - row.layerSpan[0] + 1;
        row.spanVerdict = span > 1.5 * row.asapSpan ? "bound by scheduling" : "bound by depth";
    }

    void compare() {
        const std::int64_t allocated = allocatedBy(data_.schedule);
        report_.expect("annotations", static_cast<std::int64_t>(data_.annotations.size()),
                       static_cast<std::int64_t>(rows_.size()));
        for (auto& [name, row] : rows_) {
            const auto it = std::ranges::find(data_.annotations, name, &TorchwrightAnnotation::annotation);
            if (it == data_.annotations.end()) {
                report_.add("VER-013", "annotations", "there is no row for " + text::quoted(name));
                continue;
            }
            finish(name, allocated, row);
            compareRow(*it, row);
        }
    }

    void compareRow(const TorchwrightAnnotation& stated, const TorchwrightAnnotation& real) {
        const std::string where = "annotation " + real.annotation + " ";
        const auto expect = [&](const char* key, std::int64_t a, std::int64_t b) { report_.expect(where + key, a, b); };
        expect("nodes", stated.nodes, real.nodes);
        expect("neurons", stated.neurons, real.neurons);
        expect("heads", stated.heads, real.heads);
        expect("graph_params", stated.graphParams, real.graphParams);
        expect("upstream_alloc_estimate", stated.upstreamEstimate, real.upstreamEstimate);
        expect("scheduled_heads", stated.scheduledHeads, real.scheduledHeads);
        expect("scheduled_slots", stated.scheduledSlots, real.scheduledSlots);
        expect("scheduled_params", stated.scheduledParams, real.scheduledParams);
        expect("asap_span", stated.asapSpan, real.asapSpan);
        expect("reach", stated.reach, real.reach);
        report_.expect(where + "share", stated.share, real.share);
        report_.expect(where + "density", stated.density, real.density);
        if (stated.layerSpan != real.layerSpan)
            report_.add("VER-013", where + "layer_span", "it is not that of the layers of its nodes");
        if (stated.spanVerdict != real.spanVerdict)
            report_.add("VER-013", where + "span_verdict", "it does not follow from both spans");
        checkNonZeros(where, stated);
    }

    /// The entries themselves are not in a plan file: matrices of Linears have their count, the rest has its size.
    void checkNonZeros(const std::string& where, const TorchwrightAnnotation& stated) {
        std::int64_t least = 0, most = 0;
        const auto it = members_.find(stated.annotation);
        for (const NodeId id : it != members_.end() ? it->second : std::vector<NodeId>()) {
            const Node& node = g_.at(id);
            const bool isLinear = node.is(NodeKind::Linear);
            const std::int64_t counted = isLinear ? std::max<std::int64_t>(0, node.linear().nonZeros) : 0;
            least += counted;
            most += isLinear ? counted + node.width : node.params;
        }
        if (stated.nonZeros < least || stated.nonZeros > most)
            report_.add("VER-013", where + "nnz",
                        "says " + text::grouped(stated.nonZeros) + ", its nodes allow " + text::grouped(least) +
                            " to " + text::grouped(most));
    }
};

}  // namespace

void checkAnnotations(const Program& program, const TorchwrightData& data, const Bound& bound, Report& report) {
    AnnotationFacts(program, data, bound, report).run();
}

void checkMetrics(const Plan& plan, const TorchwrightData& data, const Bound& bound, Report& report) {
    const Schedule& s = data.schedule;
    std::int64_t heads = 0, slots = 0, ops = 0, cancels = 0, graphParams = 0, occupied = 0;
    Columns peak = 0;
    for (const Holding& h : s.holdings)
        peak += h.firstLayer < 0 ? h.columns.size() : 0;
    for (const Layer& layer : s.layers) {
        ops += static_cast<std::int64_t>(layer.attention.size() + layer.mlp.size());
        for (const AttentionOp& op : layer.attention) {
            heads += op.heads;
            cancels += op.kind == AttentionKind::Cancel ? op.heads : 0;
        }
        for (const MlpOp& op : layer.mlp)
            slots += op.slotRange.count;
        occupied += layer.occupiedAfter;
        peak = std::max(peak, layer.occupiedAfter);
    }
    for (const Node& node : data.graph->nodes)
        graphParams += node.params;
    const auto layers = static_cast<std::int64_t>(s.layers.size());
    const std::int64_t allocated = allocatedBy(s), capacity = layers * s.options.layerCapacity();
    const auto whole = [](std::int64_t n) { return static_cast<double>(n); };
    checkOwnFigures(plan.metrics,
                    {{"layers", whole(layers)},
                     {"asap_layers", whole(bound.layers())},
                     {"layer_ops", whole(ops)},
                     {"heads", whole(heads)},
                     {"slots", whole(slots)},
                     {"peak_columns", whole(peak)},
                     {"mean_occupancy", ratio(occupied, layers * s.options.d)},
                     {"graph_params", whole(graphParams)},
                     {"allocated_params", whole(allocated)},
                     {"total_capacity", whole(capacity)},
                     {"density", ratio(graphParams, allocated)},
                     {"utilisation", ratio(allocated, capacity)},
                     {"cancel_share", ratio(cancels * s.options.headParams(), allocated)}},
                    report);
}

}  // namespace memplan::verify::torchwright

// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/torchwright/path_facts.h"

#include "engine/verify/torchwright/bound.h"

#include <algorithm>
#include <map>
#include <optional>

namespace memplan::verify::torchwright {
namespace {

using namespace memplan::torchwright;

constexpr std::int64_t kMostTied = 1'000'000;

class PathFacts {
public:
    PathFacts(const Program& program, const TorchwrightData& data, Report& report)
        : p_(program), g_(program.graph), data_(data), stated_(data.path), report_(report), readers_(g_.size()) {
        for (std::size_t i = 0; i < g_.size(); ++i)
            for (const NodeId input : g_.nodes[i].inputs)
                readers_[input.at()].push_back(NodeId::of(i));
    }

    void run(int scheduledBound) {
        const LocalRouting routing = data_.schedule.options.localInAttention;
        const Bound bound(p_, routing);
        expect("length_edges", stated_.lengthEdges, p_.longest);
        expect("tied_paths", stated_.tiedPaths, tiedPaths());
        expect("upstream_graph_stats_figure", stated_.upstreamFigure, largestShortestWay());
        expect("nodes_on_some_longest_path", stated_.nodesOnSome, onSomePath());
        expect("asap_layers", stated_.asapLayers, bound.layers());
        expect("asap_always", stated_.asapAlways, Bound(p_, LocalRouting::Always).layers());
        expect("asap_never", stated_.asapNever, Bound(p_, LocalRouting::Never).layers());
        Marked adds(g_.size());
        for (std::size_t i = 0; i < g_.size(); ++i)
            adds[i] = g_.nodes[i].is(NodeKind::Add);
        expect("rule_of_thumb", stated_.ruleOfThumb, bound.layersWithout(adds));
        expect("slack", stated_.slack, data_.schedule.layerCount() - scheduledBound);
        checkExample(bound);
    }

private:
    const Program& p_;
    const NodeGraph& g_;
    const TorchwrightData& data_;
    const TorchwrightPath& stated_;
    Report& report_;
    std::vector<std::vector<NodeId>> readers_;  ///< direct ones, per occurrence

    void expect(const char* key, std::int64_t stated, std::int64_t real) {
        report_.expect(std::string("critical_path ") + key, stated, real);
    }

    /// Longest ways from each node to an output, counted from the outputs on.
    [[nodiscard]] std::int64_t tiedPaths() const {
        std::vector<std::int64_t> ways(g_.size(), 0);
        std::int64_t all = 0;
        for (auto it = p_.order.rbegin(); it != p_.order.rend(); ++it) {
            const int distance = p_.distance[it->at()];
            if (distance < 0) continue;
            std::int64_t own = distance == 0 ? 1 : 0;
            NodeId before;
            for (const NodeId reader : readers_[it->at()]) {
                if (reader == before || p_.distance[reader.at()] + 1 != distance) continue;
                own += ways[reader.at()];
                before = reader;
            }
            ways[it->at()] = std::min(own, kMostTied);
            if (distance == p_.longest) all += ways[it->at()];
        }
        return std::min(all, kMostTied);
    }

    [[nodiscard]] std::int64_t largestShortestWay() const {
        std::vector<int> way(g_.size(), -1);
        std::vector<NodeId> front = g_.outputs();
        int steps = -1;
        for (const NodeId output : front)
            way[output.at()] = 0;
        for (; !front.empty(); ++steps) {
            std::vector<NodeId> next;
            for (const NodeId id : front) {
                for (const NodeId input : g_.at(id).inputs) {
                    if (way[input.at()] >= 0) continue;
                    way[input.at()] = way[id.at()] + 1;
                    next.push_back(input);
                }
            }
            front = std::move(next);
        }
        return steps;
    }

    [[nodiscard]] std::int64_t onSomePath() const {
        std::int64_t count = 0;
        for (std::size_t i = 0; i < g_.size(); ++i)
            count += p_.distance[i] >= 0 && p_.distance[i] + p_.depth[i] == p_.longest ? 1 : 0;
        return count;
    }

    // ---- the example and its runs ------------------------------------------------------------------------------

    void checkExample(const Bound& bound) {
        const std::vector<NodeId> path = example();
        std::vector<std::int64_t> numbers;
        for (const NodeId id : path)
            numbers.push_back(g_.at(id).number);
        if (numbers != stated_.example)
            return report_.add("VER-013", "critical_path example_path", "it is not the longest path of lowest ids");
        std::vector<TorchwrightRun> runs = runsOf(path, bound);
        int realOps = 0;
        for (const TorchwrightRun& run : runs)
            realOps += run.realOps;
        expect("real_ops", stated_.realOps, realOps);
        std::stable_sort(runs.begin(), runs.end(),
                         [](const TorchwrightRun& a, const TorchwrightRun& b) { return a.realOps > b.realOps; });
        if (runs != stated_.runs)
            report_.add("VER-013", "critical_path runs",
                        "they are not the stretches of one annotation on the path, "
                        "or their reach differs");
    }

    [[nodiscard]] std::vector<NodeId> example() const {
        std::vector<NodeId> path;
        for (std::size_t i = 0; i < g_.size() && path.empty(); ++i)
            if (p_.distance[i] == p_.longest) path.push_back(NodeId::of(i));
        while (!path.empty() && p_.distance[path.back().at()] > 0) {
            std::optional<std::pair<bool, NodeId>> best;  // another annotation last, then the lower id
            for (const NodeId reader : readers_[path.back().at()]) {
                if (p_.distance[reader.at()] + 1 != p_.distance[path.back().at()]) continue;
                const std::pair key(g_.at(reader).annotation != g_.at(path.back()).annotation, reader);
                if (!best || key < *best) best = key;
            }
            if (!best) break;
            path.push_back(best->second);
        }
        return path;
    }

    [[nodiscard]] std::vector<TorchwrightRun> runsOf(const std::vector<NodeId>& path, const Bound& bound) const {
        std::vector<TorchwrightRun> runs;
        for (std::size_t begin = 0, end = 0; begin < path.size(); begin = end) {
            TorchwrightRun run;
            run.annotation = annotationOf(g_.at(path[begin]));
            run.start = static_cast<int>(begin);
            Marked nodes(g_.size(), false);
            for (end = begin; end < path.size() && annotationOf(g_.at(path[end])) == run.annotation; ++end) {
                nodes[path[end].at()] = true;
                run.realOps += g_.at(path[end]).is(NodeKind::Concatenate) ? 0 : 1;
            }
            run.nodes = static_cast<int>(end - begin);
            run.reach = bound.reach(nodes);
            runs.push_back(std::move(run));
        }
        return runs;
    }
};

/// The graph that was scheduled beside the one before fusion.
class FusionFacts {
public:
    FusionFacts(const TorchwrightData& data, Report& report)
        : before_(*data.unfused), after_(*data.graph), report_(report) {
        for (const Node& node : before_.nodes)
            for (const NodeId input : node.inputs)
                ++occurrences_[before_.at(input).number];
    }

    void run() {
        for (const Node& node : before_.nodes) {
            if (after_.find(node.number).isValid()) continue;
            if (!node.is(NodeKind::Linear) || occurrences_[node.number] != 1)
                fault(node, "is gone, and is no Linear that is read once");
        }
        for (const Node& node : before_.nodes)
            if (node.is(NodeKind::Linear)) checkSizes(node);
        for (const Node& node : after_.nodes)
            checkNode(node);
    }

private:
    const NodeGraph& before_;
    const NodeGraph& after_;
    Report& report_;
    std::map<std::int64_t, int> occurrences_;  ///< by number: inputs that it is, before fusion

    void fault(const Node& node, const std::string& what) {
        report_.add("VER-013", "unfused node " + std::to_string(node.number), what);
    }

    void checkSizes(const Node& node) {
        std::int64_t width = 0;
        for (const NodeId leaf : leavesOf(before_, node.inputs.front()))
            width += before_.at(leaf).width;
        if (width != node.linear().inputWidth) fault(node, "reads another width than its matrix has rows");
    }

    void checkNode(const Node& node) {
        const NodeId old = before_.find(node.number);
        if (!old.isValid()) return fault(node, "is not in the graph before fusion");
        const Node& own = before_.at(old);
        if (own.kind != node.kind || own.width != node.width || own.annotation != node.annotation)
            return fault(node, "is another one before fusion");
        std::vector<std::int64_t> inputs;
        for (const NodeId input : own.inputs)
            inputs.push_back(behindRemoved(input));
        std::vector<std::int64_t> now;
        for (const NodeId input : node.inputs)
            now.push_back(after_.at(input).number);
        if (inputs != now) return fault(node, "reads something else after fusion");
        const bool isFused = inputs.empty() ? false : before_.at(own.inputs.front()).number != inputs.front();
        if (!isFused) return;
        if (!node.is(NodeKind::Linear)) return fault(node, "takes over a Linear and is none");
        const std::int64_t params = std::int64_t{node.linear().inputWidth} * node.width + node.width;
        if (node.params != params) fault(node, "has other parameters than the product");
    }

    /// What a value becomes when every removed Linear below it is a part of its reader.
    [[nodiscard]] std::int64_t behindRemoved(NodeId id) const {
        while (!after_.find(before_.at(id).number).isValid() && before_.at(id).is(NodeKind::Linear))
            id = before_.at(id).inputs.front();
        return before_.at(id).number;
    }
};

}  // namespace

void checkPath(const Program& program, const TorchwrightData& data, int bound, Report& report) {
    PathFacts(program, data, report).run(bound);
}

void checkFusion(const TorchwrightData& data, Report& report) {
    if (data.unfused) FusionFacts(data, report).run();
}

}  // namespace memplan::verify::torchwright

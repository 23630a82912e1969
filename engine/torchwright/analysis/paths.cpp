// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/analysis/paths.h"

#include <algorithm>
#include <deque>

namespace memplan::torchwright {
namespace {

bool isReal(const Node& node) {
    return !node.is(NodeKind::Concatenate);
}

/// Same annotation first, then the lower id.
NodeId nextOnPath(const NodeGraph& graph, const Relations& r, NodeId at) {
    NodeId best;
    bool isAlike = false;
    for (const NodeId consumer : r.consumers[at.at()]) {
        if (r.distance[consumer.at()] != r.distance[at.at()] - 1) continue;
        const bool same = graph.at(consumer).annotation == graph.at(at).annotation;
        if (!best.isValid() || (same && !isAlike)) {
            best = consumer;
            isAlike = same;
        }
    }
    return best;
}

std::vector<NodeId> examplePath(const NodeGraph& graph, const Relations& r) {
    std::vector<NodeId> path{
        NodeId::of(static_cast<std::size_t>(std::ranges::find(r.distance, r.longest) - r.distance.begin()))};
    while (r.distance[path.back().at()] > 0)
        path.push_back(nextOnPath(graph, r, path.back()));
    return path;
}

std::vector<PathRun> runsOf(const NodeGraph& graph, const std::vector<NodeId>& path) {
    std::vector<PathRun> runs;
    for (std::size_t i = 0; i < path.size(); ++i) {
        const Node& node = graph.at(path[i]);
        if (runs.empty() || runs.back().annotation != annotationName(node))
            runs.push_back({std::string(annotationName(node)), static_cast<int>(i), 0, 0});
        ++runs.back().nodes;
        if (isReal(node)) ++runs.back().realOps;
    }
    std::ranges::stable_sort(runs, std::ranges::greater{}, &PathRun::realOps);
    return runs;
}

int tiedPaths(const NodeGraph& graph, const Relations& r) {
    std::vector<int> ways(graph.size(), 0);
    std::vector<NodeId> order = topologicalOrder(graph);
    std::ranges::reverse(order);
    int total = 0;
    for (const NodeId id : order) {
        const int distance = r.distance[id.at()];
        int own = distance == 0 ? 1 : 0;
        for (const NodeId consumer : r.consumers[id.at()])
            if (r.distance[consumer.at()] == distance - 1)
                own = std::min(CriticalPath::kMostTied, own + ways[consumer.at()]);
        ways[id.at()] = own;
        if (distance == r.longest) total = std::min(CriticalPath::kMostTied, total + own);
    }
    return total;
}

/// Breadth first from the outputs, as the original's script walks.
int largestShortestWay(const NodeGraph& graph) {
    std::vector<int> way(graph.size(), -1);
    std::deque<NodeId> open;
    for (const NodeId output : graph.outputs()) {
        way[output.at()] = 0;
        open.push_back(output);
    }
    int largest = 0;
    while (!open.empty()) {
        const NodeId at = open.front();
        open.pop_front();
        largest = way[at.at()];
        for (const NodeId input : graph.at(at).inputs) {
            if (way[input.at()] >= 0) continue;
            way[input.at()] = way[at.at()] + 1;
            open.push_back(input);
        }
    }
    return largest;
}

}  // namespace

std::string_view annotationName(const Node& node) {
    return node.annotation.empty() ? std::string_view("(none)") : std::string_view(node.annotation);
}

CriticalPath criticalPathOf(const NodeGraph& graph, const Relations& relations) {
    CriticalPath path;
    path.lengthEdges = relations.longest;
    path.example = examplePath(graph, relations);
    for (const NodeId id : path.example)
        path.realOps += isReal(graph.at(id)) ? 1 : 0;
    path.runs = runsOf(graph, path.example);
    path.tiedPaths = tiedPaths(graph, relations);
    for (std::size_t i = 0; i < graph.size(); ++i)
        path.nodesOnSome += relations.isOnLongestPath(NodeId::of(i)) ? 1 : 0;
    path.upstreamFigure = largestShortestWay(graph);
    return path;
}

std::vector<PathRun> targetRuns(const CriticalPath& path) {
    constexpr int kLeastOps = 3;
    constexpr std::size_t kMost = 10;
    std::vector<PathRun> targets;
    for (const PathRun& run : path.runs)
        if (run.realOps >= kLeastOps && targets.size() < kMost) targets.push_back(run);
    return targets;
}

}  // namespace memplan::torchwright

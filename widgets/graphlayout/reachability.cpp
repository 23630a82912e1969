// SPDX-License-Identifier: Apache-2.0
#include "widgets/graphlayout/reachability.h"

#include <algorithm>

namespace memplan::graphlayout {
namespace {

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

enum class Way { Forward, Backward };

const std::vector<int>& next(const Adjacency& graph, int node, Way way) {
    return way == Way::Forward ? graph.successors(node) : graph.predecessors(node);
}

NodeSet reachedFrom(const Adjacency& graph, int start, Way way) {
    NodeSet seen(at(graph.nodeCount()), 0);
    std::vector<int> open{start};
    while (!open.empty()) {
        const int v = open.back();
        open.pop_back();
        for (const int w : next(graph, v, way)) {
            if (seen[at(w)] != 0) continue;
            seen[at(w)] = 1;
            open.push_back(w);
        }
    }
    seen[at(start)] = 0;
    return seen;
}

/// Order in which every node stands after its predecessors; what closes a cycle is cut at the lowest id.
std::vector<int> executionOrder(const Adjacency& graph) {
    const int n = graph.nodeCount();
    std::vector<int> missing(at(n)), order, ready;
    std::vector<char> done(at(n), 0);
    for (int v = 0; v < n; ++v)
        missing[at(v)] = static_cast<int>(graph.predecessors(v).size());
    for (int v = n; v-- > 0;)
        if (missing[at(v)] == 0) ready.push_back(v);
    int lowest = 0;
    while (static_cast<int>(order.size()) < n) {
        if (ready.empty()) {
            while (done[at(lowest)] != 0)
                ++lowest;
            ready.push_back(lowest);
        }
        const int v = ready.back();
        ready.pop_back();
        if (done[at(v)] != 0) continue;
        done[at(v)] = 1;
        order.push_back(v);
        for (const int w : graph.successors(v))
            if (--missing[at(w)] == 0) ready.push_back(w);
    }
    return order;
}

struct Longest {
    std::vector<std::int64_t> length, ways;  // of the best path that ends (or starts) at each node
};

Longest longestAlong(const Adjacency& graph, const std::vector<std::int64_t>& weights, const std::vector<int>& order,
                     Way way) {
    const std::size_t n = at(graph.nodeCount());
    std::vector<int> place(n);
    for (std::size_t i = 0; i < n; ++i)
        place[at(order[i])] = static_cast<int>(i);
    Longest best{std::vector<std::int64_t>(n, 0), std::vector<std::int64_t>(n, 1)};
    for (std::size_t i = 0; i < n; ++i) {
        const int v = way == Way::Forward ? order[i] : order[n - 1 - i];
        std::int64_t reach = -1, ways = 0;
        for (const int u : next(graph, v, way == Way::Forward ? Way::Backward : Way::Forward)) {
            const bool isCut = way == Way::Forward ? place[at(u)] > place[at(v)] : place[at(u)] < place[at(v)];
            if (isCut || best.length[at(u)] < reach) continue;
            ways = best.length[at(u)] > reach ? best.ways[at(u)] : ways + best.ways[at(u)];
            reach = best.length[at(u)];
        }
        best.length[at(v)] = weights[at(v)] + std::max<std::int64_t>(reach, 0);
        best.ways[at(v)] = reach < 0 ? 1 : std::min(ways, CriticalPaths::kMostPaths);
    }
    return best;
}

}  // namespace

Adjacency::Adjacency(int nodeCount, const std::vector<LayoutEdge>& edges) : out_(at(nodeCount)), in_(at(nodeCount)) {
    for (const LayoutEdge& e : edges) {
        std::vector<int>& out = out_[at(e.from)];
        if (e.from == e.to || std::find(out.begin(), out.end(), e.to) != out.end()) continue;
        out.push_back(e.to);
        in_[at(e.to)].push_back(e.from);
    }
}

NodeSet neighbourhood(const Adjacency& graph, const std::vector<int>& seeds, int hops) {
    NodeSet shown(at(graph.nodeCount()), 0);
    std::vector<int> ring = seeds;
    for (const int s : seeds)
        shown[at(s)] = 1;
    for (int hop = 0; hop < hops; ++hop) {
        std::vector<int> further;
        for (const int v : ring)
            for (const Way way : {Way::Forward, Way::Backward})
                for (const int w : next(graph, v, way)) {
                    if (shown[at(w)] != 0) continue;
                    shown[at(w)] = 1;
                    further.push_back(w);
                }
        ring = std::move(further);
    }
    return shown;
}

std::vector<HiddenNeighbours> hiddenNeighbours(const Adjacency& graph, const NodeSet& shown) {
    std::vector<HiddenNeighbours> hidden(at(graph.nodeCount()));
    for (int v = 0; v < graph.nodeCount(); ++v) {
        if (shown[at(v)] == 0) continue;
        for (const int u : graph.predecessors(v))
            hidden[at(v)].before += shown[at(u)] == 0 ? 1 : 0;
        for (const int w : graph.successors(v))
            hidden[at(v)].after += shown[at(w)] == 0 ? 1 : 0;
    }
    return hidden;
}

NodeSet ancestors(const Adjacency& graph, int node) {
    return reachedFrom(graph, node, Way::Backward);
}

NodeSet descendants(const Adjacency& graph, int node) {
    return reachedFrom(graph, node, Way::Forward);
}

NodeSet nodesBetween(const Adjacency& graph, int a, int b) {
    NodeSet between(at(graph.nodeCount()), 0);
    for (const auto& [first, last] : {std::pair{a, b}, std::pair{b, a}}) {
        const NodeSet below = descendants(graph, first), above = ancestors(graph, last);
        if (below[at(last)] == 0) continue;
        for (std::size_t i = 0; i < between.size(); ++i)
            if (below[i] != 0 && above[i] != 0) between[i] = 1;
        between[at(first)] = between[at(last)] = 1;
    }
    return between;
}

CriticalPaths criticalPaths(const Adjacency& graph, const std::vector<std::int64_t>& weights) {
    CriticalPaths result;
    const std::size_t n = at(graph.nodeCount());
    result.onPath.assign(n, 0);
    const std::vector<int> order = executionOrder(graph);
    const Longest ending = longestAlong(graph, weights, order, Way::Forward);
    const Longest starting = longestAlong(graph, weights, order, Way::Backward);
    for (std::size_t i = 0; i < n; ++i)
        result.length = std::max(result.length, ending.length[i]);
    for (std::size_t i = 0; i < n; ++i) {
        if (ending.length[i] + starting.length[i] - weights[i] != result.length) continue;
        result.onPath[i] = 1;
        const bool isEnd = ending.length[i] == result.length && starting.length[i] == weights[i] &&
                           graph.successors(static_cast<int>(i)).empty();
        if (isEnd) result.count = std::min(result.count + ending.ways[i], CriticalPaths::kMostPaths);
    }
    return result;
}

}  // namespace memplan::graphlayout

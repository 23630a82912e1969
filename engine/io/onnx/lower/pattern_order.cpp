// SPDX-License-Identifier: Apache-2.0
// Execution order in which the nodes of a match stand together (inputs-and-interchange 2.5).
#include "engine/io/onnx/lower/patterns.h"

#include <queue>

#include <algorithm>
#include <functional>
#include <optional>
#include <set>

namespace memplan::io::onnx {

namespace {

/// Blocks of several nodes on one cycle: from a waiting block back through waiting ones until one repeats.
std::vector<int> blocksOnCycle(const std::vector<std::set<int>>& next, const std::vector<int>& missing,
                               const std::vector<std::vector<int>>& members) {
    const std::size_t n = next.size();
    std::vector<int> before(n, -1);
    int at = -1;
    for (std::size_t b = 0; b < n; ++b) {
        if (members[b].empty() || missing[b] == 0) continue;
        if (at < 0) at = static_cast<int>(b);
        for (const int f : next[b])
            before[static_cast<std::size_t>(f)] = static_cast<int>(b);
    }
    std::vector<bool> seen(n, false);
    for (; at >= 0 && !seen[static_cast<std::size_t>(at)]; at = before[static_cast<std::size_t>(at)])
        seen[static_cast<std::size_t>(at)] = true;
    std::vector<int> found;
    for (int b = at; b >= 0;) {
        if (members[static_cast<std::size_t>(b)].size() > 1) found.push_back(b);
        b = before[static_cast<std::size_t>(b)];
        if (b == at) break;
    }
    return found;
}

/// Kahn over blocks: a block is a match or a single node; the smallest first node goes next.
std::optional<std::vector<int>> blockOrder(const Model& model, const std::vector<int>& blockOf,
                                           std::vector<int>& stuck) {
    const std::size_t n = model.nodes.size();
    std::vector<int> producer(model.values.size(), -1);
    std::vector<std::vector<int>> members(n);
    for (std::size_t i = 0; i < n; ++i) {
        if (!isLive(model.nodes[i])) continue;
        members[static_cast<std::size_t>(blockOf[i])].push_back(static_cast<int>(i));
        for (const int v : model.nodes[i].outputs) {
            if (v >= 0) producer[static_cast<std::size_t>(v)] = static_cast<int>(i);
        }
    }
    std::vector<std::set<int>> next(n);
    std::vector<int> missing(n, 0);
    for (std::size_t i = 0; i < n; ++i) {
        if (!isLive(model.nodes[i])) continue;
        for (const int v : model.nodes[i].inputs) {
            const int p = v < 0 ? -1 : producer[static_cast<std::size_t>(v)];
            if (p < 0 || blockOf[static_cast<std::size_t>(p)] == blockOf[i]) continue;
            const bool isNew =
                next[static_cast<std::size_t>(blockOf[static_cast<std::size_t>(p)])].insert(blockOf[i]).second;
            missing[static_cast<std::size_t>(blockOf[i])] += isNew ? 1 : 0;
        }
    }
    std::priority_queue<int, std::vector<int>, std::greater<>> ready;
    std::size_t left = 0;
    for (std::size_t b = 0; b < n; ++b) {
        if (members[b].empty()) continue;
        ++left;
        if (missing[b] == 0) ready.push(static_cast<int>(b));
    }
    std::vector<int> order;
    while (!ready.empty()) {
        const auto b = static_cast<std::size_t>(ready.top());
        ready.pop();
        --left;
        order.insert(order.end(), members[b].begin(), members[b].end());
        for (const int f : next[b]) {
            if (--missing[static_cast<std::size_t>(f)] == 0) ready.push(f);
        }
    }
    if (left == 0) return order;
    stuck = blocksOnCycle(next, missing, members);
    return std::nullopt;
}

}  // namespace

std::vector<int> executionOrder(const Model& model, std::vector<PatternMatch>& matches) {
    for (;;) {
        std::vector<int> blockOf(model.nodes.size());
        for (std::size_t i = 0; i < blockOf.size(); ++i)
            blockOf[i] = static_cast<int>(i);
        // A block is named by its last node: it can run only when everything before it is there.
        for (const PatternMatch& m : matches) {
            for (const int n : m.nodes)
                blockOf[static_cast<std::size_t>(n)] = m.nodes.back();
        }
        std::vector<int> stuck;
        if (auto order = blockOrder(model, blockOf, stuck)) return *order;
        if (matches.empty()) {
            std::vector<int> order;
            for (std::size_t i = 0; i < model.nodes.size(); ++i) {
                if (isLive(model.nodes[i])) order.push_back(static_cast<int>(i));
            }
            return order;
        }
        // A match that something outside runs through cannot be one block.
        std::erase_if(matches, [&](const PatternMatch& m) {
            return std::find(stuck.begin(), stuck.end(), m.nodes.back()) != stuck.end();
        });
        if (stuck.empty()) matches.clear();
    }
}

}  // namespace memplan::io::onnx

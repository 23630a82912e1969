// SPDX-License-Identifier: Apache-2.0
// Slots and columns that are held for nothing: TW-107, TW-108, TW-109, TW-111 (torchwright.md 19.3).
#include "engine/torchwright/advice/intervals.h"
#include "engine/torchwright/advice/sources.h"
#include "engine/torchwright/scheduler/costs.h"
#include "engine/torchwright/texts/advice.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace memplan::torchwright {
namespace {

// ---- TW-107 -----------------------------------------------------------------------------------------------------

constexpr Slots kFewestSlots = 8;

struct Idle {
    Slots never = 0, always = 0;
    [[nodiscard]] Slots count() const { return never + always; }
};

Idle idleOf(const std::vector<ValueRange>& slots) {
    Idle idle;
    for (const ValueRange& range : slots) {
        if (range.high <= 0)
            ++idle.never;
        else if (range.low >= 0)
            ++idle.always;
    }
    return idle;
}

/// Where the slots of a chain over one scalar bend.
std::vector<double> breakpointsOf(const LinearData& first) {
    std::vector<double> points;
    if (first.inputWidth != 1) return points;
    for (std::int64_t slot = 0; slot < first.matrix->columns; ++slot) {
        const double weight = first.matrix->at(0, slot);
        if (weight != 0) points.push_back(-first.bias->at(0, slot) / weight);
    }
    return points;
}

/// The widest of the columns that are read.
ValueRange reachable(const std::vector<ValueRange>& columns) {
    return *std::ranges::max_element(columns, {}, [](const ValueRange& r) { return r.high - r.low; });
}

/// Mean distance of the breakpoints as they are, and of as many over the part of the range that they span.
Statement boundsWhy(const std::vector<double>& points, const ValueRange& range) {
    if (points.size() < 2) return {say::kLooseBoundsWhy};
    const auto [least, most] = std::ranges::minmax(points);
    const double steps = static_cast<double>(points.size()) - 1;
    const double low = std::max(least, range.low), high = std::min(most, range.high);
    if (!(high > low)) return {say::kLooseBoundsWhy};
    return {say::kLooseStepWhy, (most - least) / steps, (high - low) / steps};
}

void findLooseBounds(const AdviceFacts& facts, const std::vector<std::vector<ValueRange>>& ranges, const Chain& chain,
                     Findings& out) {
    const Node& first = facts.at(chain.first);
    if (facts.at(chain.relu).width < kFewestSlots || !first.linear().matrix || !first.linear().bias) return;
    const Idle idle = idleOf(ranges[chain.first.at()]);
    const Slots slots = facts.at(chain.relu).width;
    if (4 * idle.count() < slots) return;
    const ValueRange range = reachable(ranges[first.inputs.front().at()]);
    Finding finding = facts.finding(107, {chain.second, chain.relu, chain.first});
    finding.shape = shapeText(facts.at(chain.second), {slots, idle.never, idle.always, facts.at(chain.second).width});
    finding.what = {say::kLooseBounds, slots,     facts.label(chain.second), idle.never, idle.always,
                    range.low,         range.high};
    finding.why = boundsWhy(breakpointsOf(first.linear()), range);
    finding.instead = {say::kLooseBoundsInstead};
    finding.paramsSaved = facts.paramsOf(0, idle.count());
    out.push_back(std::move(finding));
}

// ---- when values are born and read --------------------------------------------------------------------------------

int birthOf(const AdviceFacts& facts, NodeId id) {
    return facts.schedule.nodeLayer[id.at()];
}

/// Layers in which somebody reads the value other than through `except`.
void collectReads(const AdviceFacts& facts, NodeId id, NodeId except, std::set<int>& layers) {
    for (const NodeId reader : facts.relations.consumers[id.at()]) {
        if (reader == except) continue;
        if (facts.at(reader).is(NodeKind::Concatenate))
            collectReads(facts, reader, except, layers);
        else if (birthOf(facts, reader) >= 0)
            layers.insert(birthOf(facts, reader));
    }
}

bool isComputedInColumns(const AdviceFacts& facts, NodeId id) {
    return !isInputLike(facts.at(id).kind) && birthOf(facts, id) >= 0 && facts.schedule.holdingOf(id) >= 0;
}

/// The node that a hint has to name so that this one starts later: the first of its chain.
NodeId startOf(const AdviceFacts& facts, NodeId id) {
    const Chain* chain = facts.endsChain[id.at()];
    return chain != nullptr && chain->isExclusive ? chain->first : id;
}

// ---- TW-108 -----------------------------------------------------------------------------------------------------

struct Waiting {
    NodeId leaf;
    int layers = 0;
    std::int64_t columnLayers = 0;
};

std::vector<Waiting> waitingFor(const AdviceFacts& facts, NodeId join) {
    std::vector<NodeId> leaves = leavesOf(facts.graph, join);
    std::ranges::sort(leaves);
    leaves.erase(std::unique(leaves.begin(), leaves.end()), leaves.end());
    int latest = -1;
    for (const NodeId leaf : leaves)
        latest = std::max(latest, birthOf(facts, leaf));
    std::vector<Waiting> waiting;
    for (const NodeId leaf : leaves) {
        if (!isComputedInColumns(facts, leaf)) continue;
        std::set<int> reads;
        collectReads(facts, leaf, join, reads);
        const int last = std::max(birthOf(facts, leaf), reads.empty() ? -1 : *reads.rbegin());
        const int layers = std::max(0, latest - last);
        waiting.push_back({leaf, layers, std::int64_t{facts.at(leaf).width} * layers});
    }
    return waiting;
}

void findConcatLifetimes(const AdviceFacts& facts, NodeId join, Findings& out) {
    std::vector<Waiting> waiting = waitingFor(facts, join);
    const Columns d = facts.schedule.options.d;
    const int layers = facts.schedule.layerCount();
    std::int64_t held = 0;
    bool isLong = false;
    for (const Waiting& w : waiting) {
        held += w.columnLayers;
        isLong = isLong || (w.layers >= std::max(8, (layers + 3) / 4) && 4 * w.columnLayers >= d);
    }
    const double share = 100.0 * static_cast<double>(held) / (static_cast<double>(d) * layers);
    if (share < 2 && !isLong) return;
    std::ranges::stable_sort(waiting, std::ranges::greater{}, &Waiting::columnLayers);
    const int longest = std::ranges::max(waiting, {}, &Waiting::layers).layers;
    std::vector<std::string> worst;
    std::vector<NodeId> nodes{join};
    for (const Waiting& w : waiting) {
        if (worst.size() < 3) worst.push_back(facts.label(w.leaf) + " for " + std::to_string(w.layers));
        nodes.push_back(w.leaf);
    }
    const Waiting& first = waiting.front();
    const int layer = birthOf(facts, first.leaf) + first.layers;
    Finding finding = facts.finding(108, nodes);
    finding.what = {say::kConcatLifetimes, facts.label(join), held, share, longest, worst};
    finding.why = {say::kConcatLifetimesWhy};
    finding.instead = {say::kConcatLifetimesInstead, layer, facts.label(first.leaf)};
    if (first.layers > 0) finding.startLater = {startOf(facts, first.leaf), layer};
    out.push_back(std::move(finding));
}

// ---- TW-109 -----------------------------------------------------------------------------------------------------

void findLongHeld(const AdviceFacts& facts, NodeId id, Findings& out) {
    const Columns width = facts.at(id).width;
    const int layers = facts.schedule.layerCount();
    if (width < std::max<Columns>(8, facts.schedule.options.d / 32) || !isComputedInColumns(facts, id)) return;
    std::set<int> events{birthOf(facts, id)};
    collectReads(facts, id, {}, events);
    int from = 0, gap = 0;
    for (auto at = events.begin(), next = std::next(at); next != events.end(); ++at, ++next)
        if (*next - *at > gap) from = *at, gap = *next - *at;
    if (gap < std::max(8, (layers + 3) / 4)) return;
    std::vector<NodeId> nodes{id};
    for (const NodeId reader : facts.relations.effective[id.at()])
        if (birthOf(facts, reader) == from + gap) nodes.push_back(reader);
    Finding finding = facts.finding(109, nodes);
    finding.shape = shapeText(facts.at(id), {width, gap});
    finding.what = {say::kLongHeld, facts.label(id), width, from, from + gap, std::int64_t{width} * gap};
    finding.why = {say::kLongHeldWhy, nodes.size() > 1 ? facts.label(nodes[1]) : std::string("its reader")};
    finding.instead = {say::kLongHeldInstead};
    if (from == birthOf(facts, id)) finding.startLater = {startOf(facts, id), from + gap - 1};
    out.push_back(std::move(finding));
}

// ---- TW-111 -----------------------------------------------------------------------------------------------------

void findLiveAdd(const AdviceFacts& facts, const AttentionOp& op, Findings& out) {
    const Node& node = facts.at(op.node);
    const int free = headsFor(node.width, facts.dHead());
    Finding finding = facts.finding(111, {op.node, node.inputs[0], node.inputs[1]});
    finding.shape = shapeText(node, {node.width, op.heads});
    finding.what = {say::kLiveAdd, facts.label(op.node), facts.label(node.inputs[0]), facts.label(node.inputs[1])};
    finding.why = {say::kLiveAddWhy, op.heads, node.width, free};
    finding.instead = {say::kLiveAddInstead};
    finding.paramsSaved = facts.paramsOf(std::max(0, op.heads - free), 0);
    out.push_back(std::move(finding));
}

}  // namespace

void findLooseBounds(const AdviceFacts& facts, Findings& out) {
    const std::vector<std::vector<ValueRange>> ranges = valueRanges(facts.graph);
    for (const Chain& chain : facts.chains)
        findLooseBounds(facts, ranges, chain, out);
}

void findConcatLifetimes(const AdviceFacts& facts, Findings& out) {
    for (std::size_t i = 0; i < facts.graph.size(); ++i)
        if (facts.graph.nodes[i].is(NodeKind::Concatenate)) findConcatLifetimes(facts, NodeId::of(i), out);
}

void findLongHeldValues(const AdviceFacts& facts, Findings& out) {
    for (std::size_t i = 0; i < facts.graph.size(); ++i)
        if (!facts.graph.nodes[i].is(NodeKind::Concatenate)) findLongHeld(facts, NodeId::of(i), out);
}

void findLiveAdds(const AdviceFacts& facts, Findings& out) {
    for (const Layer& layer : facts.schedule.layers)
        for (const AttentionOp& op : layer.attention)
            if (op.kind == AttentionKind::ComputeAdd) findLiveAdd(facts, op, out);
}

}  // namespace memplan::torchwright

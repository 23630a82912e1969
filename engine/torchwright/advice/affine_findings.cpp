// SPDX-License-Identifier: Apache-2.0
// Affine maps that could be fewer: TW-101, TW-102, TW-110, TW-115 (torchwright.md 11, 19.3).
#include "engine/torchwright/advice/matrices.h"
#include "engine/torchwright/advice/sources.h"
#include "engine/torchwright/scheduler/costs.h"
#include "engine/torchwright/texts/advice.h"

#include <algorithm>
#include <utility>

namespace memplan::torchwright {
namespace {

int count(const std::vector<NodeId>& list) {
    return static_cast<int>(list.size());
}

/// What standalone Linears take now.
void setSaved(const AdviceFacts& facts, const std::vector<NodeId>& linears, Finding& finding) {
    int heads = 0;
    Slots slots = 0;
    for (const NodeId id : linears)
        heads += facts.heads[id.at()], slots += facts.slotsOf[id.at()];
    finding.why = {say::kAffineWhy, heads, slots};
    finding.paramsSaved = facts.paramsOf(heads, slots);
}

std::vector<Columns> widthsOf(const AdviceFacts& facts, const std::vector<NodeId>& nodes) {
    std::vector<Columns> widths;
    for (const NodeId id : nodes)
        widths.push_back(facts.at(id).width);
    return widths;
}

// ---- TW-101 -----------------------------------------------------------------------------------------------------

/// Each reader takes the product and reads what the first one read.
void joinIntoReaders(GraphEdit& edit, NodeId first, const std::vector<NodeId>& readers) {
    const NodeId input = edit.graph().at(first).inputs.front();
    for (const NodeId reader : readers) {
        edit.makeLinear(reader, input, fusedData(edit.graph().at(first).linear(), edit.graph().at(reader).linear()));
        edit.inheritAfter(reader, first);
    }
}

void findFanOut(const AdviceFacts& facts, NodeId id, Findings& out) {
    const std::vector<NodeId>& readers = facts.relations.consumers[id.at()];
    if (readers.size() < 2 || facts.relations.isOutput[id.at()] || facts.isWaitedFor[id.at()]) return;
    const auto isLinear = [&](NodeId reader) { return facts.at(reader).is(NodeKind::Linear); };
    const auto isStandalone = [&](NodeId reader) { return facts.isStandaloneLinear(reader); };
    if (!std::ranges::all_of(readers, isLinear) || std::ranges::none_of(readers, isStandalone)) return;
    std::vector<NodeId> nodes{id};
    nodes.insert(nodes.end(), readers.begin(), readers.end());
    Finding finding = facts.finding(101, nodes);
    finding.shape = "fan-out " + shapeText(facts.at(id), widthsOf(facts, nodes));
    finding.what = {say::kAffineFanOut, facts.label(id), count(readers), facts.labels(readers)};
    finding.instead = {say::kAffineFanOutInstead, facts.label(id)};
    setSaved(facts, {id}, finding);
    finding.proposal.rewrites.push_back([id, readers](GraphEdit& edit) { joinIntoReaders(edit, id, readers); });
    out.push_back(std::move(finding));
}

/// The affine map of a leaf as the reader may take it: its own where it is one of `taken`, else as it is.
LinearData leafMap(const GraphEdit& edit, NodeId leaf, bool isTaken) {
    const Node& node = edit.graph().at(leaf);
    return isTaken ? node.linear() : passedThrough(node.width, edit.graph().hasTensors);
}

/// The affine maps side by side, each on its own input.
LinearData sideBySide(const std::vector<LinearData>& maps) {
    LinearData out;
    std::vector<TensorPtr> matrices;
    Tensor bias{1, 0, {}};
    for (const LinearData& map : maps) {
        out.inputWidth += map.inputWidth;
        out.hasBias = out.hasBias || map.hasBias;
        if (!map.matrix) continue;
        matrices.push_back(map.matrix);
        for (const Tensor::Entry& e : map.bias->entries)
            bias.entries.push_back({bias.columns + e.index, e.value});
        bias.columns += map.matrix->columns;
    }
    if (matrices.size() != maps.size()) return out;
    out.matrix = blockDiagonal(matrices);
    out.bias = tensorOf(std::move(bias));
    return out;
}

/// The reader takes the maps of some leaves of its Concatenate into its own.
void joinLeaves(GraphEdit& edit, NodeId reader, const std::vector<NodeId>& taken) {
    std::vector<NodeId> parts;
    std::vector<LinearData> maps;
    for (const NodeId leaf : leavesOf(edit.graph(), edit.graph().at(reader).inputs.front())) {
        const bool isTaken = std::ranges::find(taken, leaf) != taken.end();
        maps.push_back(leafMap(edit, leaf, isTaken));
        parts.push_back(isTaken ? edit.graph().at(leaf).inputs.front() : leaf);
    }
    const NodeId input = edit.concatenate(std::move(parts), reader);
    edit.makeLinear(reader, input, fusedData(sideBySide(maps), edit.graph().at(reader).linear()));
    for (const NodeId leaf : taken)
        edit.inheritAfter(reader, leaf);
}

void findThroughConcatenate(const AdviceFacts& facts, NodeId id, Findings& out) {
    if (!facts.at(facts.at(id).inputs.front()).is(NodeKind::Concatenate)) return;
    std::vector<NodeId> taken;
    for (const NodeId leaf : leavesOf(facts.graph, facts.at(id).inputs.front())) {
        const bool isAlone = facts.isStandaloneLinear(leaf) && facts.isReadOnlyBy(leaf, id);
        if (isAlone && !facts.isWaitedFor[leaf.at()] && std::ranges::find(taken, leaf) == taken.end())
            taken.push_back(leaf);
    }
    if (taken.empty()) return;
    std::vector<NodeId> nodes{id};
    nodes.insert(nodes.end(), taken.begin(), taken.end());
    Finding finding = facts.finding(101, nodes);
    finding.shape = "leaves " + shapeText(facts.at(id), widthsOf(facts, nodes));
    finding.what = {say::kAffineConcat, facts.label(id), count(taken), facts.labels(taken)};
    finding.instead = {say::kAffineConcatInstead, facts.label(id)};
    setSaved(facts, taken, finding);
    finding.proposal.rewrites.push_back([id, taken](GraphEdit& edit) { joinLeaves(edit, id, taken); });
    out.push_back(std::move(finding));
}

bool holds(const std::vector<NodeId>& list, NodeId id) {
    return std::ranges::find(list, id) != list.end();
}

/// The operation that is gone where a pair is one; the ends of chains stay.
std::vector<NodeId> savedByJoining(const AdviceFacts& facts, LinearPair pair) {
    if (facts.isStandaloneLinear(pair.first)) return {pair.first};
    return facts.isStandaloneLinear(pair.second) ? std::vector<NodeId>{pair.second} : std::vector<NodeId>();
}

/// Shown without a trial: the pair inflates, or a hint keeps it.
void findRefusedPair(const AdviceFacts& facts, const std::vector<LinearPair>& pairs, NodeId id, Findings& out) {
    const NodeId first = facts.at(id).inputs.front();
    if (!facts.at(first).is(NodeKind::Linear) || !facts.isReadOnlyBy(first, id)) return;
    const bool isPair = std::ranges::find(pairs, LinearPair{first, id}) != pairs.end();
    const FusionRule& rule = facts.question.fusion;
    const bool isHinted = holds(rule.kept, first) || holds(rule.unwanted, first) || facts.isWaitedFor[first.at()];
    if (isPair && !(rule.fuseAll && isHinted)) return;
    const Node& a = facts.at(first);
    const Node& b = facts.at(id);
    const std::int64_t in = a.linear().inputWidth, width = b.width;
    Finding finding = facts.finding(101, {first, id});
    finding.shape = (isPair ? "hint " : "inflates ") + shapeText(b, {a.linear().inputWidth, a.width, b.width});
    finding.what = isPair ? Statement(say::kAffineHint, facts.label(first), facts.label(id))
                          : Statement(say::kAffineInflates, facts.label(first), facts.label(id), a.params + b.params,
                                      in * width + width);
    finding.instead = isPair ? Statement(say::kAffineHintInstead) : Statement(say::kAffineInflatesInstead);
    setSaved(facts, savedByJoining(facts, {first, id}), finding);
    if (!isPair) finding.paramsSaved = 0;
    out.push_back(std::move(finding));
}

// ---- TW-110 -----------------------------------------------------------------------------------------------------

/// The Add becomes one Linear over the inputs of both sides.
void joinAdd(GraphEdit& edit, NodeId add, const std::vector<NodeId>& taken) {
    std::vector<NodeId> parts;
    std::vector<LinearData> maps;
    for (const NodeId addend : edit.graph().at(add).inputs) {
        const bool isTaken = holds(taken, addend);
        maps.push_back(leafMap(edit, addend, isTaken));
        parts.push_back(isTaken ? edit.graph().at(addend).inputs.front() : addend);
    }
    const NodeId input = edit.concatenate(std::move(parts), add);
    edit.makeLinear(add, input, summedMaps(maps));
    for (const NodeId linear : taken)
        edit.inheritAfter(add, linear);
}

/// Heads of the one Linear in attention, and of the Linears that it replaces.
std::pair<int, int> addHeads(const AdviceFacts& facts, NodeId add, const std::vector<NodeId>& taken) {
    Columns width = 0;
    int apart = 0;
    for (const NodeId addend : facts.at(add).inputs) {
        const bool isTaken = holds(taken, addend);
        width += isTaken ? facts.at(addend).linear().inputWidth : facts.at(addend).width;
        if (isTaken) apart += headsFor(facts.at(addend).linear().inputWidth, facts.dHead());
    }
    return {headsFor(width, facts.dHead()), apart};
}

void findAddAsLinear(const AdviceFacts& facts, NodeId id, Findings& out) {
    const Node& node = facts.at(id);
    if (node.inputs[0] == node.inputs[1]) return;
    std::vector<NodeId> taken;
    for (const NodeId addend : node.inputs)
        if (facts.isStandaloneLinear(addend) && facts.isReadOnlyBy(addend, id) && !facts.isWaitedFor[addend.at()])
            taken.push_back(addend);
    if (taken.empty()) return;
    std::vector<NodeId> nodes{id};
    nodes.insert(nodes.end(), taken.begin(), taken.end());
    Finding finding = facts.finding(110, nodes);
    finding.shape = shapeText(node, widthsOf(facts, nodes));
    const auto [joined, apart] = addHeads(facts, id, taken);
    finding.what = {say::kAddAsLinear, facts.label(id), count(taken), facts.labels(taken)};
    finding.why = {say::kAddAsLinearWhy, apart, facts.heads[id.at()], joined};
    finding.instead = {say::kAddAsLinearInstead};
    finding.paramsSaved = facts.paramsOf(apart + facts.heads[id.at()] - joined, 0);
    finding.proposal.rewrites.push_back([id, taken](GraphEdit& edit) { joinAdd(edit, id, taken); });
    out.push_back(std::move(finding));
}

// ---- TW-115 -----------------------------------------------------------------------------------------------------

struct LinearGroup {
    std::vector<NodeId> linears;
    int heads = 0;
    Columns width = 0;

    void add(const AdviceFacts& facts, NodeId id) {
        linears.push_back(id);
        heads += headsFor(facts.at(id).linear().inputWidth, facts.dHead());
        width += facts.at(id).linear().inputWidth;
    }
    [[nodiscard]] int joined(Columns dHead) const { return headsFor(width, dHead); }
    [[nodiscard]] bool isWasteful(Columns dHead) const { return linears.size() >= 4 && heads > joined(dHead); }
};

double allocatedShare(const AdviceFacts& facts, int heads) {
    std::int64_t allocated = 0;
    for (const Layer& layer : facts.schedule.layers)
        allocated += facts.paramsOf(layer.heads, layer.slotsUsed);
    return allocated > 0 ? 100.0 * static_cast<double>(facts.paramsOf(heads, 0)) / static_cast<double>(allocated) : 0;
}

Finding smallLinears(const AdviceFacts& facts, std::vector<NodeId> nodes, int wasted, Statement what) {
    Finding finding = facts.finding(115, std::move(nodes));
    finding.what = std::move(what);
    finding.why = {say::kSmallLinearsWhy, wasted, allocatedShare(facts, wasted)};
    finding.instead = {say::kSmallLinearsInstead};
    finding.paramsSaved = facts.paramsOf(wasted, 0);
    finding.proposal.setting = {"torchwright.local_in_attention", "never"};
    return finding;
}

}  // namespace

void findAffineRuns(const AdviceFacts& facts, Findings& out) {
    const std::vector<LinearPair> pairs = fusablePairs(facts.graph);
    for (std::size_t i = 0; i < facts.graph.size(); ++i) {
        const NodeId id = NodeId::of(i);
        if (!facts.at(id).is(NodeKind::Linear)) continue;
        if (facts.isStandaloneLinear(id)) findFanOut(facts, id, out);
        findThroughConcatenate(facts, id, out);
        findRefusedPair(facts, pairs, id, out);
    }
}

void findFusionOff(const AdviceFacts& facts, Findings& out) {
    if (facts.question.fusion.fuseAll) return;
    FusionRule rule = facts.question.fusion;
    rule.fuseAll = true;
    const Fusion fusion = fuseLinears(facts.graph, rule);
    if (fusion.fused.empty()) return;
    std::vector<NodeId> firsts;
    for (const LinearPair& pair : fusion.fused)
        firsts.push_back(pair.first);
    Finding finding = facts.finding(102, firsts);
    finding.what = {say::kFusionOff, count(firsts)};
    finding.why = {say::kFusionOffWhy};
    finding.instead = {say::kFusionOffInstead};
    for (const LinearPair& pair : fusion.fused)
        for (const NodeId id : savedByJoining(facts, pair))
            finding.paramsSaved += facts.paramsOf(facts.heads[id.at()], facts.slotsOf[id.at()]);
    finding.proposal.setting = {"torchwright.fuse", "true"};
    out.push_back(std::move(finding));
}

void findAddsAsLinear(const AdviceFacts& facts, Findings& out) {
    for (std::size_t i = 0; i < facts.graph.size(); ++i)
        if (facts.graph.nodes[i].is(NodeKind::Add)) findAddAsLinear(facts, NodeId::of(i), out);
}

void findSmallLinears(const AdviceFacts& facts, Findings& out) {
    if (facts.schedule.options.localInAttention != LocalRouting::Always) return;
    std::map<int, LinearGroup> byLayer;
    LinearGroup narrow;
    for (std::size_t i = 0; i < facts.graph.size(); ++i) {
        const NodeId id = NodeId::of(i);
        if (!facts.isStandaloneLinear(id)) continue;
        byLayer[facts.asap.layerOf(id)].add(facts, id);
        if (facts.at(id).linear().inputWidth <= facts.dHead() / 4) narrow.add(facts, id);
    }
    std::vector<NodeId> nodes;
    int layers = 0, heads = 0, joined = 0;
    for (const auto& [layer, group] : byLayer) {
        if (!group.isWasteful(facts.dHead())) continue;
        nodes.insert(nodes.end(), group.linears.begin(), group.linears.end());
        ++layers, heads += group.heads, joined += group.joined(facts.dHead());
    }
    if (layers > 0) {
        const Statement what(say::kSmallLinears, count(nodes), layers, heads, joined);
        out.push_back(smallLinears(facts, std::move(nodes), heads - joined, what));
    } else if (narrow.isWasteful(facts.dHead())) {
        const int side = narrow.joined(facts.dHead());
        const Statement what(say::kNarrowLinears, count(narrow.linears), facts.dHead() / 4, narrow.heads, side);
        out.push_back(smallLinears(facts, narrow.linears, narrow.heads - side, what));
    }
}

}  // namespace memplan::torchwright

// SPDX-License-Identifier: Apache-2.0
// Patterns of the op library that can be written with fewer steps: TW-103, TW-112, TW-113, TW-114
// (torchwright.md 19.3).
#include "engine/torchwright/advice/matrices.h"
#include "engine/torchwright/advice/shapes.h"
#include "engine/torchwright/advice/sources.h"
#include "engine/torchwright/texts/advice.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace memplan::torchwright {
namespace {

int count(const std::vector<NodeId>& list) {
    return static_cast<int>(list.size());
}

// ---- booleans: TW-103, TW-114 -----------------------------------------------------------------------------------

struct Step {
    double threshold = 0, low = 0, high = 0;
};

/// The chain of a compare asks the sum of these scalars.
void compareSum(GraphEdit& edit, const Compare& compare, const std::vector<NodeId>& operands, Step step) {
    const Chain& chain = *compare.chain;
    const auto terms = static_cast<Columns>(operands.size());
    LinearData ones;
    ones.inputWidth = terms;
    ones.nonZeros = terms;
    ones.matrix = filledMatrix(terms, 1, 1);
    ones.bias = filledMatrix(1, 1, 0);
    const NodeId sum = edit.linear(edit.concatenate(operands, chain.first), 1, std::move(ones), chain.first);
    const auto sharpness = static_cast<float>(compare.sharpness);
    const auto offset = static_cast<float>(-compare.sharpness * step.threshold);
    LinearData in;
    in.inputWidth = 1;
    in.hasBias = true;
    in.nonZeros = 2;
    in.matrix = filledMatrix(1, 2, sharpness);
    in.bias = vectorOf({offset, offset - 1});
    edit.makeLinear(chain.first, sum, std::move(in));
    const auto height = static_cast<float>(step.high - step.low);
    LinearData levels;
    levels.inputWidth = 2;
    levels.hasBias = step.low != 0;
    levels.nonZeros = 2;
    levels.matrix = tensorOf({2, 1, {{0, height}, {1, -height}}});
    levels.bias = vectorOf({static_cast<float>(step.low)});
    edit.makeLinear(chain.second, chain.relu, std::move(levels));
}

/// By node: the end of a bool_not of it, if there is one.
std::vector<NodeId> negationsOf(const AdviceFacts& facts) {
    std::vector<NodeId> negations(facts.graph.size());
    for (const Chain& chain : facts.chains) {
        const auto compare = compareOf(facts, chain);
        if (compare && compare->isNot()) negations[compare->input.at()] = chain.second;
    }
    return negations;
}

/// The negation of a boolean: what it is the bool_not of, or its bool_not.
NodeId negationOf(const AdviceFacts& facts, const std::vector<NodeId>& negations, NodeId id) {
    const auto own = compareEndingIn(facts, id);
    return own && own->isNot() ? own->input : negations[id.at()];
}

void findAnyTrue(const AdviceFacts& facts, const Chain& chain, const std::vector<NodeId>& negations, Findings& out) {
    const auto any = anyTrueOf(facts, chain);
    if (!any || !chain.isExclusive) return;
    std::vector<NodeId> operands;
    std::vector<NodeId> nodes{chain.second};
    for (const NodeId bit : any->operands) {
        operands.push_back(negationOf(facts, negations, compareEndingIn(facts, bit)->input));
        if (!operands.back().isValid()) return;
        nodes.push_back(bit);
    }
    const int n = count(operands);
    Finding finding = facts.finding(103, nodes);
    finding.shape = shapeText(facts.at(chain.second), {n});
    finding.what = {say::kAnyTrue, facts.label(chain.second), n};
    finding.why = {say::kAnyTrueWhy, n + 1, 2 * n + 2};
    finding.instead = {say::kAnyTrueInstead};
    finding.paramsSaved = facts.paramsOf(0, 2 * n);
    const Compare compare = any->compare;
    finding.proposal.rewrites.push_back([compare, operands, n](GraphEdit& edit) {
        compareSum(edit, compare, operands, {n - 1.0, 1, -1});
    });
    out.push_back(std::move(finding));
}

/// The all-true among the operands that nothing else reads, taken apart.
struct FlatAllTrue {
    std::vector<NodeId> operands;  ///< all that are asked in the end
    std::vector<NodeId> inner;     ///< ends of the all-true inside
    int depth = 1;                 ///< all-true that wait for each other
};

FlatAllTrue flattened(const AdviceFacts& facts, const BooleanFold& fold) {
    FlatAllTrue out;
    for (const NodeId operand : fold.operands) {
        const Chain* chain = facts.endsChain[operand.at()];
        const auto inner = chain != nullptr ? allTrueOf(facts, *chain) : std::nullopt;
        if (!inner || !facts.isReadOnlyBy(operand, fold.sum) || facts.isWaitedFor[operand.at()]) {
            out.operands.push_back(operand);
            continue;
        }
        const FlatAllTrue below = flattened(facts, *inner);
        out.inner.push_back(operand);
        out.inner.insert(out.inner.end(), below.inner.begin(), below.inner.end());
        out.operands.insert(out.operands.end(), below.operands.begin(), below.operands.end());
        out.depth = std::max(out.depth, below.depth + 1);
    }
    return out;
}

/// It is asked by another all-true alone, which takes it apart.
bool isInnerAllTrue(const AdviceFacts& facts, NodeId id) {
    const auto& readers = facts.relations.effective[id.at()];
    if (readers.size() != 1 || facts.relations.isOutput[id.at()]) return false;
    return std::ranges::any_of(facts.relations.consumers[readers.front().at()], [&](NodeId first) {
        const Chain* chain = facts.beginsChain[first.at()];
        return chain != nullptr && allTrueOf(facts, *chain).has_value();
    });
}

void findChainedAllTrue(const AdviceFacts& facts, const Chain& chain, Findings& out) {
    const auto fold = allTrueOf(facts, chain);
    if (!fold || !chain.isExclusive || isInnerAllTrue(facts, chain.second)) return;
    const FlatAllTrue flat = flattened(facts, *fold);
    if (flat.inner.empty()) return;
    std::vector<NodeId> nodes{chain.second};
    nodes.insert(nodes.end(), flat.inner.begin(), flat.inner.end());
    const int n = count(flat.operands);
    Finding finding = facts.finding(114, nodes);
    finding.shape = shapeText(facts.at(chain.second), {count(flat.inner), n});
    finding.what = {say::kChainedAllTrue, facts.label(chain.second), count(flat.inner), facts.labels(flat.inner)};
    finding.why = {say::kChainedAllTrueWhy, flat.depth};
    finding.instead = {say::kChainedAllTrueInstead, n};
    finding.paramsSaved = facts.paramsOf(0, 2 * count(flat.inner));
    const Compare compare = fold->compare;
    finding.proposal.rewrites.push_back([compare, operands = flat.operands, n](GraphEdit& edit) {
        compareSum(edit, compare, operands, {n - 1.0, compare.low, compare.high});
    });
    out.push_back(std::move(finding));
}

// ---- selects: TW-112 --------------------------------------------------------------------------------------------

/// Through Concatenates of one.
NodeId beneath(const NodeGraph& graph, NodeId id) {
    while (graph.at(id).is(NodeKind::Concatenate) && graph.at(id).inputs.size() == 1)
        id = graph.at(id).inputs.front();
    return id;
}

/// By node: selects inside each other that end there.
struct SelectNest {
    std::vector<std::optional<Select>> at;  ///< by the last node of the chain
    std::vector<int> depth;                 ///< by node, 0 = no select
    std::vector<NodeId> inner;              ///< by node: the deepest select that it takes a value from
    std::vector<bool> isInside;             ///< by node: another select takes its value
};

SelectNest nestOf(const AdviceFacts& facts) {
    const std::size_t size = facts.graph.size();
    SelectNest nest{std::vector<std::optional<Select>>(size), std::vector<int>(size, 0), std::vector<NodeId>(size),
                    std::vector<bool>(size, false)};
    for (const Chain& chain : facts.chains)
        nest.at[chain.second.at()] = selectOf(facts, chain);
    for (const NodeId id : topologicalOrder(facts.graph)) {
        const auto& select = nest.at[id.at()];
        if (!select) continue;
        nest.depth[id.at()] = 1;
        for (const NodeId leaf : {select->whenTrue, select->whenFalse}) {
            const NodeId value = beneath(facts.graph, leaf);
            const int depth = nest.depth[value.at()];
            if (depth == 0) continue;
            nest.isInside[value.at()] = true;
            if (depth + 1 <= nest.depth[id.at()]) continue;
            nest.depth[id.at()] = depth + 1;
            nest.inner[id.at()] = value;
        }
    }
    return nest;
}

void addNestedSelect(const AdviceFacts& facts, const SelectNest& nest, NodeId last, Findings& out) {
    std::vector<NodeId> nodes;
    std::int64_t slots = 0;
    for (NodeId id = last; id.isValid(); id = nest.inner[id.at()]) {
        nodes.push_back(id);
        slots += facts.at(nest.at[id.at()]->chain->relu).width;
    }
    const int depth = nest.depth[last.at()];
    const int side = std::max(2, static_cast<int>(std::ceil(std::sqrt(depth + 1.0))));
    const int gridSlots = 6 * side;  // about 3 (n1 + n2), torchwright.md 15
    Finding finding = facts.finding(112, nodes);
    finding.shape = shapeText(facts.at(last), {depth, facts.at(last).width});
    finding.what = {say::kNestedSelects, depth, facts.label(last), slots};
    finding.why = {say::kNestedSelectsWhy, depth, 1};
    finding.instead = {say::kNestedSelectsInstead, gridSlots, side};
    finding.paramsSaved = std::max<std::int64_t>(0, facts.paramsOf(0, slots - gridSlots));
    out.push_back(std::move(finding));
}

// ---- products: TW-113 -------------------------------------------------------------------------------------------

/// a + b or a - b: the two nodes and whether the signs differ.
struct Combined {
    NodeId a, b;  ///< a < b
    bool isDifference = false;
};

bool isNegation(const AdviceFacts& facts, NodeId id) {
    const auto scaling = scalingOf(facts.graph, id);
    return scaling && facts.at(id).linear().bias->entries.empty() &&
           std::ranges::all_of(scaling->factors, [](float f) { return f == -1.0F; });
}

std::optional<Combined> combinedOf(const AdviceFacts& facts, NodeId id) {
    const Node& node = facts.at(id);
    if (!node.is(NodeKind::Add)) return std::nullopt;
    int negated = 0;
    std::vector<NodeId> nodes;
    for (const NodeId addend : node.inputs) {
        const bool isNegated = isNegation(facts, addend);
        negated += isNegated ? 1 : 0;
        nodes.push_back(isNegated ? facts.at(addend).inputs.front() : addend);
    }
    if (nodes[0] == nodes[1]) return std::nullopt;
    std::ranges::sort(nodes);
    return Combined{nodes[0], nodes[1], negated == 1};
}

/// The one value that a chain reads: itself, or side by side with its negation.
NodeId readBy(const AdviceFacts& facts, const Chain& chain) {
    NodeId found;
    for (const NodeId leaf : leavesOf(facts.graph, facts.at(chain.first).inputs.front())) {
        const NodeId value = isNegation(facts, leaf) ? facts.at(leaf).inputs.front() : leaf;
        if (found.isValid() && found != value) return {};
        found = value;
    }
    return found;
}

struct SquareOf {
    const Chain* chain = nullptr;
    Combined value;
    bool isDeep = false;  ///< through one chain more
};

std::optional<SquareOf> squareOf(const AdviceFacts& facts, const Chain& chain) {
    const NodeId read = readBy(facts, chain);
    if (!read.isValid()) return std::nullopt;
    if (const auto direct = combinedOf(facts, read)) return SquareOf{&chain, *direct, false};
    const Chain* before = facts.endsChain[read.at()];
    if (before == nullptr) return std::nullopt;
    const NodeId beyond = readBy(facts, *before);
    const auto through = beyond.isValid() ? combinedOf(facts, beyond) : std::nullopt;
    return through ? std::optional<SquareOf>({&chain, *through, true}) : std::nullopt;
}

/// Nodes that read the value, negated or not.
std::vector<NodeId> meetingPoints(const AdviceFacts& facts, NodeId id) {
    std::vector<NodeId> points;
    for (const NodeId reader : facts.relations.effective[id.at()]) {
        points.push_back(reader);
        if (!scalingOf(facts.graph, reader)) continue;
        const auto& further = facts.relations.effective[reader.at()];
        points.insert(points.end(), further.begin(), further.end());
    }
    std::erase_if(points,
                  [&](NodeId p) { return !facts.at(p).is(NodeKind::Add) && !facts.at(p).is(NodeKind::Linear); });
    return points;
}

bool meet(const AdviceFacts& facts, NodeId a, NodeId b) {
    const std::vector<NodeId> ofB = meetingPoints(facts, b);
    return std::ranges::any_of(meetingPoints(facts, a),
                               [&](NodeId p) { return std::ranges::find(ofB, p) != ofB.end(); });
}

bool areProduct(const AdviceFacts& facts, const SquareOf& x, const SquareOf& y) {
    return x.value.a == y.value.a && x.value.b == y.value.b && x.value.isDifference != y.value.isDifference &&
           meet(facts, x.chain->second, y.chain->second);
}

Finding productFinding(const AdviceFacts& facts, const SquareOf& x, const SquareOf& y) {
    const bool isDeep = x.isDeep || y.isDeep;
    Slots slots = 0;
    for (const SquareOf* square : {&x, &y}) {
        slots += facts.at(square->chain->relu).width;
        if (square->isDeep) slots += facts.at(facts.endsChain[readBy(facts, *square->chain).at()]->relu).width;
    }
    const NodeId first = x.chain->second, second = y.chain->second;
    Finding finding = facts.finding(113, {first, second, x.value.a, x.value.b});
    finding.shape = (isDeep ? "deep " : "shallow ") + shapeText(facts.at(first), {slots, facts.at(first).width});
    finding.what = {isDeep ? say::kDeepMultiply : say::kShallowMultiply, facts.label(x.value.a), facts.label(x.value.b),
                    facts.label(first), facts.label(second)};
    finding.why = {isDeep ? say::kDeepMultiplyWhy : say::kShallowMultiplyWhy, slots};
    finding.instead = {isDeep ? say::kDeepMultiplyInstead : say::kShallowMultiplyInstead};
    return finding;
}

}  // namespace

void findAnyTrue(const AdviceFacts& facts, Findings& out) {
    const std::vector<NodeId> negations = negationsOf(facts);
    for (const Chain& chain : facts.chains)
        findAnyTrue(facts, chain, negations, out);
}

void findChainedAllTrue(const AdviceFacts& facts, Findings& out) {
    for (const Chain& chain : facts.chains)
        findChainedAllTrue(facts, chain, out);
}

void findNestedSelects(const AdviceFacts& facts, Findings& out) {
    const SelectNest nest = nestOf(facts);
    for (std::size_t i = 0; i < facts.graph.size(); ++i)
        if (nest.depth[i] >= 2 && !nest.isInside[i]) addNestedSelect(facts, nest, NodeId::of(i), out);
}

void findDeepMultiplications(const AdviceFacts& facts, SameValues& values, Findings& out) {
    std::map<std::vector<std::int64_t>, std::vector<SquareOf>> alike;
    for (const Chain& chain : facts.chains) {
        const auto square = squareOf(facts, chain);
        if (!square) continue;
        std::vector<std::int64_t> key = parametersKey(facts.at(chain.first), values.tensors);
        for (const std::int64_t part : parametersKey(facts.at(chain.second), values.tensors))
            key.push_back(part);
        alike[std::move(key)].push_back(*square);
    }
    for (const auto& [key, squares] : alike)
        for (std::size_t i = 0; i < squares.size(); ++i)
            for (std::size_t j = i + 1; j < squares.size(); ++j)
                if (areProduct(facts, squares[i], squares[j]))
                    out.push_back(productFinding(facts, squares[i], squares[j]));
}

}  // namespace memplan::torchwright

// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/advice/shapes.h"

#include <algorithm>
#include <cmath>

namespace memplan::torchwright {
namespace {

constexpr double kTolerance = 1e-5;

bool isClose(double a, double b) {
    return std::abs(a - b) <= kTolerance * std::max(1.0, std::abs(b));
}

bool hasWeights(const LinearData& data) {
    return data.matrix && data.bias;
}

/// A Linear of ones over a Concatenate of scalars.
std::vector<NodeId> summedScalars(const AdviceFacts& facts, NodeId id) {
    const Node& node = facts.at(id);
    if (!node.is(NodeKind::Linear) || node.width != 1 || !hasWeights(node.linear())) return {};
    const LinearData& data = node.linear();
    const bool isOnes = static_cast<Columns>(data.matrix->entries.size()) == data.inputWidth &&
                        std::ranges::all_of(data.matrix->entries, [](const auto& e) { return e.value == 1.0F; });
    if (!isOnes || !data.bias->entries.empty() || !facts.at(node.inputs.front()).is(NodeKind::Concatenate)) return {};
    std::vector<NodeId> leaves = leavesOf(facts.graph, node.inputs.front());
    const bool areScalars = std::ranges::all_of(leaves, [&](NodeId leaf) { return facts.at(leaf).width == 1; });
    return areScalars ? leaves : std::vector<NodeId>();
}

std::optional<BooleanFold> foldOf(const AdviceFacts& facts, const Chain& chain) {
    const auto compare = compareOf(facts, chain);
    if (!compare || !compare->hasLevels(-1, 1)) return std::nullopt;
    BooleanFold fold{*compare, compare->input, summedScalars(facts, compare->input)};
    if (fold.operands.size() < 2) return std::nullopt;
    return fold;
}

/// Two identities on top of each other.
bool addsHalves(const Tensor& matrix) {
    const auto isHalf = [&](const Tensor::Entry& e) {
        return e.value == 1.0F && matrix.rowOf(e) % matrix.columns == matrix.columnOf(e);
    };
    return static_cast<std::int64_t>(matrix.entries.size()) == matrix.rows &&
           std::ranges::all_of(matrix.entries, isHalf);
}

}  // namespace

std::optional<Scaling> scalingOf(const NodeGraph& graph, NodeId id) {
    const Node& node = graph.at(id);
    if (!node.is(NodeKind::Linear) || node.linear().inputWidth != node.width || !node.linear().matrix)
        return std::nullopt;
    const Tensor& matrix = *node.linear().matrix;
    Scaling out{node.inputs.front(), std::vector<float>(static_cast<std::size_t>(node.width), 0)};
    for (const Tensor::Entry& e : matrix.entries) {
        if (matrix.rowOf(e) != matrix.columnOf(e)) return std::nullopt;
        out.factors[static_cast<std::size_t>(matrix.rowOf(e))] = e.value;
    }
    return out;
}

bool Compare::hasLevels(double lo, double hi) const {
    return isClose(low, lo) && isClose(high, hi);
}

bool Compare::isAt(double t) const {
    return isClose(threshold, t);
}

std::optional<Compare> compareOf(const AdviceFacts& facts, const Chain& chain) {
    const Node& first = facts.at(chain.first);
    const Node& second = facts.at(chain.second);
    if (facts.at(chain.relu).width != 2 || second.width != 1 || first.linear().inputWidth != 1) return std::nullopt;
    const LinearData& in = first.linear();
    const LinearData& out = second.linear();
    if (!hasWeights(in) || !hasWeights(out)) return std::nullopt;
    const double weight = in.matrix->at(0, 0), bias = in.bias->at(0, 0), height = out.matrix->at(0, 0);
    const bool isStep = weight != 0 && height != 0 && isClose(in.matrix->at(0, 1), weight) &&
                        isClose(bias - static_cast<double>(in.bias->at(0, 1)), 1) &&
                        isClose(out.matrix->at(1, 0), -height);
    if (!isStep) return std::nullopt;
    const double low = out.bias->at(0, 0);
    return Compare{&chain, first.inputs.front(), weight, -bias / weight, low, low + height};
}

std::optional<Compare> compareEndingIn(const AdviceFacts& facts, NodeId id) {
    const Chain* chain = facts.endsChain[id.at()];
    return chain == nullptr ? std::nullopt : compareOf(facts, *chain);
}

std::optional<BooleanFold> allTrueOf(const AdviceFacts& facts, const Chain& chain) {
    auto fold = foldOf(facts, chain);
    if (!fold || !fold->compare.isAt(static_cast<double>(fold->operands.size()) - 1)) return std::nullopt;
    return fold;
}

std::optional<BooleanFold> anyTrueOf(const AdviceFacts& facts, const Chain& chain) {
    auto fold = foldOf(facts, chain);
    if (!fold || !fold->compare.isAt(0.5)) return std::nullopt;
    const bool areBits = std::ranges::all_of(fold->operands, [&](NodeId id) {
        const auto bit = compareEndingIn(facts, id);
        return bit && bit->hasLevels(0, 1);
    });
    if (!areBits) return std::nullopt;
    return fold;
}

std::optional<Select> selectOf(const AdviceFacts& facts, const Chain& chain) {
    const NodeId input = facts.at(chain.first).inputs.front();
    if (!facts.at(input).is(NodeKind::Concatenate)) return std::nullopt;
    const std::vector<NodeId> leaves = leavesOf(facts.graph, input);
    if (leaves.size() != 3 || facts.at(leaves[0]).width != 1) return std::nullopt;
    const Node& second = facts.at(chain.second);
    const Columns width = second.width;
    const bool fits = facts.at(leaves[1]).width == width && facts.at(leaves[2]).width == width &&
                      facts.at(chain.relu).width == 2 * width;
    if (!fits || (second.linear().matrix && !addsHalves(*second.linear().matrix))) return std::nullopt;
    return Select{&chain, leaves[0], leaves[1], leaves[2]};
}

}  // namespace memplan::torchwright

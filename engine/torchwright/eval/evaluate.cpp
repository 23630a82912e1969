// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/eval/evaluate.h"

#include "engine/base/numeric.h"
#include "engine/base/text.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace memplan::torchwright {
namespace {

constexpr const char* kCode = "TW-023";
constexpr double kMasked = -1e6;  ///< logit of a position that is not there yet
constexpr double kPositionBase = 10000;
constexpr std::int64_t kMostValues = std::int64_t{1} << 27;  ///< one GiB

bool hasWeights(const Node& node) {
    switch (node.kind) {
    case NodeKind::Embedding:
        return node.embedding().table != nullptr;
    case NodeKind::Linear:
        return node.linear().matrix && node.linear().bias;
    case NodeKind::Attn:
        return node.attn().queryMatrix && node.attn().keyMatrix && node.attn().valueMatrix && node.attn().outputMatrix;
    default:
        return true;
    }
}

Result<void> checkGraph(const NodeGraph& graph, std::size_t positions) {
    std::int64_t values = 0;
    for (std::size_t i = 0; i < graph.size(); ++i) {
        const Node& node = graph.nodes[i];
        if (!hasWeights(node)) {
            return makeError(kCode, "node " + graph.label(NodeId::of(i)),
                             "the node has no weights, so the graph cannot be evaluated",
                             "export the graph with its tensors");
        }
        values = saturatedAdd(values, node.width);
    }
    values = saturatedMul(values, static_cast<std::int64_t>(positions));
    if (values <= kMostValues) return {};
    return makeError(kCode, "graph",
                     text::grouped(values) + " values of all nodes at " + std::to_string(positions) +
                         " positions are more than the " + text::grouped(kMostValues) + " that are evaluated",
                     "evaluate fewer positions");
}

/// x * matrix, added to what stands in `out`.
void addProduct(const Rows& x, const Tensor& matrix, Rows& out) {
    for (const Tensor::Entry& e : matrix.entries) {
        const auto from = static_cast<std::size_t>(matrix.rowOf(e)), to = static_cast<std::size_t>(matrix.columnOf(e));
        for (std::size_t p = 0; p < x.positions; ++p)
            out.values[p * out.width + to] += x.at(p, from) * static_cast<double>(e.value);
    }
}

Rows product(const Rows& x, const Tensor& matrix) {
    Rows out(x.positions, static_cast<std::size_t>(matrix.columns));
    addProduct(x, matrix, out);
    return out;
}

double dot(std::span<const double> a, std::span<const double> b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += a[i] * b[i];
    return sum;
}

/// Shares of the positions for one query; later ones are masked.
std::vector<double> attentionShares(const Rows& query, const Rows& key, std::size_t position) {
    std::vector<double> shares(key.positions, kMasked);
    for (std::size_t p = 0; p <= position; ++p)
        shares[p] = dot(query.row(position), key.row(p));
    const double most = *std::ranges::max_element(shares);
    double sum = 0;
    for (double& share : shares)
        sum += share = std::exp(share - most);
    for (double& share : shares)
        share /= sum;
    return shares;
}

Rows attend(const AttnData& data, const Rows& queryIn, const Rows& keyIn, const Rows& valueIn) {
    const Rows query = product(queryIn, *data.queryMatrix), key = product(keyIn, *data.keyMatrix);
    const Rows value = product(valueIn, *data.valueMatrix);
    Rows mixed(value.positions, value.width);
    for (std::size_t p = 0; p < mixed.positions; ++p) {
        const std::vector<double> shares = attentionShares(query, key, p);
        for (std::size_t from = 0; from < shares.size(); ++from)
            for (std::size_t c = 0; c < mixed.width; ++c)
                mixed.row(p)[c] += shares[from] * value.at(from, c);
    }
    return product(mixed, *data.outputMatrix);
}

class Evaluation {
public:
    Evaluation(const NodeGraph& graph, const GraphInputs& inputs)
        : graph_(graph), inputs_(inputs), values_(graph.size()) {}

    void compute(NodeId id) { values_[id.at()] = valueOf(graph_.at(id)); }
    [[nodiscard]] std::vector<Rows> take() { return std::move(values_); }

private:
    [[nodiscard]] const Rows& in(const Node& node, std::size_t i) const { return values_[node.inputs[i].at()]; }
    [[nodiscard]] Rows blank(const Node& node) const {
        return {inputs_.positions, static_cast<std::size_t>(node.width)};
    }

    [[nodiscard]] Rows valueOf(const Node& node) const {
        switch (node.kind) {
        case NodeKind::InputNode:
            return inputs_.rows.at(inputKey(node));
        case NodeKind::LiteralValue:
            return literal(node);
        case NodeKind::PosEncoding:
            return positionRows(inputs_.firstPosition, inputs_.positions, node.width);
        case NodeKind::Embedding:
            return embedding(node);
        case NodeKind::Linear:
            return linear(node);
        case NodeKind::ReLU:
            return relu(node);
        case NodeKind::Attn:
            return attend(node.attn(), in(node, 0), in(node, 1), in(node, 2));
        case NodeKind::Add:
            return sum(node);
        case NodeKind::Concatenate:
            return concatenated(node);
        case NodeKind::Assert:
        case NodeKind::DebugWatch:
            return in(node, 0);
        case NodeKind::Placeholder:
            break;
        }
        return blank(node);
    }

    [[nodiscard]] Rows literal(const Node& node) const {
        Rows out = blank(node);
        for (std::size_t p = 0; p < out.positions; ++p)
            std::ranges::copy(node.literal().value, out.row(p).begin());
        return out;
    }

    [[nodiscard]] Rows embedding(const Node& node) const {
        Rows out = blank(node);
        const Tensor& table = *node.embedding().table;
        const std::vector<std::int64_t>& tokens = inputs_.tokens.at(inputKey(node));
        for (std::size_t p = 0; p < out.positions; ++p)
            for (const Tensor::Entry& e : table.row(tokens[p]))
                out.row(p)[static_cast<std::size_t>(table.columnOf(e))] = e.value;
        return out;
    }

    [[nodiscard]] Rows linear(const Node& node) const {
        Rows out = blank(node);
        for (std::size_t p = 0; p < out.positions; ++p)
            for (const Tensor::Entry& e : node.linear().bias->entries)
                out.row(p)[static_cast<std::size_t>(e.index)] = e.value;
        addProduct(in(node, 0), *node.linear().matrix, out);
        return out;
    }

    [[nodiscard]] Rows relu(const Node& node) const {
        Rows out = in(node, 0);
        for (double& value : out.values)
            value = std::max(value, 0.0);
        return out;
    }

    [[nodiscard]] Rows sum(const Node& node) const {
        Rows out = in(node, 0);
        const Rows& other = in(node, 1);
        for (std::size_t i = 0; i < out.values.size(); ++i)
            out.values[i] += other.values[i];
        return out;
    }

    [[nodiscard]] Rows concatenated(const Node& node) const {
        Rows out = blank(node);
        for (std::size_t p = 0; p < out.positions; ++p) {
            auto at = out.row(p).begin();
            for (std::size_t i = 0; i < node.inputs.size(); ++i)
                at = std::ranges::copy(in(node, i).row(p), at).out;
        }
        return out;
    }

    const NodeGraph& graph_;
    const GraphInputs& inputs_;
    std::vector<Rows> values_;
};

}  // namespace

Rows positionRows(std::size_t first, std::size_t count, Columns width) {
    Rows rows(count, static_cast<std::size_t>(width));
    for (std::size_t p = 0; p < count; ++p) {
        const std::span<double> row = rows.row(p);
        const auto position = static_cast<double>(first + p);
        for (std::size_t pair = 0; 2 * pair + 1 < row.size(); ++pair) {
            const double frequency = std::exp(-static_cast<double>(2 * pair) * std::log(kPositionBase) / width);
            row[2 * pair] = std::sin(position * frequency);
            row[2 * pair + 1] = std::cos(position * frequency);
        }
        if (row.size() >= 2) row[row.size() - 2] = position;
    }
    return rows;
}

Result<std::vector<Rows>> evaluateNodes(const NodeGraph& graph, const GraphInputs& inputs, const RunControl& control) {
    if (auto fits = checkGraph(graph, inputs.positions); !fits) return fits.error();
    if (auto fits = checkInputs(graph, inputs); !fits) return fits.error();
    Evaluation evaluation(graph, inputs);
    for (const NodeId id : topologicalOrder(graph)) {
        if (control.shouldStop()) return makeError(kCancelledCode, "evaluation", "the evaluation was cancelled");
        evaluation.compute(id);
    }
    return evaluation.take();
}

Result<Rows> evaluate(const NodeGraph& graph, const GraphInputs& inputs, const RunControl& control) {
    auto values = evaluateNodes(graph, inputs, control);
    if (!values) return values.error();
    return std::move(values.value()[graph.output.at()]);
}

}  // namespace memplan::torchwright

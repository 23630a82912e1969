// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/lower/graph_groups.h"

#include <algorithm>
#include <set>

namespace memplan::ttnn::lower {

namespace {

const Op& opOf(const Graph& graph, GraphOpId id) {
    return graph.ops[id.at()];
}

/// The operations of a group and what enters and leaves it.
class Members {
public:
    Members(const Graph& graph, const Group& group) : graph_(graph), group_(group) {
        for (const GraphOpId id : group.ops)
            inside_.insert(id.index);
        for (const GraphOpId id : group.ops) {
            for (const TensorId output : opOf(graph, id).outputs)
                made_.insert(output.index);
        }
    }

    [[nodiscard]] bool isInside(TensorId tensor) const { return made_.contains(tensor.index); }
    [[nodiscard]] const Op& at(std::size_t i) const { return opOf(graph_, group_.ops[i]); }
    [[nodiscard]] std::size_t size() const { return group_.ops.size(); }
    [[nodiscard]] const Op& last() const { return at(size() - 1); }

    /// Only the last operation's result is read outside.
    [[nodiscard]] bool isClosed(const Readers& readers) const {
        return std::ranges::all_of(made_, [&](std::int32_t tensor) {
            return tensor == last().outputs.front().index ||
                   std::ranges::all_of(readers[static_cast<std::size_t>(tensor)],
                                       [&](std::int32_t reader) { return inside_.contains(reader); });
        });
    }

    /// The functions of its operations in order.
    [[nodiscard]] std::vector<std::string> functions() const {
        std::vector<std::string> out;
        for (std::size_t i = 0; i < size(); ++i)
            out.push_back(at(i).fn);
        return out;
    }

    /// Operand from outside of operation `i`; none, or several, give none.
    [[nodiscard]] TensorId outer(std::size_t i) const {
        TensorId found;
        for (const TensorId input : at(i).inputs) {
            if (!input.isValid() || isInside(input)) continue;
            if (found.isValid() && found != input) return {};
            found = input;
        }
        return found;
    }

private:
    const Graph& graph_;
    const Group& group_;
    std::set<std::int32_t> inside_, made_;
};

std::optional<double> numberOf(const Graph& graph, TensorId tensor) {
    if (!tensor.isValid() || graph.tensor(tensor).value.size() != 1) return std::nullopt;
    return graph.tensor(tensor).value.front();
}

using Words = std::vector<std::string>;

std::optional<GroupOperation> softmax(const Graph& graph, const Members& m) {
    if (m.functions() != Words{"max", "sub", "exp", "sum", "div"}) return std::nullopt;
    const auto axes = reducedAxes(graph, m.at(0));
    const auto sums = reducedAxes(graph, m.at(3));
    if (!axes || axes->size() != 1 || axes != sums) return std::nullopt;
    GroupOperation out;
    out.kind = "softmax";
    out.inputs = {m.at(0).inputs.front()};
    out.axes = *axes;
    return out;
}

/// Scale and offset: the operands from outside of the last product and the last sum.
void takeParameters(const Members& m, std::size_t from, GroupOperation& out) {
    for (std::size_t i = from; i < m.size(); ++i) {
        const TensorId parameter = m.outer(i);
        if (!parameter.isValid()) continue;
        out.inputs.push_back(parameter);
        (m.at(i).fn == "mul" ? out.hasScale : out.hasOffset) = true;
    }
}

/// The last axes, and parameters with a number for each of their elements.
bool isNormalisation(const Graph& graph, const GroupOperation& op) {
    const auto& shape = graph.tensor(op.inputs.front()).shape;
    for (std::size_t i = 0; i < op.axes.size(); ++i) {
        if (op.axes[op.axes.size() - 1 - i] != static_cast<int>(shape.size() - 1 - i)) return false;
    }
    const std::vector<std::int64_t> wanted(shape.end() - static_cast<std::ptrdiff_t>(op.axes.size()), shape.end());
    return std::all_of(op.inputs.begin() + 1, op.inputs.end(),
                       [&](TensorId t) { return graph.tensor(t).shape == wanted; });
}

std::optional<GroupOperation> layerNorm(const Graph& graph, const Members& m) {
    const Words head{"mean", "sub", "square", "mean", "add", "rsqrt", "mul"};
    const Words all = m.functions();
    if (all.size() < head.size() || !std::equal(head.begin(), head.end(), all.begin())) return std::nullopt;
    const Words tail(all.begin() + static_cast<std::ptrdiff_t>(head.size()), all.end());
    if (tail != Words{} && tail != Words{"mul"} && tail != Words{"mul", "add"}) return std::nullopt;
    const auto axes = reducedAxes(graph, m.at(0));
    const auto epsilon = numberOf(graph, m.outer(4));
    if (!axes || axes->empty() || axes != reducedAxes(graph, m.at(3)) || !epsilon) return std::nullopt;
    GroupOperation out;
    out.kind = "layer_norm";
    out.inputs = {m.at(0).inputs.front()};
    out.axes = *axes;
    out.epsilon = *epsilon;
    takeParameters(m, head.size(), out);
    return isNormalisation(graph, out) ? std::optional(out) : std::nullopt;
}

std::optional<GroupOperation> rmsNorm(const Graph& graph, const Members& m) {
    const Words all = m.functions();
    std::size_t scale = 0;  // the product with the parameter
    if (all == Words{"square", "mean", "add", "rsqrt", "mul", "mul"}) scale = 5;
    if (all == Words{"square", "mean", "add", "sqrt", "reciprocal", "mul", "mul"}) scale = 6;
    if (all == Words{"square", "mean", "add", "sqrt", "div", "mul", "mul"} && numberOf(graph, m.outer(4)) == 1.0)
        scale = 6;
    const auto axes = scale == 0 ? std::nullopt : reducedAxes(graph, m.at(1));
    const auto epsilon = scale == 0 ? std::nullopt : numberOf(graph, m.outer(2));
    if (!axes || axes->empty() || !epsilon || m.outer(scale - 1) != m.at(0).inputs.front()) return std::nullopt;
    GroupOperation out;
    out.kind = "rms_norm";
    out.inputs = {m.at(0).inputs.front()};
    out.axes = *axes;
    out.epsilon = *epsilon;
    takeParameters(m, scale, out);
    return isNormalisation(graph, out) ? std::optional(out) : std::nullopt;
}

/// A function of one value: whatever else enters is a number.
std::optional<GroupOperation> unary(const Graph& graph, const Members& m, std::string kind) {
    GroupOperation out;
    out.kind = std::move(kind);
    for (std::size_t i = 0; i < m.size(); ++i) {
        for (const TensorId input : m.at(i).inputs) {
            if (!input.isValid() || m.isInside(input) || numberOf(graph, input)) continue;
            if (out.inputs.empty()) out.inputs.push_back(input);
            if (out.inputs.front() != input) return std::nullopt;
        }
    }
    if (out.inputs.empty()) return std::nullopt;
    const bool isSameShape = graph.tensor(out.inputs[0]).shape == graph.tensor(m.last().outputs[0]).shape;
    return isSameShape ? std::optional(out) : std::nullopt;
}

std::optional<GroupOperation> byKind(const Graph& graph, const Group& group, const Members& m) {
    if (group.kind == "softmax") return softmax(graph, m);
    if (group.kind == "layer_norm") return layerNorm(graph, m);
    if (group.kind == "rms_norm") return rmsNorm(graph, m);
    if (group.kind == "gelu" || group.kind == "silu") return unary(graph, m, group.kind);
    return std::nullopt;
}

}  // namespace

std::optional<std::vector<int>> reducedAxes(const Graph& graph, const Op& op) {
    if (op.kind != OpKind::Reduction || !op.hasIter || op.inputs.size() != 1 || !op.inMaps.front()) return std::nullopt;
    const auto& map = *op.inMaps.front();
    if (map.size() != op.iter.size() || map.size() != graph.tensor(op.inputs[0]).shape.size()) return std::nullopt;
    std::vector<int> axes;
    for (std::size_t d = 0; d < map.size(); ++d) {
        const auto& terms = map[d].terms;
        const bool isOwn = terms.size() == 1 && terms[0].loop == static_cast<int>(d) && terms[0].coefficient == 1;
        const bool isOne = terms.empty() && op.iter[d].size == 1;
        if (map[d].dataDependent || map[d].constant != 0 || (!isOwn && !isOne)) return std::nullopt;
        if (op.iter[d].kind == IterKind::Reduction) axes.push_back(static_cast<int>(d));
    }
    return axes;
}

Readers readersOf(const Graph& graph) {
    Readers readers(graph.tensors.size());
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        for (const TensorId input : graph.ops[i].inputs) {
            if (input.isValid()) readers[input.at()].push_back(static_cast<std::int32_t>(i));
        }
    }
    for (const TensorId output : graph.outputs)
        readers[output.at()].push_back(-1);
    return readers;
}

std::optional<GroupOperation> groupOperation(const Graph& graph, const Readers& readers, const Group& group) {
    if (group.ops.empty()) return std::nullopt;
    const Members members(graph, group);
    if (members.last().outputs.size() != 1) return std::nullopt;
    auto out = byKind(graph, group, members);
    if (!out || !members.isClosed(readers)) return std::nullopt;
    out->output = members.last().outputs.front();
    return out;
}

}  // namespace memplan::ttnn::lower

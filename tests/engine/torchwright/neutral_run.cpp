// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/torchwright/neutral_run.h"

#include <QtGlobal>

#include <algorithm>
#include <cmath>

namespace memplan::test {
namespace {

using Loops = std::vector<std::int64_t>;

double numberOf(const Op& op, std::string_view name, double otherwise) {
    const AttrValue* value = findAttr(op, name);
    if (value == nullptr) return otherwise;
    const auto* real = std::get_if<double>(value);
    return real != nullptr ? *real : static_cast<double>(std::get<std::int64_t>(*value));
}

std::size_t count(const Graph& graph, TensorId id) {
    return static_cast<std::size_t>(*elementCount(graph.tensor(id).shape));
}

class Run {
public:
    Run(const Graph& graph, TensorValues values) : graph_(graph), values_(std::move(values)) {
        for (std::size_t i = 0; i < graph.tensors.size(); ++i)
            if (!graph.tensors[i].value.empty()) values_[TensorId::of(i)] = graph.tensors[i].value;
    }

    TensorValues run() {
        for (const Op& op : graph_.ops)
            execute(op);
        return std::move(values_);
    }

private:
    const Graph& graph_;
    TensorValues values_;

    [[nodiscard]] std::size_t placeOf(TensorId id, const std::vector<IndexExpr>& map, const Loops& at) const {
        const auto& shape = graph_.tensor(id).shape;
        std::int64_t place = 0;
        for (std::size_t d = 0; d < map.size(); ++d) {
            std::int64_t index = map[d].constant;
            for (const IndexExpr::Term& term : map[d].terms)
                index += term.coefficient * at[static_cast<std::size_t>(term.loop)];
            place = place * shape[d] + (shape[d] == 1 ? 0 : index);
        }
        return static_cast<std::size_t>(place);
    }

    template <class F> void eachIteration(const Op& op, F&& f) const {
        Loops at(op.iter.size(), 0);
        while (true) {
            f(at);
            std::size_t d = at.size();
            while (d > 0 && ++at[d - 1] == op.iter[d - 1].size)
                at[--d] = 0;
            if (d == 0) return;
        }
    }

    void execute(const Op& op) {
        const TensorId out = op.outputs.front();
        if (op.kind == OpKind::View) return view(op, out);
        if (op.kind == OpKind::Gather) return gather(op, out);
        const TensorId root = aliasRoot(graph_, out);
        std::vector<double>& to = values_[root];
        if (to.empty()) to.assign(count(graph_, root), op.fn == "max" ? -INFINITY : 0.0);
        std::int64_t terms = 1;
        for (const IterDim& dim : op.iter)
            terms *= dim.kind == IterKind::Reduction ? dim.size : 1;
        eachIteration(op, [&](const Loops& at) {
            std::vector<double> in;
            for (std::size_t k = 0; k < op.inputs.size(); ++k)
                in.push_back(values_.at(op.inputs[k])[placeOf(op.inputs[k], *op.inMaps[k], at)]);
            double& result = to[placeOf(out, *op.outMaps[0], at)];
            if (op.kind == OpKind::MatMul || op.kind == OpKind::BMM)
                result += in[0] * in[1];
            else if (op.kind == OpKind::Reduction)
                result = op.fn == "max" ? std::max(result, in[0])
                                        : result + in[0] / (op.fn == "mean" ? static_cast<double>(terms) : 1.0);
            else
                result = op.kind == OpKind::Copy ? in[0] : element(op, in);
        });
        if (root != out) values_[out] = to;
    }

    void view(const Op& op, TensorId out) {
        const std::vector<double>& from = values_.at(op.inputs.front());
        const std::int64_t start = graph_.tensor(out).aliasOffset * 8 / dtypeBits(graph_.tensor(out).dtype);
        values_[out] = std::vector<double>(from.begin() + start,
                                           from.begin() + start + static_cast<std::ptrdiff_t>(count(graph_, out)));
    }

    void gather(const Op& op, TensorId out) {
        if (op.fn != "embedding") return gatherAlong(op, out);
        const auto width = static_cast<std::size_t>(graph_.tensor(op.inputs[0]).shape[1]);
        std::vector<double> to;
        for (const double token : values_.at(op.inputs[1])) {
            const auto row = values_.at(op.inputs[0]).begin() +
                             static_cast<std::ptrdiff_t>(token) * static_cast<std::ptrdiff_t>(width);
            to.insert(to.end(), row, row + static_cast<std::ptrdiff_t>(width));
        }
        values_[out] = to;
    }

    /// The axis of the map that depends on data reads where the places say, from the end where they are negative.
    void gatherAlong(const Op& op, TensorId out) {
        std::vector<double>& to = values_[out];
        to.assign(count(graph_, out), 0);
        eachIteration(op, [&](const Loops& at) {
            const double place = values_.at(op.inputs[1])[placeOf(op.inputs[1], *op.inMaps[1], at)];
            std::vector<IndexExpr> map = *op.inMaps[0];
            for (std::size_t d = 0; d < map.size(); ++d) {
                if (!map[d].dataDependent) continue;
                map[d] = {};
                map[d].constant = static_cast<std::int64_t>(place);
                if (place < 0) map[d].constant += graph_.tensor(op.inputs[0]).shape[d];
            }
            to[placeOf(out, *op.outMaps[0], at)] = values_.at(op.inputs[0])[placeOf(op.inputs[0], map, at)];
        });
    }

    static double element(const Op& op, const std::vector<double>& in) {
        const double x = in[0];
        if (op.fn == "add") return x + in[1];
        if (op.fn == "sub") return x - in[1];
        if (op.fn == "mul") return x * in[1];
        if (op.fn == "div") return x / in[1];
        if (op.fn == "max") return std::max(x, in[1]);
        if (op.fn == "min") return std::min(x, in[1]);
        if (op.fn == "prelu") return x < 0 ? x * in[1] : x;
        if (op.fn == "neg") return -x;
        if (op.fn == "abs") return std::abs(x);
        if (op.fn == "relu") return std::max(x, 0.0);
        if (op.fn == "exp") return std::exp(x);
        if (op.fn == "cast") return x;
        if (op.fn == "leaky_relu") return x < 0 ? x * numberOf(op, "alpha", 0.01) : x;
        if (op.fn == "clamp") return std::min(std::max(x, numberOf(op, "min", -1e30)), numberOf(op, "max", 1e30));
        if (op.fn == "hardsigmoid")
            return std::clamp(x * numberOf(op, "alpha", 0.2) + numberOf(op, "beta", 0.5), 0.0, 1.0);
        qFatal("unknown function %s", op.fn.c_str());
    }
};

}  // namespace

TensorValues runNeutral(const Graph& graph, TensorValues inputs) {
    return Run(graph, std::move(inputs)).run();
}

}  // namespace memplan::test

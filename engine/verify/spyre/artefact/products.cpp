// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/artefact/products.h"

#include "engine/verify/spyre/artefact/binding.h"

#include <algorithm>
#include <set>

namespace memplan::sim::artefact {
namespace {

/// Positions of the loops of the result among those of the addition, -1 for summed ones.
std::vector<int> resultLoops(const Op& op, std::vector<IterDim>& kept) {
    std::vector<int> at;
    for (const IterDim& d : op.iter) {
        const bool isKept = d.kind == IterKind::Parallel;
        at.push_back(isKept ? static_cast<int>(kept.size()) : -1);
        if (isKept) kept.push_back(d);
    }
    return at;
}

/// The map over the kept loops; nullopt where it walks others.
OperandMap over(const OperandMap& map, const std::vector<int>& loops) {
    if (!map) return std::nullopt;
    OperandMap out = map;
    for (IndexExpr& e : *out) {
        for (IndexExpr::Term& term : e.terms) {
            term.loop = loops[static_cast<std::size_t>(term.loop)];
            if (term.loop < 0) return std::nullopt;
        }
    }
    return out;
}

bool hasBias(const Op& op) {
    constexpr std::size_t kOperands = 3;
    return op.kind == OpKind::Conv && op.hasIter && op.inputs.size() == kOperands && op.inputs[2].isValid() &&
           op.inMaps.size() == kOperands && op.outputs.size() == 1 && op.outMaps.size() == 1;
}

/// Makes `op` the product alone; the addition that makes its result of it.
std::optional<Op> splitOff(Graph& graph, Op& op) {
    Op add;
    const std::vector<int> loops = resultLoops(op, add.iter);
    const OperandMap result = over(op.outMaps[0], loops);
    const OperandMap bias = over(op.inMaps[2], loops);
    if (!result || !bias) return std::nullopt;
    memplan::Tensor product = graph.tensor(op.outputs[0]);
    product.id += ".product";
    product.role = TensorRole::Activation;
    product.aliasOf = {};
    product.aliasOffset = 0;
    const TensorId made = TensorId::of(graph.tensors.size());
    graph.tensors.push_back(std::move(product));
    add.id = op.id;
    add.kind = OpKind::Pointwise;
    add.fn = "add";
    add.hasIter = true;
    add.inputs = {made, op.inputs[2]};
    add.inMaps = {result, bias};
    add.outputs = op.outputs;
    add.outMaps = {result};
    op.id += ".product";
    op.inputs.pop_back();
    op.inMaps.pop_back();
    op.outputs = {made};
    return add;
}

}  // namespace

Graph withProducts(Graph graph, const LoadedBundle& bundle) {
    std::set<std::string> names;
    for (const KernelCall& call : bundle.wrapper.calls)
        names.insert(call.arguments.begin(), call.arguments.end());
    std::vector<Op> ops;
    for (Op& op : graph.ops) {
        std::optional<Op> add;
        if (hasBias(op) && names.contains(plainName(graph.tensor(op.outputs[0]).id + ".product")))
            add = splitOff(graph, op);
        ops.push_back(std::move(op));
        if (add) ops.push_back(std::move(*add));
    }
    graph.ops = std::move(ops);
    return graph;
}

}  // namespace memplan::sim::artefact

// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/builder.h"

#include <algorithm>

namespace memplan {

namespace {

constexpr TensorId kNone{};

IndexExpr constantIndex(std::int64_t value) {
    IndexExpr e;
    e.constant = value;
    return e;
}

IndexExpr loopIndex(std::size_t loop) {
    IndexExpr e;
    e.terms.push_back({static_cast<int>(loop), 1});
    return e;
}

/// One loop per extent, named d0, d1, ...
std::vector<IterDim> loopsOver(const std::vector<std::int64_t>& shape) {
    std::vector<IterDim> iter;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        iter.push_back({"d" + std::to_string(i), shape[i], {}, IterKind::Parallel});
    }
    return iter;
}

std::vector<IndexExpr> identity(std::size_t rank) {
    std::vector<IndexExpr> map;
    for (std::size_t i = 0; i < rank; ++i)
        map.push_back(loopIndex(i));
    return map;
}

/// Map of an operand that is broadcast (aligned right) to `target`: "0" where its extent is 1.
std::vector<IndexExpr> broadcastMap(const std::vector<std::int64_t>& operand, const std::vector<std::int64_t>& target) {
    std::vector<IndexExpr> map;
    const std::size_t skip = target.size() - operand.size();
    for (std::size_t i = 0; i < operand.size(); ++i) {
        const bool repeated = operand[i] == 1 && target[i + skip] != 1;
        map.push_back(repeated ? constantIndex(0) : loopIndex(i + skip));
    }
    return map;
}

std::vector<std::int64_t> broadcastShape(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b) {
    std::vector<std::int64_t> out(std::max(a.size(), b.size()), 1);
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::int64_t x = i < a.size() ? a[a.size() - 1 - i] : 1;
        const std::int64_t y = i < b.size() ? b[b.size() - 1 - i] : 1;
        out[out.size() - 1 - i] = x == 1 ? y : x;
    }
    return out;
}

}  // namespace

GraphBuilder::GraphBuilder(std::string name) {
    graph_.name = std::move(name);
    graph_.source = GraphSource{"handmade", {}, {}};
}

TensorId GraphBuilder::addTensor(std::string id, std::vector<std::int64_t> shape, DType dtype, TensorRole role) {
    Tensor t;
    t.id = std::move(id);
    t.dtype = dtype;
    t.shape = std::move(shape);
    t.role = role;
    graph_.tensors.push_back(std::move(t));
    return TensorId::of(graph_.tensors.size() - 1);
}

TensorId GraphBuilder::input(std::string id, std::vector<std::int64_t> shape, DType dtype) {
    const TensorId t = addTensor(std::move(id), std::move(shape), dtype, TensorRole::Input);
    graph_.inputs.push_back(t);
    return t;
}

TensorId GraphBuilder::parameter(std::string id, std::vector<std::int64_t> shape, DType dtype) {
    return addTensor(std::move(id), std::move(shape), dtype, TensorRole::Parameter);
}

TensorId GraphBuilder::constant(std::string id, double value, DType dtype) {
    const TensorId t = addTensor(std::move(id), {}, dtype, TensorRole::Constant);
    graph_.tensors[t.at()].value = {value};
    return t;
}

TensorId GraphBuilder::pointwise(std::string id, std::string fn, std::vector<TensorId> inputs) {
    std::vector<std::int64_t> shape;
    for (const TensorId in : inputs)
        shape = broadcastShape(shape, graph_.tensor(in).shape);
    Op op;
    op.id = id;
    op.kind = OpKind::Pointwise;
    op.fn = std::move(fn);
    op.hasIter = true;
    op.iter = loopsOver(shape);
    for (const TensorId in : inputs)
        op.inMaps.emplace_back(broadcastMap(graph_.tensor(in).shape, shape));
    op.outMaps.emplace_back(identity(shape.size()));
    op.inputs = std::move(inputs);
    const TensorId out = addTensor(std::move(id), shape, graph_.tensor(op.inputs.at(0)).dtype, TensorRole::Activation);
    op.outputs = {out};
    graph_.ops.push_back(std::move(op));
    return out;
}

TensorId GraphBuilder::reduction(std::string id, std::string fn, TensorId x, std::vector<int> axes, bool keepDims) {
    const Tensor source = graph_.tensor(x);
    Op op;
    op.id = id;
    op.kind = OpKind::Reduction;
    op.fn = std::move(fn);
    op.inputs = {x};
    op.hasIter = true;
    op.iter = loopsOver(source.shape);
    op.inMaps.emplace_back(identity(source.shape.size()));
    std::vector<IndexExpr> outMap;
    std::vector<std::int64_t> shape;
    for (std::size_t i = 0; i < source.shape.size(); ++i) {
        const bool reduced = std::find(axes.begin(), axes.end(), static_cast<int>(i)) != axes.end();
        if (reduced) op.iter[i].kind = IterKind::Reduction;
        if (reduced && !keepDims) continue;
        outMap.push_back(reduced ? constantIndex(0) : loopIndex(i));
        shape.push_back(reduced ? 1 : source.shape[i]);
    }
    op.outMaps.emplace_back(std::move(outMap));
    const TensorId out = addTensor(std::move(id), std::move(shape), source.dtype, TensorRole::Activation);
    op.outputs = {out};
    graph_.ops.push_back(std::move(op));
    return out;
}

TensorId GraphBuilder::matmul(std::string id, TensorId x, TensorId y) {
    const Tensor a = graph_.tensor(x);
    const Tensor b = graph_.tensor(y);
    const std::size_t batch = a.shape.size() - 2;
    std::vector<std::int64_t> shape = a.shape;
    shape.back() = b.shape.back();
    Op op;
    op.id = id;
    op.kind = batch == 0 ? OpKind::MatMul : OpKind::BMM;
    op.fn = "matmul";
    op.inputs = {x, y};
    op.hasIter = true;
    for (std::size_t i = 0; i < batch; ++i) {
        op.iter.push_back({"b" + std::to_string(i), a.shape[i], {}, IterKind::Parallel});
    }
    op.iter.push_back({"m", a.shape[batch], {}, IterKind::Parallel});
    op.iter.push_back({"n", b.shape.back(), {}, IterKind::Parallel});
    op.iter.push_back({"k", a.shape.back(), {}, IterKind::Reduction});
    std::vector<IndexExpr> aMap = identity(batch + 1);
    aMap.push_back(loopIndex(batch + 2));
    std::vector<std::int64_t> loops(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(batch));
    std::vector<IndexExpr> bMap = broadcastMap({b.shape.begin(), b.shape.end() - 2}, loops);
    bMap.push_back(loopIndex(batch + 2));
    bMap.push_back(loopIndex(batch + 1));
    op.inMaps = {std::move(aMap), std::move(bMap)};
    op.outMaps = {identity(batch + 2)};
    const TensorId out = addTensor(std::move(id), std::move(shape), a.dtype, TensorRole::Activation);
    op.outputs = {out};
    graph_.ops.push_back(std::move(op));
    return out;
}

TensorId GraphBuilder::transpose(std::string id, TensorId x, std::vector<int> perm) {
    const Tensor source = graph_.tensor(x);
    std::vector<std::int64_t> shape;
    std::vector<IndexExpr> inMap(perm.size());
    for (std::size_t i = 0; i < perm.size(); ++i) {
        const auto axis = static_cast<std::size_t>(perm[i]);
        shape.push_back(source.shape.at(axis));
        inMap.at(axis) = loopIndex(i);
    }
    Op op;
    op.id = id;
    op.kind = OpKind::Copy;
    op.fn = "transpose";
    op.inputs = {x};
    op.hasIter = true;
    op.iter = loopsOver(shape);
    op.inMaps.emplace_back(std::move(inMap));
    op.outMaps.emplace_back(identity(shape.size()));
    const TensorId out = addTensor(std::move(id), std::move(shape), source.dtype, TensorRole::Activation);
    op.outputs = {out};
    graph_.ops.push_back(std::move(op));
    return out;
}

TensorId GraphBuilder::reshape(std::string id, TensorId x, std::vector<std::int64_t> shape) {
    Op op;
    op.id = id;
    op.kind = OpKind::View;
    op.fn = "reshape";
    op.inputs = {x};
    const TensorId out = addTensor(std::move(id), std::move(shape), graph_.tensor(x).dtype, TensorRole::Activation);
    graph_.tensors[out.at()].aliasOf = x;
    op.outputs = {out};
    graph_.ops.push_back(std::move(op));
    return out;
}

TensorId GraphBuilder::fallback(std::string id, std::string fn, std::vector<TensorId> inputs,
                                std::vector<std::int64_t> shape) {
    Op op;
    op.id = id;
    op.kind = OpKind::Fallback;
    op.fn = std::move(fn);
    const auto first = std::find_if(inputs.begin(), inputs.end(), [](TensorId b) { return b != kNone; });
    const DType dtype = first == inputs.end() ? DType::F16 : graph_.tensor(*first).dtype;
    op.inputs = std::move(inputs);
    const TensorId out = addTensor(std::move(id), std::move(shape), dtype, TensorRole::Activation);
    op.outputs = {out};
    graph_.ops.push_back(std::move(op));
    return out;
}

void GraphBuilder::group(std::string id, std::string kind, std::vector<std::string> opIds) {
    const GroupId groupId = GroupId::of(graph_.groups.size());
    Group g;
    g.id = std::move(id);
    g.kind = std::move(kind);
    for (const std::string& name : opIds) {
        const auto it = std::find_if(graph_.ops.begin(), graph_.ops.end(), [&](const Op& op) { return op.id == name; });
        if (it == graph_.ops.end()) continue;
        it->group = groupId;
        g.ops.push_back(GraphOpId::of(static_cast<std::size_t>(it - graph_.ops.begin())));
    }
    graph_.groups.push_back(std::move(g));
}

void GraphBuilder::output(TensorId t) {
    graph_.outputs.push_back(t);
}

}  // namespace memplan

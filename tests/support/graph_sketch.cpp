// SPDX-License-Identifier: Apache-2.0
#include "tests/support/graph_sketch.h"

#include <algorithm>
#include <numeric>

namespace memplan::test {

namespace {

std::vector<IterDim> loopsOver(const Shape& shape) {
    std::vector<IterDim> iter;
    for (std::size_t i = 0; i < shape.size(); ++i)
        iter.push_back({"o" + std::to_string(i), shape[i], {}, IterKind::Parallel});
    return iter;
}

}  // namespace

std::int64_t count(const Shape& shape) {
    return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

IndexExpr affine(std::size_t loop, std::int64_t coefficient, std::int64_t constant) {
    IndexExpr e;
    e.terms.push_back({static_cast<int>(loop), coefficient});
    e.constant = constant;
    return e;
}

std::vector<IndexExpr> identity(std::size_t rank) {
    std::vector<IndexExpr> map;
    for (std::size_t i = 0; i < rank; ++i)
        map.push_back(affine(i));
    return map;
}

std::vector<IndexExpr> broadcastMap(const Shape& from, const Shape& to) {
    std::vector<IndexExpr> map;
    const std::size_t skip = to.size() - from.size();
    for (std::size_t i = 0; i < from.size(); ++i)
        map.push_back(from[i] == 1 && to[i + skip] != 1 ? IndexExpr{} : affine(i + skip));
    return map;
}

std::optional<Shape> broadcastShape(const Shape& a, const Shape& b) {
    Shape out(std::max(a.size(), b.size()), 1);
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::int64_t x = i < a.size() ? a[a.size() - 1 - i] : 1;
        const std::int64_t y = i < b.size() ? b[b.size() - 1 - i] : 1;
        if (x != y && x != 1 && y != 1) return std::nullopt;
        out[out.size() - 1 - i] = x == 1 ? y : x;
    }
    return out;
}

GraphSketch::GraphSketch(std::uint64_t seed, const GraphSize& size) : random_(seed), size_(size) {
    graph_.name = "random " + std::to_string(seed);
    graph_.source = GraphSource{"handmade", {}, {}};
}

DType GraphSketch::randomType() {
    constexpr std::array kTypes{DType::F16, DType::F16, DType::F16, DType::F16, DType::F16,
                                DType::F32, DType::F32, DType::I32, DType::I64, DType::Bool};
    return oneOf(kTypes);
}

std::int64_t GraphSketch::randomExtent() {
    constexpr std::array<std::int64_t, 28> kExtents{1,  1,  2,  3,  4,  5,  6,  7,  8,   12,  16,  17,  24,  31,
                                                    32, 33, 48, 63, 64, 64, 65, 96, 100, 127, 128, 130, 192, 256};
    return oneOf(kExtents);
}

Shape GraphSketch::randomShape() {
    Shape s(chance(3) ? 0 : 1 + random_.below(4));
    for (std::int64_t& n : s)
        n = randomExtent();
    while (count(s) > size_.elements)
        s[random_.below(s.size())] = 1 + upTo(8);
    return s;
}

TensorId GraphSketch::pick() {
    const std::size_t recent = std::min<std::size_t>(values_.size(), 4);
    const std::size_t back = random_.below(chance(60) ? recent : values_.size());
    return values_[values_.size() - 1 - back];
}

TensorId GraphSketch::pickOfRank(std::size_t least) {
    for (int tries = 0; tries < 6; ++tries) {
        const TensorId t = pick();
        if (shape(t).size() >= least) return t;
    }
    return {};
}

TensorId GraphSketch::tensor(std::string id, Shape s, DType dtype, TensorRole role) {
    Tensor t;
    t.id = std::move(id);
    t.dtype = dtype;
    t.shape = std::move(s);
    t.role = role;
    graph_.tensors.push_back(std::move(t));
    return TensorId::of(graph_.tensors.size() - 1);
}

TensorId GraphSketch::source(Shape s, DType dtype) {
    const std::string number = std::to_string(graph_.tensors.size());
    TensorId t;
    if (values_.empty() || chance(50)) {
        t = tensor("x" + number, std::move(s), dtype, TensorRole::Input);
        graph_.inputs.push_back(t);
    } else if (chance(70)) {
        t = tensor("w" + number, std::move(s), dtype, TensorRole::Parameter);
    } else {
        t = tensor("c" + number, std::move(s), dtype, TensorRole::Constant);
        const std::int64_t n = count(shape(t));
        for (std::int64_t i = 0; n <= 64 && i < n; ++i)
            graph_.tensors[t.at()].value.push_back(static_cast<double>(upTo(9) - 4));
    }
    values_.push_back(t);
    return t;
}

Op GraphSketch::newOp(OpKind kind, const std::string& fn, const Shape& loops) const {
    Op op;
    op.id = "n" + std::to_string(graph_.ops.size()) + "_" + fn;
    op.kind = kind;
    op.fn = fn;
    op.hasIter = true;
    op.iter = loopsOver(loops);
    return op;
}

TensorId GraphSketch::push(Op op, std::vector<TensorId> inputs, Shape s, DType dtype) {
    const TensorId out = tensor("t" + std::to_string(graph_.ops.size()), std::move(s), dtype);
    op.inputs = std::move(inputs);
    op.outputs = {out};
    graph_.ops.push_back(std::move(op));
    values_.push_back(out);
    return out;
}

TensorId GraphSketch::pointwise(const std::string& fn, const std::vector<TensorId>& inputs, const Shape& to,
                                DType dtype, std::vector<std::pair<std::string, AttrValue>> attrs) {
    Op op = newOp(OpKind::Pointwise, fn, to);
    for (const TensorId in : inputs)
        op.inMaps.emplace_back(broadcastMap(shape(in), to));
    op.outMaps = {identity(to.size())};
    op.attrs = std::move(attrs);
    return push(std::move(op), inputs, to, dtype);
}

TensorId GraphSketch::copy(const std::string& fn, TensorId x, const Shape& to, std::vector<IndexExpr> inMap) {
    Op op = newOp(OpKind::Copy, fn, to);
    op.inMaps = {std::move(inMap)};
    op.outMaps = {identity(to.size())};
    return push(std::move(op), {x}, to, type(x));
}

TensorId GraphSketch::reduce(const std::string& fn, TensorId x, const std::vector<bool>& isReduced, bool keep) {
    Op op = newOp(OpKind::Reduction, fn, shape(x));
    op.inMaps = {identity(shape(x).size())};
    Shape to;
    std::vector<IndexExpr> outMap;
    for (std::size_t i = 0; i < isReduced.size(); ++i) {
        if (isReduced[i]) op.iter[i].kind = IterKind::Reduction;
        if (isReduced[i] && !keep) continue;
        to.push_back(isReduced[i] ? 1 : shape(x)[i]);
        outMap.push_back(isReduced[i] ? IndexExpr{} : affine(i));
    }
    op.outMaps = {std::move(outMap)};
    const DType dtype = fn.starts_with("arg") ? DType::I64 : type(x);
    return push(std::move(op), {x}, std::move(to), dtype);
}

TensorId GraphSketch::multiply(TensorId x, TensorId y, bool turnsA, bool turnsB) {
    const Shape a = shape(x);
    const Shape b = shape(y);
    const std::size_t batch = a.size() - 2;
    Shape to(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(batch));
    to.push_back(turnsA ? a.back() : a[batch]);
    to.push_back(turnsB ? b[b.size() - 2] : b.back());
    Op op = newOp(batch == 0 ? OpKind::MatMul : OpKind::BMM, "matmul", to);
    op.iter.push_back({"k", turnsA ? a[batch] : a.back(), {}, IterKind::Reduction});
    std::vector<IndexExpr> aMap = identity(batch);
    aMap.push_back(affine(turnsA ? batch + 2 : batch));
    aMap.push_back(affine(turnsA ? batch : batch + 2));
    std::vector<IndexExpr> bMap =
        broadcastMap(Shape(b.begin(), b.end() - 2), Shape(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(batch)));
    bMap.push_back(affine(turnsB ? batch + 1 : batch + 2));
    bMap.push_back(affine(turnsB ? batch + 2 : batch + 1));
    op.inMaps = {std::move(aMap), std::move(bMap)};
    op.outMaps = {identity(batch + 2)};
    return push(std::move(op), {x, y}, std::move(to), type(x));
}

TensorId GraphSketch::view(TensorId x, Shape to) {
    Op op;
    op.id = "n" + std::to_string(graph_.ops.size()) + "_reshape";
    op.kind = OpKind::View;
    op.fn = "reshape";
    const TensorId out = push(std::move(op), {x}, std::move(to), type(x));
    graph_.tensors[out.at()].aliasOf = x;
    return out;
}

}  // namespace memplan::test

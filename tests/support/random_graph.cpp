// SPDX-License-Identifier: Apache-2.0
#include "tests/support/random_graph.h"

#include "tests/support/graph_sketch.h"
#include "tests/support/random_graph_edit.h"

#include <algorithm>
#include <numeric>

namespace memplan::test {

namespace {

IndexExpr dataDependent() {
    IndexExpr e;
    e.dataDependent = true;
    return e;
}

class GraphMaker : private GraphSketch {
public:
    using GraphSketch::GraphSketch;

    Graph run() {
        const std::size_t inputs = 1 + random_.below(3);
        for (std::size_t i = 0; i < inputs; ++i) {
            // One draw per statement: compilers differ in the order of arguments.
            const DType dtype = randomType();
            source(randomShape(), dtype);
        }
        const auto wanted = static_cast<std::size_t>(size_.ops);
        for (int tries = 0; graph_.ops.size() < wanted && tries < 8 * size_.ops; ++tries)
            addOp();
        if (graph_.ops.empty()) unary(values_.front());
        chooseOutputs();
        dropUnusedTensors(graph_);
        return std::move(graph_);
    }

private:
    // ---- kinds -------------------------------------------------------------------------------------------

    void addOp() {
        using Make = void (GraphMaker::*)();
        struct Kind {
            int weight;
            Make make;
        };
        static constexpr std::array<Kind, 20> kKinds{{
            {12, &GraphMaker::addUnary},   {16, &GraphMaker::addBinary},    {4, &GraphMaker::addTernary},
            {5, &GraphMaker::addChain},    {10, &GraphMaker::addReduction}, {10, &GraphMaker::addMatmul},
            {10, &GraphMaker::addReshape}, {4, &GraphMaker::addSqueeze},    {6, &GraphMaker::addTranspose},
            {6, &GraphMaker::addSlice},    {2, &GraphMaker::addReverse},    {5, &GraphMaker::addConcat},
            {4, &GraphMaker::addExpand},   {3, &GraphMaker::addPad},        {2, &GraphMaker::addTile},
            {3, &GraphMaker::addSoftmax},  {2, &GraphMaker::addFill},       {1, &GraphMaker::addGather},
            {1, &GraphMaker::addOpaque},   {1, &GraphMaker::addPart},
        }};
        constexpr int kSum = 107;
        auto draw = upTo(kSum);
        for (const Kind& k : kKinds) {
            if (draw < k.weight) return (this->*k.make)();
            draw -= k.weight;
        }
    }

    void unary(TensorId x) {
        constexpr std::array kFns{"exp", "relu", "neg", "sqrt", "abs", "tanh", "sigmoid", "rsqrt", "erf"};
        pointwise(oneOf(kFns), {x}, shape(x), type(x));
    }

    void addUnary() {
        const TensorId x = pick();
        const auto draw = random_.below(10);
        if (draw == 0) {
            pointwise("clamp", {x}, shape(x), type(x), {{"min", -1.0}, {"max", 1.0 + static_cast<double>(upTo(3))}});
        } else if (draw == 1) {
            pointwise("leaky_relu", {x}, shape(x), type(x), {{"alpha", chance(50) ? 0.01 : 0.2}});
        } else if (draw == 2) {
            const DType to = randomType();
            pointwise("cast", {x}, shape(x), to, {{"to", std::string(dtypeName(to))}});
        } else {
            unary(x);
        }
    }

    /// A second operand of the same type: a value that fits, or a new source of a shape that broadcasts.
    TensorId partner(TensorId x) {
        for (int tries = 0; tries < 6; ++tries) {
            const TensorId y = pick();
            const auto both = broadcastShape(shape(x), shape(y));
            if (type(x) == type(y) && both && count(*both) <= size_.elements) return y;
        }
        Shape s = shape(x);
        for (std::int64_t& n : s)
            n = chance(30) ? 1 : n;
        if (!s.empty() && chance(20)) s.erase(s.begin(), s.begin() + upTo(static_cast<std::int64_t>(s.size()) + 1));
        return source(std::move(s), type(x));
    }

    void addBinary() {
        constexpr std::array kFns{"add", "sub", "mul", "div", "max", "min", "pow", "add", "mul"};
        constexpr std::array kTests{"eq", "lt", "ge"};
        const TensorId x = pick();
        const TensorId y = partner(x);
        const Shape to = *broadcastShape(shape(x), shape(y));
        if (chance(8)) return void(pointwise(oneOf(kTests), {x, y}, to, DType::Bool));
        const bool isStraight = chance(50);
        pointwise(oneOf(kFns), isStraight ? std::vector{x, y} : std::vector{y, x}, to, type(x));
    }

    void addTernary() {
        const TensorId x = pick();
        const TensorId y = partner(x);
        const Shape to = *broadcastShape(shape(x), shape(y));
        const TensorId mask = source(chance(70) ? to : Shape(to.size(), 1), DType::Bool);
        pointwise("where", {mask, x, y}, to, type(x));
    }

    /// Each result is read once: slots can be taken over.
    void addChain() {
        TensorId x = pick();
        for (std::int64_t n = 2 + upTo(4); n > 0; --n) {
            unary(x);
            x = values_.back();
        }
    }

    void addReduction() {
        constexpr std::array kFns{"sum", "max", "min", "mean", "prod", "sumsq", "argmax", "sum", "max"};
        const TensorId x = pickOfRank(1);
        if (!x.isValid()) return;
        const std::string fn = type(x) == DType::Bool ? (chance(50) ? "any" : "all") : oneOf(kFns);
        std::vector<bool> isReduced(shape(x).size(), false);
        isReduced[random_.below(isReduced.size())] = true;
        if (chance(30) && !fn.starts_with("arg")) isReduced[random_.below(isReduced.size())] = true;
        reduce(fn, x, isReduced, chance(50));
    }

    void addMatmul() {
        const TensorId x = pickOfRank(2);
        if (!x.isValid() || type(x) == DType::Bool || type(x) == DType::I64) return;
        const Shape a = shape(x);
        const std::size_t batch = a.size() - 2;
        const bool turnsA = chance(20);
        const bool turnsB = chance(35);
        const std::int64_t m = turnsA ? a.back() : a[batch];
        const std::int64_t k = turnsA ? a[batch] : a.back();
        const std::int64_t n = randomExtent();
        const std::int64_t batches = count(Shape(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(batch)));
        if (batches * m * n > size_.elements || k * n > size_.elements || batches * m * n * k > size_.productTerms)
            return;
        Shape b(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(batch));
        if (chance(30)) b.assign(batch, 1);
        if (chance(30)) b.clear();
        b.push_back(turnsB ? n : k);
        b.push_back(turnsB ? k : n);
        if (count(b) > size_.elements) return;
        multiply(x, sameShape(b, type(x)), turnsA, turnsB);
    }

    TensorId sameShape(const Shape& s, DType dtype) {
        for (const TensorId v : values_) {
            if (shape(v) == s && type(v) == dtype && chance(50)) return v;
        }
        return source(s, dtype);
    }

    /// Any factors of the element count in any order: dimensions that merge, divide, and carry into each other.
    void addReshape() {
        const TensorId x = pick();
        std::int64_t left = count(shape(x));
        Shape to;
        for (std::size_t rank = random_.below(4); rank > 0; --rank) {
            std::vector<std::int64_t> divisors;
            for (std::int64_t d = 1; d <= left; ++d) {
                if (left % d == 0) divisors.push_back(d);
            }
            to.push_back(divisors[random_.below(divisors.size())]);
            left /= to.back();
        }
        to.insert(to.begin() + upTo(static_cast<std::int64_t>(to.size()) + 1), left);
        view(x, std::move(to));
    }

    void addSqueeze() {
        const TensorId x = pick();
        Shape to = shape(x);
        const auto one = std::find(to.begin(), to.end(), 1);
        if (one != to.end() && chance(60)) {
            to.erase(one);
        } else if (to.size() < 5) {
            to.insert(to.begin() + upTo(static_cast<std::int64_t>(to.size()) + 1), 1);
        }
        view(x, std::move(to));
    }

    void addTranspose() {
        const TensorId x = pickOfRank(2);
        if (!x.isValid()) return;
        std::vector<std::size_t> perm(shape(x).size());
        std::iota(perm.begin(), perm.end(), std::size_t{0});
        for (std::size_t i = perm.size() - 1; i > 0; --i)
            std::swap(perm[i], perm[random_.below(i + 1)]);
        Shape to;
        std::vector<IndexExpr> map(perm.size());
        for (std::size_t i = 0; i < perm.size(); ++i) {
            to.push_back(shape(x)[perm[i]]);
            map[perm[i]] = affine(i);
        }
        copy("transpose", x, to, std::move(map));
    }

    void addSlice() {
        const TensorId x = pickOfRank(1);
        if (!x.isValid()) return;
        Shape to = shape(x);
        std::vector<IndexExpr> map = identity(to.size());
        for (std::size_t i = 0; i < to.size(); ++i) {
            if (!chance(60)) continue;
            const std::int64_t start = upTo(to[i]);
            const std::int64_t step = chance(30) ? 1 + upTo(3) : 1;
            to[i] = 1 + upTo((to[i] - 1 - start) / step + 1);
            map[i] = affine(i, step, start);
        }
        copy("slice", x, to, std::move(map));
    }

    void addReverse() {
        const TensorId x = pickOfRank(1);
        if (!x.isValid()) return;
        std::vector<IndexExpr> map = identity(shape(x).size());
        const std::size_t at = random_.below(map.size());
        map[at] = affine(at, -1, shape(x)[at] - 1);
        copy("slice", x, Shape(shape(x)), std::move(map));
    }

    /// One copy for each part into one storage, the last names the whole.
    void addConcat() {
        const TensorId x = pickOfRank(1);
        if (!x.isValid()) return;
        const std::size_t axis = random_.below(shape(x).size());
        std::vector<TensorId> parts{x};
        for (std::size_t n = 1 + random_.below(2); n > 0; --n) {
            Shape s = shape(x);
            s[axis] = chance(40) ? s[axis] : randomExtent();
            parts.push_back(chance(20) ? x : sameShape(s, type(x)));
        }
        Shape to = shape(x);
        to[axis] = 0;
        for (const TensorId p : parts)
            to[axis] += shape(p)[axis];
        if (count(to) > size_.elements) return;
        TensorId root;
        std::int64_t offset = 0;
        for (const TensorId p : parts) {
            if (root.isValid()) values_.pop_back();
            Op op = newOp(OpKind::Copy, "concat", shape(p));
            op.inMaps = {identity(to.size())};
            op.outMaps = {identity(to.size())};
            (*op.outMaps[0])[axis].constant = offset;
            offset += shape(p)[axis];
            const TensorId part = push(std::move(op), {p}, to, type(x));
            if (root.isValid()) graph_.tensors[part.at()].aliasOf = root;
            if (!root.isValid()) root = part;
        }
    }

    void addExpand() {
        const TensorId x = pick();
        Shape to = shape(x);
        for (std::int64_t& n : to)
            n = n == 1 ? randomExtent() : n;
        if (to.size() < 4 && chance(60)) to.insert(to.begin(), randomExtent());
        if (count(to) > size_.elements) return;
        copy("expand", x, to, broadcastMap(shape(x), to));
    }

    /// The input lands shifted in the output.
    void addPad() {
        const TensorId x = pickOfRank(1);
        if (!x.isValid()) return;
        Shape to = shape(x);
        Op op = newOp(OpKind::Copy, "pad", to);
        op.inMaps = {identity(to.size())};
        std::vector<IndexExpr> map = identity(to.size());
        std::vector<std::int64_t> pads(2 * to.size(), 0);
        for (std::size_t i = 0; i < to.size(); ++i) {
            if (!chance(50)) continue;
            pads[i] = upTo(4);
            pads[i + to.size()] = upTo(4);
            map[i].constant = pads[i];
            to[i] += pads[i] + pads[i + to.size()];
        }
        if (count(to) > 2 * size_.elements) return;
        op.outMaps = {std::move(map)};
        op.attrs.emplace_back("pads", pads);
        push(std::move(op), {x}, std::move(to), type(x));
    }

    /// The whole axis repeats: a copy into two dimensions, joined by a view.
    void addTile() {
        const TensorId x = pickOfRank(1);
        if (!x.isValid()) return;
        const std::size_t axis = random_.below(shape(x).size());
        const std::int64_t times = 2 + upTo(3);
        if (count(shape(x)) * times > size_.elements) return;
        const bool isInner = chance(50);
        Shape wide = shape(x);
        wide.insert(wide.begin() + static_cast<std::ptrdiff_t>(axis + (isInner ? 1 : 0)), times);
        std::vector<IndexExpr> map;
        for (std::size_t i = 0; i < shape(x).size(); ++i)
            map.push_back(affine(i < axis || (i == axis && isInner) ? i : i + 1));
        Shape joined = shape(x);
        joined[axis] *= times;
        view(copy(isInner ? "resize" : "tile", x, wide, std::move(map)), std::move(joined));
    }

    void addSoftmax() {
        const TensorId x = pickOfRank(1);
        if (!x.isValid() || (type(x) != DType::F16 && type(x) != DType::F32)) return;
        const std::size_t first = graph_.ops.size();
        const Shape s = shape(x);
        std::vector<bool> axes(s.size(), false);
        axes[random_.below(axes.size())] = true;
        const TensorId max = reduce("max", x, axes, true);
        const TensorId sub = pointwise("sub", {x, max}, s, type(x));
        const TensorId exp = pointwise("exp", {sub}, s, type(x));
        const TensorId sum = reduce("sum", exp, axes, true);
        pointwise("div", {exp, sum}, s, type(x));
        Group g;
        g.id = "softmax" + std::to_string(graph_.groups.size());
        g.kind = "softmax";
        for (std::size_t i = first; i < graph_.ops.size(); ++i) {
            g.ops.push_back(GraphOpId::of(i));
            graph_.ops[i].group = GroupId::of(graph_.groups.size());
        }
        graph_.groups.push_back(std::move(g));
    }

    void addFill() {
        Op op = newOp(OpKind::Constant, "full", shape(values_.back()));
        op.outMaps = {identity(op.iter.size())};
        op.attrs.emplace_back("value", static_cast<double>(upTo(5)));
        const Shape to = shape(values_.back());
        push(std::move(op), {}, to, type(values_.back()));
    }

    void addGather() {
        const TensorId table = pickOfRank(1);
        if (!table.isValid()) return;
        const std::int64_t rows = 1 + upTo(8);
        const TensorId positions = source({rows}, DType::I64);
        Shape to = shape(table);
        to.front() = rows;
        Op op = newOp(OpKind::Gather, "gather", to);
        std::vector<IndexExpr> map = identity(to.size());
        map.front() = dataDependent();
        op.inMaps = {std::move(map), identity(1)};
        op.outMaps = {identity(to.size())};
        push(std::move(op), {table, positions}, std::move(to), type(table));
    }

    void addOpaque() {
        const TensorId x = pick();
        Op op;
        op.id = "n" + std::to_string(graph_.ops.size()) + "_topk";
        op.kind = OpKind::Fallback;
        op.fn = "topk";
        push(std::move(op), {x}, Shape(shape(x)), type(x));
    }

    /// A contiguous part of a tensor as a view of its storage.
    void addPart() {
        const TensorId x = pickOfRank(1);
        if (!x.isValid() || shape(x).front() < 2) return;
        Shape to = shape(x);
        const std::int64_t skipped = 1 + upTo(to.front() - 1);
        to.front() -= skipped;
        const Bytes bits = dtypeBits(type(x)) * skipped * count(Shape(to.begin() + 1, to.end()));
        view(x, std::move(to));
        graph_.ops.back().fn = "slice";
        graph_.tensors[graph_.ops.back().outputs[0].at()].aliasOffset = bits / 8;
    }

    // ---- the end -----------------------------------------------------------------------------------------

    /// What nobody reads, some of what is read, seldom an input.
    void chooseOutputs() {
        std::vector<bool> isRead(graph_.tensors.size(), false);
        for (const Op& op : graph_.ops) {
            for (const TensorId in : op.inputs)
                isRead[in.at()] = true;
        }
        for (const TensorId v : values_) {
            const TensorRole role = graph_.tensor(v).role;
            const bool isMade = role == TensorRole::Activation;
            if ((isMade && (!isRead[v.at()] || chance(8))) || (role == TensorRole::Input && chance(2)))
                graph_.outputs.push_back(v);
        }
    }
};

}  // namespace

Graph randomGraph(std::uint64_t seed, const GraphSize& size) {
    return GraphMaker(seed, size).run();
}

}  // namespace memplan::test

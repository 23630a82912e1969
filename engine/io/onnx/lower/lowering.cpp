// SPDX-License-Identifier: Apache-2.0
#include "engine/io/onnx/lower/lowering.h"

#include "engine/base/text.h"
#include "engine/io/onnx/lower/patterns.h"

#include <algorithm>
#include <numeric>

namespace memplan::io::onnx {

// ---- small helpers ---------------------------------------------------------------------------------------

Shape broadcast(const Shape& a, const Shape& b) {
    Shape out(std::max(a.size(), b.size()), 1);
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::int64_t x = i < a.size() ? a[a.size() - 1 - i] : 1;
        const std::int64_t y = i < b.size() ? b[b.size() - 1 - i] : 1;
        out[out.size() - 1 - i] = x == 1 ? y : x;
    }
    return out;
}

IndexExpr loopExpr(int loop, std::int64_t coefficient, std::int64_t constant) {
    IndexExpr e;
    e.terms.push_back({loop, coefficient});
    e.constant = constant;
    return e;
}

IndexExpr zeroExpr() {
    return {};
}

IndexExpr anyExpr() {
    IndexExpr e;
    e.dataDependent = true;
    return e;
}

std::vector<IterDim> loopsOver(const Shape& shape, IterKind kind) {
    std::vector<IterDim> dims;
    for (std::size_t i = 0; i < shape.size(); ++i)
        dims.push_back({"o" + std::to_string(i), shape[i], "", kind});
    return dims;
}

std::vector<IndexExpr> identityMap(const Shape& shape) {
    std::vector<IndexExpr> map;
    for (std::size_t i = 0; i < shape.size(); ++i)
        map.push_back(loopExpr(static_cast<int>(i)));
    return map;
}

int normalAxis(std::int64_t axis, std::size_t rank) {
    const auto r = static_cast<std::int64_t>(rank);
    return static_cast<int>(axis < 0 ? axis + r : axis);
}

std::int64_t elements(const Shape& shape) {
    return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

std::string cutText(const std::string& text, std::size_t limit) {
    if (text.size() <= limit) return text;
    std::size_t end = limit;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U)
        --end;
    return text.substr(0, end);
}

// ---- the current node ------------------------------------------------------------------------------------

Lowering::Lowering(const Model& source)
    : model(source), tensorOf_(source.values.size()), isRead_(source.values.size(), false) {
    for (const Node& n : model.nodes) {
        if (!n.name.empty()) ++nodeNames_[n.name];
        if (!isLive(n)) continue;
        for (const int v : n.inputs) {
            if (v >= 0) isRead_[static_cast<std::size_t>(v)] = true;
        }
    }
    for (const int v : model.outputs)
        isRead_[static_cast<std::size_t>(v)] = true;
}

void Lowering::enter(const Node& node, GroupId group) {
    node_ = &node;
    group_ = group;
}

bool Lowering::has(std::size_t input) const {
    return input < node_->inputs.size() && node_->inputs[input] >= 0;
}

const Value& Lowering::inValue(std::size_t input) const {
    return model.values[static_cast<std::size_t>(node_->inputs[input])];
}

bool Lowering::hasOut(std::size_t output) const {
    if (output >= node_->outputs.size() || node_->outputs[output] < 0) return false;
    return output == 0 || isRead_[static_cast<std::size_t>(node_->outputs[output])];
}

const Value& Lowering::outValue(std::size_t output) const {
    return model.values[static_cast<std::size_t>(node_->outputs[output])];
}

TensorId Lowering::in(std::size_t input) {
    return has(input) ? tensorOfValue(node_->inputs[input]) : TensorId{};
}

std::int64_t Lowering::opset(std::string_view domain) const {
    const auto it = model.opsets.find(std::string(domain));
    return it == model.opsets.end() ? 28 : it->second;
}

std::int64_t Lowering::intAttr(std::string_view name, std::int64_t fallbackValue) const {
    const auto it = node_->attributes.find(name);
    if (it == node_->attributes.end()) return fallbackValue;
    const auto* i = std::get_if<std::int64_t>(&it->second.value);
    return i == nullptr ? fallbackValue : *i;
}

double Lowering::floatAttr(std::string_view name, double fallbackValue) const {
    const auto it = node_->attributes.find(name);
    if (it == node_->attributes.end()) return fallbackValue;
    const auto* d = std::get_if<double>(&it->second.value);
    return d == nullptr ? fallbackValue : *d;
}

std::string Lowering::textAttr(std::string_view name, std::string fallbackValue) const {
    const auto it = node_->attributes.find(name);
    if (it == node_->attributes.end()) return fallbackValue;
    const auto* s = std::get_if<std::string>(&it->second.value);
    return s == nullptr ? fallbackValue : *s;
}

std::vector<std::int64_t> Lowering::intsAttr(std::string_view name) const {
    const auto it = node_->attributes.find(name);
    if (it == node_->attributes.end()) return {};
    const auto* v = std::get_if<std::vector<std::int64_t>>(&it->second.value);
    return v == nullptr ? std::vector<std::int64_t>{} : *v;
}

std::vector<std::int64_t> Lowering::knownInts(std::size_t input) const {
    if (!has(input) || !inValue(input).folded) return {};
    const auto* v = std::get_if<std::vector<std::int64_t>>(&*inValue(input).folded);
    return v == nullptr ? std::vector<std::int64_t>{} : *v;
}

std::optional<double> Lowering::knownScalar(std::size_t input) const {
    if (!has(input) || !inValue(input).folded) return std::nullopt;
    const FoldedValue& folded = *inValue(input).folded;
    if (const auto* i = std::get_if<std::vector<std::int64_t>>(&folded); i != nullptr && i->size() == 1) {
        return static_cast<double>(i->front());
    }
    if (const auto* d = std::get_if<std::vector<double>>(&folded); d != nullptr && d->size() == 1) return d->front();
    return std::nullopt;
}

// ---- tensors ---------------------------------------------------------------------------------------------

std::string Lowering::uniqueTensor(const std::string& wanted) {
    std::string name = wanted.empty() ? "value" : cutText(wanted, 240);
    const std::string stem = name;
    for (int n = 2; !tensorNames_.insert(name).second; ++n)
        name = stem + "_" + std::to_string(n);
    return name;
}

std::string Lowering::uniqueOp(const std::string& wanted) {
    std::string name = cutText(wanted, 240);
    const std::string stem = name;
    for (int n = 2; !opNames_.insert(name).second; ++n)
        name = stem + "_" + std::to_string(n);
    return name;
}

TensorId Lowering::tensorOfValue(int value) {
    TensorId& known = tensorOf_[static_cast<std::size_t>(value)];
    if (known.isValid()) return known;
    const Value& v = model.values[static_cast<std::size_t>(value)];
    Tensor t;
    t.id = uniqueTensor(v.name);
    if (t.id != v.name) t.name = cutText(v.name, 1024);
    t.dtype = v.dtype;
    t.shape = v.shape;
    t.role = v.isInput                      ? TensorRole::Input
             : v.folded && !v.isInitializer ? TensorRole::Constant
                                            : TensorRole::Parameter;
    const bool small = v.folded && elements(v.shape) <= 4096;
    if (!v.isInput && small && elements(v.shape) == 1) t.role = TensorRole::Constant;
    if (t.role == TensorRole::Constant && small) {
        if (const auto* d = std::get_if<std::vector<double>>(&*v.folded)) t.value = *d;
        if (const auto* i = std::get_if<std::vector<std::int64_t>>(&*v.folded)) t.value.assign(i->begin(), i->end());
        const bool finite = std::all_of(t.value.begin(), t.value.end(), [](double x) { return x - x == 0; });
        if (!finite || static_cast<std::int64_t>(t.value.size()) != elements(t.shape)) t.value.clear();
    }
    graph.tensors.push_back(std::move(t));
    known = TensorId::of(graph.tensors.size() - 1);
    return known;
}

TensorId Lowering::activationOf(int value) {
    const Value& v = model.values[static_cast<std::size_t>(value)];
    Tensor t;
    t.id = uniqueTensor(v.name);
    if (t.id != v.name) t.name = cutText(v.name, 1024);
    t.dtype = v.dtype;
    t.shape = v.shape;
    t.role = TensorRole::Activation;
    graph.tensors.push_back(std::move(t));
    tensorOf_[static_cast<std::size_t>(value)] = TensorId::of(graph.tensors.size() - 1);
    return tensorOf_[static_cast<std::size_t>(value)];
}

TensorId Lowering::scalar(double value, DType dtype) {
    const auto [it, isNew] = scalars_.try_emplace({value, dtype});
    if (!isNew) return it->second;
    Tensor t;
    t.id = uniqueTensor("constant_" + text::number(value));
    t.dtype = dtype;
    t.role = TensorRole::Constant;
    t.value = {value};
    graph.tensors.push_back(std::move(t));
    it->second = TensorId::of(graph.tensors.size() - 1);
    return it->second;
}

std::string Lowering::baseName() const {
    const auto it = nodeNames_.find(node_->name);
    if (it != nodeNames_.end() && it->second == 1) return node_->name;
    return node_->op + "_" + std::to_string(node_->index);
}

TensorId Lowering::destTensor(const Dest& dest, const Shape& shape, DType dtype) {
    if (dest.output >= 0) return activationOf(node_->outputs[static_cast<std::size_t>(dest.output)]);
    Tensor t;
    t.id = uniqueTensor(baseName() + "." + dest.suffix);
    t.dtype = dtype;
    t.shape = shape;
    t.role = TensorRole::Activation;
    graph.tensors.push_back(std::move(t));
    return TensorId::of(graph.tensors.size() - 1);
}

// ---- operations ------------------------------------------------------------------------------------------

Op Lowering::newOp(OpKind kind, std::string fn, const Dest& dest) {
    Op op;
    op.id = uniqueOp(dest.suffix.empty() ? baseName() : baseName() + "." + dest.suffix);
    op.kind = kind;
    op.fn = std::move(fn).substr(0, 64);
    op.group = group_;
    op.origin = {node_->op, node_->name, node_->domain};
    return op;
}

TensorId Lowering::push(Op op, const std::vector<TensorId>& inputs, TensorId out) {
    op.inputs = inputs;
    op.outputs = {out};
    graph.ops.push_back(std::move(op));
    return out;
}

TensorId Lowering::pointwise(const Dest& dest, std::string fn, std::vector<TensorId> inputs, Attrs attrs) {
    Shape out;
    for (const TensorId i : inputs)
        out = broadcast(out, shape(i));
    DType dtype = graph.tensor(inputs.front()).dtype;
    const TensorId result = destTensor(dest, out, dtype);
    const Shape target = shape(result);
    Op op = newOp(OpKind::Pointwise, std::move(fn), dest);
    op.hasIter = true;
    op.iter = loopsOver(target);
    op.outMaps = {identityMap(target)};
    op.attrs = std::move(attrs);
    for (const TensorId i : inputs) {
        std::vector<IndexExpr> map;
        const Shape s = shape(i);
        // An operand of more dimensions than the result can only have ones in front.
        for (std::size_t d = 0; d < s.size(); ++d) {
            const auto at = static_cast<std::ptrdiff_t>(d + target.size()) - static_cast<std::ptrdiff_t>(s.size());
            map.push_back(s[d] == 1 || at < 0 ? zeroExpr() : loopExpr(static_cast<int>(at)));
        }
        op.inMaps.emplace_back(std::move(map));
    }
    return push(std::move(op), inputs, result);
}

TensorId Lowering::reduction(const Dest& dest, std::string fn, TensorId x, const std::set<int>& axes, bool keep) {
    const Shape from = shape(x);
    Shape to;
    std::vector<IndexExpr> outMap;
    Op op = newOp(OpKind::Reduction, std::move(fn), dest);
    op.hasIter = true;
    op.iter = loopsOver(from);
    for (std::size_t d = 0; d < from.size(); ++d) {
        const bool reduced = axes.contains(static_cast<int>(d));
        if (reduced) op.iter[d].kind = IterKind::Reduction;
        if (reduced && !keep) continue;
        to.push_back(reduced ? 1 : from[d]);
        outMap.push_back(reduced ? zeroExpr() : loopExpr(static_cast<int>(d)));
    }
    const TensorId result = destTensor(dest, to, graph.tensor(x).dtype);
    op.inMaps = {identityMap(from)};
    op.outMaps = {std::move(outMap)};
    return push(std::move(op), {x}, result);
}

TensorId Lowering::contract(const Dest& dest, TensorId a, TensorId b, std::array<std::string_view, 3> names) {
    std::string loops(names[2]);
    for (const char c : names[0]) {
        if (loops.find(c) == std::string::npos) loops.push_back(c);
    }
    const auto extent = [&](char c) {
        for (std::size_t k = 0; k < 2; ++k) {
            const std::size_t at = names[k].find(c);
            if (at == std::string_view::npos) continue;
            if (const std::int64_t n = shape(k == 0 ? a : b)[at]; n != 1)
                return n;  // an extent of 1 broadcasts, to 0 too
        }
        return std::int64_t{1};
    };
    Op op = newOp(loops.size() == 3 ? OpKind::MatMul : OpKind::BMM, "matmul", dest);
    op.hasIter = true;
    for (const char c : loops) {
        const bool summed = names[2].find(c) == std::string_view::npos;
        op.iter.push_back({std::string(1, c), extent(c), "", summed ? IterKind::Reduction : IterKind::Parallel});
    }
    const auto map = [&](std::string_view text, const Shape& s) {
        std::vector<IndexExpr> m;
        for (std::size_t d = 0; d < text.size(); ++d) {
            const auto loop = static_cast<int>(loops.find(text[d]));
            m.push_back(s[d] == 1 && extent(text[d]) != 1 ? zeroExpr() : loopExpr(loop));
        }
        return m;
    };
    Shape to;
    for (const char c : names[2])
        to.push_back(extent(c));
    op.inMaps = {map(names[0], shape(a)), map(names[1], shape(b))};
    const TensorId result = destTensor(dest, to, graph.tensor(a).dtype);
    op.outMaps = {map(names[2], to)};
    return push(std::move(op), {a, b}, result);
}

TensorId Lowering::view(const Dest& dest, TensorId x, Shape to) {
    const TensorId result = destTensor(dest, to, graph.tensor(x).dtype);
    graph.tensors[result.at()].aliasOf = x;
    return push(newOp(OpKind::View, "reshape", dest), {x}, result);
}

TensorId Lowering::transpose(const Dest& dest, TensorId x, const std::vector<int>& perm) {
    const Shape from = shape(x);
    Shape to;
    std::vector<std::int64_t> moved;
    for (const int p : perm) {
        to.push_back(from[static_cast<std::size_t>(p)]);
        if (from[static_cast<std::size_t>(p)] != 1) moved.push_back(p);
    }
    // Only extents of 1 change places: nothing moves in memory.
    if (std::is_sorted(moved.begin(), moved.end())) return view(dest, x, to);
    const TensorId result = destTensor(dest, to, graph.tensor(x).dtype);
    Op op = newOp(OpKind::Copy, "transpose", dest);
    op.hasIter = true;
    op.iter = loopsOver(to);
    std::vector<IndexExpr> map(from.size());
    for (std::size_t d = 0; d < perm.size(); ++d)
        map[static_cast<std::size_t>(perm[d])] = loopExpr(static_cast<int>(d));
    op.inMaps = {std::move(map)};
    op.outMaps = {identityMap(to)};
    op.attrs.emplace_back("perm", std::vector<std::int64_t>(perm.begin(), perm.end()));
    return push(std::move(op), {x}, result);
}

TensorId Lowering::slice(const Dest& dest, TensorId x, const Shape& starts, const Shape& steps, const Shape& counts) {
    const TensorId result = destTensor(dest, counts, graph.tensor(x).dtype);
    Op op = newOp(OpKind::Copy, "slice", dest);
    op.hasIter = true;
    op.iter = loopsOver(counts);
    std::vector<IndexExpr> map;
    for (std::size_t d = 0; d < counts.size(); ++d)
        map.push_back(loopExpr(static_cast<int>(d), steps[d], starts[d]));
    op.inMaps = {std::move(map)};
    op.outMaps = {identityMap(counts)};
    return push(std::move(op), {x}, result);
}

TensorId Lowering::sliceAxis(const Dest& dest, TensorId x, std::size_t axis, std::int64_t start, std::int64_t count) {
    Shape starts(shape(x).size(), 0);
    Shape counts = shape(x);
    starts[axis] = start;
    counts[axis] = count;
    return slice(dest, x, starts, Shape(counts.size(), 1), counts);
}

TensorId Lowering::expand(const Dest& dest, TensorId x, Shape to) {
    const Shape from = shape(x);
    const TensorId result = destTensor(dest, to, graph.tensor(x).dtype);
    Op op = newOp(OpKind::Copy, "expand", dest);
    op.hasIter = true;
    op.iter = loopsOver(to);
    std::vector<IndexExpr> map;
    for (std::size_t d = 0; d < from.size(); ++d) {
        map.push_back(from[d] == 1 ? zeroExpr() : loopExpr(static_cast<int>(d + to.size() - from.size())));
    }
    op.inMaps = {std::move(map)};
    op.outMaps = {identityMap(to)};
    return push(std::move(op), {x}, result);
}

/// One copy for each operand into its part of one storage: the first owns it, the last is the result.
TensorId Lowering::concat(const Dest& dest, const std::vector<TensorId>& xs, std::size_t axis) {
    Shape to = shape(xs.front());
    to[axis] = 0;
    for (const TensorId x : xs)
        to[axis] += shape(x)[axis];
    TensorId root;
    TensorId result;
    std::int64_t offset = 0;
    for (std::size_t i = 0; i < xs.size(); ++i) {
        const bool last = i + 1 == xs.size();
        const std::string prefix = dest.suffix.empty() ? std::string("part") : dest.suffix + "_part";
        const Dest part = last ? dest : Dest{prefix + std::to_string(i), -1};
        result = destTensor(part, to, graph.tensor(xs[i]).dtype);
        if (root.isValid()) graph.tensors[result.at()].aliasOf = root;
        if (!root.isValid()) root = result;
        const Shape from = shape(xs[i]);
        Op op = newOp(OpKind::Copy, "concat", part);
        op.hasIter = true;
        op.iter = loopsOver(from);
        op.inMaps = {identityMap(from)};
        std::vector<IndexExpr> map = identityMap(from);
        map[axis].constant = offset;
        op.outMaps = {std::move(map)};
        push(std::move(op), {xs[i]}, result);
        offset += from[axis];
    }
    return result;
}

void Lowering::emitNode(OpKind kind, std::string fn, std::vector<TensorId> inputs, Op loops) {
    Op op = newOp(kind, std::move(fn), {});
    op.hasIter = loops.hasIter;
    op.iter = std::move(loops.iter);
    op.inMaps = std::move(loops.inMaps);
    op.outMaps = std::move(loops.outMaps);
    op.attrs = std::move(loops.attrs);
    op.inputs = std::move(inputs);
    const auto& outs = node_->outputs;
    for (std::size_t k = 0; k < outs.size(); ++k) {
        if (outs[k] >= 0 && isRead_[static_cast<std::size_t>(outs[k])]) op.outputs.push_back(activationOf(outs[k]));
    }
    const auto named = std::find_if(outs.begin(), outs.end(), [](int v) { return v >= 0; });
    if (op.outputs.empty() && named != outs.end()) op.outputs.push_back(activationOf(*named));
    graph.ops.push_back(std::move(op));
}

void Lowering::fallback(const std::string& fn) {
    std::vector<TensorId> inputs;
    for (std::size_t i = 0; i < node_->inputs.size(); ++i)
        inputs.push_back(in(i));
    fallbackOps.push_back(node_->domain.empty() ? node_->op : node_->domain + "::" + node_->op);
    emitNode(OpKind::Fallback, fn, std::move(inputs), Op{});
}

// ---- groups ----------------------------------------------------------------------------------------------

GroupId Lowering::addGroup(std::string kind, const std::string& name, GroupId parent, Origin origin) {
    Group g;
    g.id = cutText(name, 200);
    const std::string stem = g.id;
    for (int n = 2; !groupNames_.insert(g.id).second; ++n)
        g.id = stem + "_" + std::to_string(n);
    g.kind = std::move(kind);
    g.parent = parent;
    g.origin = std::move(origin);
    graph.groups.push_back(std::move(g));
    return GroupId::of(graph.groups.size() - 1);
}

void Lowering::openGroup(std::string kind) {
    const std::string name = kind + "_" + std::to_string(graph.groups.size());
    group_ = addGroup(std::move(kind), node_->name.empty() ? name : node_->name, group_,
                      {node_->op, node_->name, node_->domain});
    ++decomposed;
}

}  // namespace memplan::io::onnx

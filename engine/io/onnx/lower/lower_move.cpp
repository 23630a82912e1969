// SPDX-License-Identifier: Apache-2.0
// Data movement: views, transposes, slices, concatenations, gathers, pads (inputs-and-interchange 6).
#include "engine/io/onnx/lower/lowering.h"

#include <algorithm>
#include <numeric>

namespace memplan::io::onnx {
namespace {

bool isReshape(const std::string& op) {
    static const std::set<std::string, std::less<>> kOps = {"Reshape", "Squeeze",  "Unsqueeze",
                                                            "Flatten", "Identity", "Dropout"};
    return kOps.contains(op);
}

bool reshape(Lowering& l) {
    if (elements(l.inValue(0).shape) != elements(l.outValue(0).shape) || l.hasOut(1)) return false;
    l.view({"", 0}, l.in(0), l.outValue(0).shape);
    return true;
}

bool transpose(Lowering& l) {
    const std::size_t rank = l.inValue(0).shape.size();
    std::vector<int> perm;
    for (const std::int64_t p : l.intsAttr("perm"))
        perm.push_back(static_cast<int>(p));
    if (perm.empty()) {
        perm.resize(rank);
        std::iota(perm.rbegin(), perm.rend(), 0);
    }
    if (perm.size() != rank) return false;
    l.transpose({"", 0}, l.in(0), perm);
    return true;
}

bool concat(Lowering& l) {
    std::vector<TensorId> parts;
    const Shape out = l.outValue(0).shape;
    const int axis = normalAxis(l.intAttr("axis", 0), out.size());
    if (axis < 0 || static_cast<std::size_t>(axis) >= out.size()) return false;
    for (std::size_t i = 0; i < l.node().inputs.size(); ++i) {
        if (!l.has(i)) continue;
        // Empty parts write nothing.
        if (elements(l.inValue(i).shape) != 0) parts.push_back(l.in(i));
    }
    if (parts.empty()) return false;
    if (parts.size() == 1) {
        l.view({"", 0}, parts.front(), out);
        return true;
    }
    l.concat({"", 0}, parts, static_cast<std::size_t>(axis));
    return true;
}

struct Bounds {
    std::vector<std::int64_t> starts, ends, axes, steps;
};

std::optional<Bounds> sliceBounds(Lowering& l, std::size_t rank) {
    Bounds b;
    if (l.opset() < 10) {
        b = {l.intsAttr("starts"), l.intsAttr("ends"), l.intsAttr("axes"), {}};
    } else {
        b = {l.knownInts(1), l.knownInts(2), l.knownInts(3), l.knownInts(4)};
        if ((l.has(3) && b.axes.empty()) || (l.has(4) && b.steps.empty())) return std::nullopt;
    }
    if (b.starts.empty() || b.starts.size() > rank) return std::nullopt;
    if (b.axes.empty()) {
        b.axes.resize(b.starts.size());
        std::iota(b.axes.begin(), b.axes.end(), 0);
    }
    b.steps.resize(b.starts.size(), 1);
    return b.axes.size() == b.starts.size() ? std::optional(b) : std::nullopt;
}

bool slice(Lowering& l) {
    const Shape x = l.inValue(0).shape;
    const Shape counts = l.outValue(0).shape;
    const auto bounds = sliceBounds(l, x.size());
    if (!bounds || elements(counts) == 0 || counts.size() != x.size()) return false;
    Shape starts(x.size(), 0);
    Shape steps(x.size(), 1);
    for (std::size_t i = 0; i < bounds->starts.size(); ++i) {
        const auto axis = static_cast<std::size_t>(normalAxis(bounds->axes[i], x.size()));
        const std::int64_t step = bounds->steps[i];
        std::int64_t start = bounds->starts[i];
        if (start < 0) start += x[axis];
        starts[axis] = std::clamp<std::int64_t>(start, 0, step > 0 ? x[axis] : x[axis] - 1);
        steps[axis] = step;
    }
    if (starts == Shape(x.size(), 0) && counts == x) {
        l.view({"", 0}, l.in(0), counts);
        return true;
    }
    l.slice({"", 0}, l.in(0), starts, steps, counts);
    return true;
}

bool split(Lowering& l) {
    const Shape x = l.inValue(0).shape;
    const int axis = normalAxis(l.intAttr("axis", 0), x.size());
    if (axis < 0 || static_cast<std::size_t>(axis) >= x.size()) return false;
    const auto at = static_cast<std::size_t>(axis);
    std::int64_t start = 0;
    const auto& outputs = l.node().outputs;
    if (std::any_of(outputs.begin(), outputs.end(), [](int v) { return v < 0; })) return false;
    for (std::size_t k = 0; k < outputs.size(); ++k) {
        const std::int64_t count = l.outValue(k).shape[at];
        const Dest dest{"part" + std::to_string(k), static_cast<int>(k)};
        if (l.isRead(k)) l.sliceAxis(dest, l.in(0), at, start, count);
        start += count;
    }
    return true;
}

bool expand(Lowering& l) {
    const Shape x = l.inValue(0).shape;
    const Shape y = l.outValue(0).shape;
    if (x.size() > y.size()) return false;
    // Tile of an extent above 1 wraps around: no affine map.
    for (std::size_t d = 0; d < x.size(); ++d) {
        if (x[d] != 1 && x[d] != y[d + y.size() - x.size()]) return false;
    }
    if (elements(x) == elements(y)) return l.view({"", 0}, l.in(0), y), true;
    l.expand({"", 0}, l.in(0), y);
    return true;
}

/// A constant index is a slice; a table read by rows is an embedding; anything else gathers.
bool gather(Lowering& l) {
    const Shape x = l.inValue(0).shape;
    const Shape index = l.inValue(1).shape;
    const Shape out = l.outValue(0).shape;
    const int axis = normalAxis(l.intAttr("axis", 0), x.size());
    if (axis < 0 || static_cast<std::size_t>(axis) >= x.size() || elements(out) == 0) return false;
    const auto at = static_cast<std::size_t>(axis);
    const auto known = l.knownScalar(1);
    if (known && elements(index) == 1) {
        auto position = static_cast<std::int64_t>(*known);
        if (position < 0) position += x[at];
        if (position < 0 || position >= x[at]) return false;
        if (x[at] == 1) return l.view({"", 0}, l.in(0), out), true;
        const TensorId row = l.sliceAxis({"slice", -1}, l.in(0), at, position, 1);
        l.view({"", 0}, row, out);
        return true;
    }
    const bool embedding = l.inValue(0).isConstant && at == 0;
    Op op;
    op.hasIter = true;
    op.iter = loopsOver(out);
    std::vector<IndexExpr> table;
    for (std::size_t d = 0; d < x.size(); ++d) {
        const std::size_t o = d < at ? d : d + index.size() - 1;
        table.push_back(d == at ? anyExpr() : loopExpr(static_cast<int>(o)));
    }
    std::vector<IndexExpr> indices;
    for (std::size_t d = 0; d < index.size(); ++d)
        indices.push_back(loopExpr(static_cast<int>(at + d)));
    op.inMaps = {table, indices};
    op.outMaps = {identityMap(out)};
    // Initializers keep no values: where they are places of features, the operation has them.
    if (const auto places = l.knownInts(1); !embedding && l.inValue(1).isInitializer && !places.empty())
        op.attrs = {{"indices", places}};
    l.emitNode(OpKind::Gather, embedding ? "embedding" : "gather", {l.in(0), l.in(1)}, std::move(op));
    return true;
}

bool gatherElements(Lowering& l, const char* fn) {
    const Shape out = l.outValue(0).shape;
    if (elements(out) == 0) return false;
    Op op;
    op.hasIter = true;
    op.iter = loopsOver(out);
    op.inMaps = {std::vector<IndexExpr>(l.inValue(0).shape.size(), anyExpr()),
                 std::vector<IndexExpr>(l.inValue(1).shape.size(), anyExpr())};
    op.outMaps = {identityMap(out)};
    l.emitNode(OpKind::Gather, fn, {l.in(0), l.in(1)}, std::move(op));
    return true;
}

/// Reflected, repeated or cropped: which element a place of the output reads is no affine index.
bool padByReading(Lowering& l, const std::string& mode, const Shape& front, const std::vector<std::int64_t>& pads) {
    const Shape x = l.inValue(0).shape;
    const Shape y = l.outValue(0).shape;
    std::vector<IndexExpr> map;
    for (std::size_t d = 0; d < x.size(); ++d) {
        const bool moved = front[d] != 0 || x[d] != y[d];
        map.push_back(moved ? anyExpr() : loopExpr(static_cast<int>(d)));
    }
    const TensorId out = l.copy({"", 0}, "pad", l.in(0), y, std::move(map));
    l.graph.ops.back().attrs = {{"mode", mode}, {"pads", pads}};
    return out.isValid();
}

/// The input lands shifted in the output; what is outside is the constant.
bool pad(Lowering& l) {
    const Shape x = l.inValue(0).shape;
    std::vector<std::int64_t> pads = l.opset() < 11 ? l.intsAttr("pads") : l.knownInts(1);
    const std::vector<std::int64_t> axes = l.knownInts(3);
    if (l.has(3) && axes.empty()) return false;
    const std::size_t n = axes.empty() ? x.size() : axes.size();
    if (pads.size() != 2 * n || elements(x) == 0) return false;
    Shape front(x.size(), 0);
    bool crops = false;
    for (std::size_t i = 0; i < n; ++i) {
        const auto at = axes.empty() ? i : static_cast<std::size_t>(normalAxis(axes[i], x.size()));
        crops = crops || pads[i] < 0 || pads[i + n] < 0;
        front[at] = pads[i];
    }
    const std::string mode = l.textAttr("mode", "constant");
    if (mode != "constant" || crops) return padByReading(l, mode, front, pads);
    Op op;
    op.hasIter = true;
    op.iter = loopsOver(x);
    op.inMaps = {identityMap(x)};
    std::vector<IndexExpr> map = identityMap(x);
    for (std::size_t d = 0; d < x.size(); ++d)
        map[d].constant = front[d];
    op.outMaps = {map};
    op.attrs.emplace_back("pads", pads);
    l.emitNode(OpKind::Copy, "pad", {l.in(0)}, std::move(op));
    return true;
}

bool filled(Lowering& l) {
    const Shape out = l.outValue(0).shape;
    Op op;
    op.hasIter = true;
    op.iter = loopsOver(out);
    op.outMaps = {identityMap(out)};
    l.emitNode(OpKind::Constant, "full", {}, std::move(op));
    return true;
}

}  // namespace

bool lowerMove(Lowering& l) {
    const std::string& op = l.node().op;
    if (!l.node().domain.empty() || !l.hasOut(0)) return false;
    if (op == "ConstantOfShape") return filled(l);
    if (!l.has(0)) return false;
    if (isReshape(op)) return reshape(l);
    if (op == "Transpose") return transpose(l);
    if (op == "Concat") return concat(l);
    if (op == "Slice") return slice(l);
    if (op == "Split") return split(l);
    if (op == "Expand") return expand(l);
    if (op == "Tile" && expand(l)) return true;
    if (op == "Gather" && l.has(1)) return gather(l);
    if (op == "GatherElements" && l.has(1)) return gatherElements(l, "gather_elements");
    if (op == "GatherND" && l.has(1)) return gatherElements(l, "gather_nd");
    if (op == "Pad") return pad(l);
    return false;
}

}  // namespace memplan::io::onnx

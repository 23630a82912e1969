// SPDX-License-Identifier: Apache-2.0
// Scatters, repeats, masks and fills (inputs-and-interchange 6), and the emitters they need.
#include "engine/io/onnx/lower/lowering.h"

#include <algorithm>

namespace memplan::io::onnx {

TensorId Lowering::copy(const Dest& dest, std::string fn, TensorId x, Shape to, std::vector<IndexExpr> map) {
    const TensorId result = destTensor(dest, to, graph.tensor(x).dtype);
    Op op = newOp(OpKind::Copy, std::move(fn), dest);
    op.hasIter = true;
    op.iter = loopsOver(to);
    op.inMaps = {std::move(map)};
    op.outMaps = {identityMap(to)};
    return push(std::move(op), {x}, result);
}

TensorId Lowering::embedding(const Dest& dest, TensorId table, TensorId positions) {
    Shape to = shape(positions);
    const std::size_t lead = to.size();
    const Shape rows = shape(table);
    to.insert(to.end(), rows.begin() + 1, rows.end());
    const TensorId result = destTensor(dest, to, graph.tensor(table).dtype);
    Op op = newOp(OpKind::Gather, "embedding", dest);
    op.hasIter = true;
    op.iter = loopsOver(to);
    std::vector<IndexExpr> map{anyExpr()};
    for (std::size_t d = 1; d < rows.size(); ++d)
        map.push_back(loopExpr(static_cast<int>(lead + d - 1)));
    op.inMaps = {std::move(map), identityMap(shape(positions))};
    op.outMaps = {identityMap(to)};
    return push(std::move(op), {table, positions}, result);
}

TensorId Lowering::constant(const Dest& dest, std::string fn, Shape to, DType dtype) {
    const TensorId result = destTensor(dest, to, dtype);
    Op op = newOp(OpKind::Constant, std::move(fn), dest);
    op.hasIter = true;
    op.iter = loopsOver(to);
    op.outMaps = {identityMap(to)};
    return push(std::move(op), {}, result);
}

namespace {

constexpr std::size_t kMostDims = 8;

/// Each axis becomes two, so that repeating has an affine map; a view joins them again. `inner`: the
/// element repeats (resize), else the whole axis does (tile).
bool repeat(Lowering& l, const Shape& factors, bool inner, const char* fn) {
    const Shape x = l.inValue(0).shape;
    Shape wide;
    std::vector<IndexExpr> map;
    for (std::size_t d = 0; d < x.size(); ++d) {
        const bool splits = factors[d] != 1 && x[d] != 1;
        if (splits && !inner) wide.push_back(factors[d]);
        map.push_back(x[d] == 1 ? zeroExpr() : loopExpr(static_cast<int>(wide.size())));
        wide.push_back(x[d] == 1 ? factors[d] : x[d]);
        if (splits && inner) wide.push_back(factors[d]);
    }
    const Shape y = l.outValue(0).shape;
    if (wide.size() > kMostDims || elements(wide) != elements(y)) return false;
    if (wide == y) return l.copy({"", 0}, fn, l.in(0), y, std::move(map)), true;
    const TensorId spread = l.copy({"spread", -1}, fn, l.in(0), wide, std::move(map));
    l.view({"", 0}, spread, y);
    return true;
}

std::optional<Shape> integerFactors(const Shape& x, const Shape& y) {
    if (x.size() != y.size()) return std::nullopt;
    Shape factors;
    for (std::size_t d = 0; d < x.size(); ++d) {
        if (x[d] == 0 || y[d] % x[d] != 0) return std::nullopt;
        factors.push_back(y[d] / x[d]);
    }
    return factors;
}

/// Do all outputs read floor(position / factor)? It depends on how positions are mapped and rounded.
bool readsFloor(Lowering& l, const Shape& factors) {
    if (l.node().op == "Upsample" || l.opset() < 11) return true;
    const std::string place = l.textAttr("coordinate_transformation_mode", "half_pixel");
    const std::string rounding = l.textAttr("nearest_mode", "round_prefer_floor");
    const bool rounds = rounding == "round_prefer_floor" || rounding == "round_prefer_ceil";
    if (place == "half_pixel" || place == "pytorch_half_pixel" || place == "half_pixel_symmetric") return rounds;
    if (place == "tf_half_pixel_for_nn") return rounding == "floor";
    if (place != "asymmetric") return false;
    const bool small = std::all_of(factors.begin(), factors.end(), [](std::int64_t f) { return f <= 2; });
    return rounding == "floor" || (rounding == "round_prefer_floor" && small);
}

bool resize(Lowering& l) {
    const auto factors = integerFactors(l.inValue(0).shape, l.outValue(0).shape);
    if (!factors || l.textAttr("mode", "nearest") != "nearest" || !readsFloor(l, *factors)) return false;
    return repeat(l, *factors, true, "resize");
}

/// Destination places come from the indices.
bool scatter(Lowering& l, const char* fn) {
    if (!l.has(2)) return false;
    const auto any = [&](std::size_t input) {
        return std::vector<IndexExpr>(l.inValue(input).shape.size(), anyExpr());
    };
    const Shape updates = l.inValue(2).shape;
    Op op;
    op.hasIter = true;
    op.iter = loopsOver(updates);
    const bool aligned = l.inValue(1).shape == updates;
    op.inMaps = {any(0), aligned ? identityMap(updates) : any(1), identityMap(updates)};
    op.outMaps = {std::vector<IndexExpr>(l.outValue(0).shape.size(), anyExpr())};
    l.emitNode(OpKind::Scatter, fn, {l.in(0), l.in(1), l.in(2)}, std::move(op));
    return true;
}

/// A constant mask of the last two dimensions picks the value or zero.
bool triangle(Lowering& l) {
    const Shape x = l.inValue(0).shape;
    if (x.size() < 2) return false;
    const bool upper = l.intAttr("upper", 1) != 0;
    const TensorId mask = l.constant({"mask", -1}, upper ? "triu" : "tril", {x[x.size() - 2], x.back()}, DType::Bool);
    l.pointwise({"where", 0}, "where", {mask, l.in(0), l.scalar(0.0, l.inValue(0).dtype)});
    return true;
}

}  // namespace

bool lowerSpread(Lowering& l) {
    const std::string& op = l.node().op;
    if (!l.node().domain.empty() || !l.hasOut(0)) return false;
    if (op == "Range") return l.constant({"", 0}, "arange", l.outValue(0).shape, l.outValue(0).dtype).isValid();
    if (!l.has(0)) return false;
    if (op == "ScatterND") return scatter(l, "scatter_nd");
    if (op == "ScatterElements" || op == "Scatter") return scatter(l, "scatter_elements");
    if (op == "Trilu") return triangle(l);
    if (op == "Resize" || op == "Upsample") return resize(l);
    if (op == "Tile") {
        const auto factors = integerFactors(l.inValue(0).shape, l.outValue(0).shape);
        return factors && repeat(l, *factors, false, "tile");
    }
    return false;
}

}  // namespace memplan::io::onnx

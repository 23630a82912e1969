// SPDX-License-Identifier: Apache-2.0
// Convolutions, pools and recurrences (inputs-and-interchange 6).
#include "engine/io/onnx/lower/lowering.h"

#include <algorithm>

namespace memplan::io::onnx {
namespace {

/// Windows of every spatial axis: stride, dilation and what stands in front.
struct Windows {
    std::vector<std::int64_t> kernel, strides, dilations, begin, end;
};

std::vector<std::int64_t> orOnes(std::vector<std::int64_t> values, std::size_t n) {
    values.resize(n, 1);
    return values;
}

/// Padding as the map and `attrs.pads` need it: what the windows reach beyond the input on both sides.
Windows windowsOf(Lowering& l, const Shape& x, const Shape& y, std::vector<std::int64_t> kernel) {
    const std::size_t n = x.size() - 2;
    Windows w;
    w.kernel = std::move(kernel);
    w.strides = orOnes(l.intsAttr("strides"), n);
    w.dilations = orOnes(l.intsAttr("dilations"), n);
    const std::vector<std::int64_t> pads = l.intsAttr("pads");
    const std::string mode = l.textAttr("auto_pad", "NOTSET");
    for (std::size_t d = 0; d < n; ++d) {
        const std::int64_t reach = (y[d + 2] - 1) * w.strides[d] + (w.kernel[d] - 1) * w.dilations[d] + 1;
        std::int64_t front = pads.size() == 2 * n ? pads[d] : 0;
        if (mode == "SAME_UPPER" || mode == "SAME_LOWER") {
            const std::int64_t total = std::max<std::int64_t>(0, reach - x[d + 2]);
            front = mode == "SAME_UPPER" ? total / 2 : total - total / 2;
        }
        w.begin.push_back(front);
        w.end.push_back(std::max<std::int64_t>(0, reach - front - x[d + 2]));
    }
    return w;
}

/// s * o + d * k - p; a dimension that does not move keeps its constant.
IndexExpr windowExpr(int o, int k, std::size_t d, const Windows& w) {
    IndexExpr e;
    e.terms.push_back({o, w.strides[d]});
    e.terms.push_back({k, w.dilations[d]});
    e.constant = -w.begin[d];
    return e;
}

Attrs windowAttrs(const Windows& w, bool isPool) {
    std::vector<std::int64_t> pads = w.begin;
    pads.insert(pads.end(), w.end.begin(), w.end.end());
    Attrs attrs;
    attrs.emplace_back("kernel", w.kernel);
    attrs.emplace_back("strides", w.strides);
    attrs.emplace_back("dilations", w.dilations);
    attrs.emplace_back("pads", pads);
    if (isPool) attrs.emplace_back("pool", true);
    return attrs;
}

const char* spatialName(std::size_t i, std::size_t n, bool kernel) {
    static const char* kOut[] = {"od", "oh", "ow"};
    static const char* kKernel[] = {"kd", "kh", "kw"};
    return (kernel ? kKernel : kOut)[3 - n + i];
}

/// x [N, C, spatial..], w [M, C/group, kernel..], bias [M].
bool conv(Lowering& l) {
    const Shape x = l.inValue(0).shape;
    const Shape w = l.inValue(1).shape;
    const Shape y = l.outValue(0).shape;
    const std::size_t n = x.size() < 3 ? 0 : x.size() - 2;
    const std::int64_t group = l.intAttr("group", 1);
    if (n < 1 || n > 3 || w.size() != x.size() || group < 1 || y[1] % group != 0 || elements(y) == 0) return false;
    if (l.has(2) && l.inValue(2).shape != Shape{y[1]}) return false;
    const Windows win = windowsOf(l, x, y, Shape(w.begin() + 2, w.end()));
    const std::int64_t perGroup = y[1] / group;
    Op op;
    op.hasIter = true;
    const auto loop = [&](const char* name, std::int64_t size, IterKind kind) {
        op.iter.push_back({name, size, "", kind});
    };
    loop("n", y[0], IterKind::Parallel);
    loop("g", group, IterKind::Parallel);
    loop("oc", perGroup, IterKind::Parallel);
    for (std::size_t d = 0; d < n; ++d)
        loop(spatialName(d, n, false), y[d + 2], IterKind::Parallel);
    loop("ic", w[1], IterKind::Reduction);
    for (std::size_t d = 0; d < n; ++d)
        loop(spatialName(d, n, true), w[d + 2], IterKind::Reduction);
    const int ic = static_cast<int>(3 + n);
    const auto channel = [](int g, std::int64_t size, int inner) {
        IndexExpr e;
        e.terms = {{g, size}, {inner, 1}};
        return e;
    };
    std::vector<IndexExpr> mapX{loopExpr(0), channel(1, w[1], ic)};
    std::vector<IndexExpr> mapW{channel(1, perGroup, 2), loopExpr(ic)};
    std::vector<IndexExpr> mapY{loopExpr(0), channel(1, perGroup, 2)};
    for (std::size_t d = 0; d < n; ++d) {
        const int o = static_cast<int>(3 + d);
        const int k = ic + 1 + static_cast<int>(d);
        mapX.push_back(windowExpr(o, k, d, win));
        mapW.push_back(loopExpr(k));
        mapY.push_back(loopExpr(o));
    }
    op.inMaps = {mapX, mapW};
    std::vector<TensorId> inputs{l.in(0), l.in(1)};
    // A folded batch norm turns a convolution without bias into one with its shift.
    const TensorId bias = l.has(2) ? l.in(2) : l.foldedShift >= 0 ? l.tensorOfValue(l.foldedShift) : TensorId{};
    if (bias.isValid()) {
        inputs.push_back(bias);
        op.inMaps.emplace_back(std::vector<IndexExpr>{channel(1, perGroup, 2)});
    }
    op.outMaps = {mapY};
    op.attrs = windowAttrs(win, false);
    op.attrs.emplace_back("group", group);
    l.emitNode(OpKind::Conv, "conv" + std::to_string(n) + "d", inputs, std::move(op));
    return true;
}

/// Positions of the input depend on the output position modulo the stride: `?` on the spatial dims.
bool convTranspose(Lowering& l) {
    const Shape x = l.inValue(0).shape;
    const Shape w = l.inValue(1).shape;
    const Shape y = l.outValue(0).shape;
    const std::size_t n = x.size() < 3 ? 0 : x.size() - 2;
    const std::int64_t group = l.intAttr("group", 1);
    if (n < 1 || n > 3 || w.size() != x.size() || group < 1 || y[1] % group != 0 || elements(y) == 0) return false;
    if (l.has(2) && l.inValue(2).shape != Shape{y[1]}) return false;
    const std::int64_t inGroup = x[1] / group;
    Op op;
    op.hasIter = true;
    op.iter.push_back({"n", y[0], "", IterKind::Parallel});
    op.iter.push_back({"g", group, "", IterKind::Parallel});
    op.iter.push_back({"oc", w[1], "", IterKind::Parallel});
    for (std::size_t d = 0; d < n; ++d)
        op.iter.push_back({spatialName(d, n, false), y[d + 2], "", IterKind::Parallel});
    const int ic = static_cast<int>(3 + n);
    const auto channel = [](std::int64_t size, int inner) {
        IndexExpr e;
        e.terms = {{1, size}, {inner, 1}};
        return e;
    };
    op.iter.push_back({"ic", inGroup, "", IterKind::Reduction});
    for (std::size_t d = 0; d < n; ++d)
        op.iter.push_back({spatialName(d, n, true), w[d + 2], "", IterKind::Reduction});
    std::vector<IndexExpr> mapX{loopExpr(0), channel(inGroup, ic)};
    std::vector<IndexExpr> mapW{channel(inGroup, ic), loopExpr(2)};
    std::vector<IndexExpr> mapY{loopExpr(0), channel(w[1], 2)};
    for (std::size_t d = 0; d < n; ++d) {
        mapX.push_back(anyExpr());
        mapW.push_back(loopExpr(ic + 1 + static_cast<int>(d)));
        mapY.push_back(loopExpr(static_cast<int>(3 + d)));
    }
    op.inMaps = {mapX, mapW};
    std::vector<TensorId> inputs{l.in(0), l.in(1)};
    if (l.has(2)) {
        inputs.push_back(l.in(2));
        op.inMaps.emplace_back(std::vector<IndexExpr>{channel(w[1], 2)});
    }
    op.outMaps = {mapY};
    op.attrs.emplace_back("group", group);
    l.emitNode(OpKind::Conv, "conv_transpose" + std::to_string(n) + "d", inputs, std::move(op));
    return true;
}

bool pool(Lowering& l, const char* fn) {
    const Shape x = l.inValue(0).shape;
    const Shape y = l.outValue(0).shape;
    const std::size_t n = x.size() < 3 ? 0 : x.size() - 2;
    const std::vector<std::int64_t> kernel = l.intsAttr("kernel_shape");
    if (n < 1 || n > 3 || kernel.size() != n || l.hasOut(1) || elements(y) == 0) return false;
    const Windows win = windowsOf(l, x, y, kernel);
    Op op;
    op.hasIter = true;
    op.iter.push_back({"n", y[0], "", IterKind::Parallel});
    op.iter.push_back({"c", y[1], "", IterKind::Parallel});
    for (std::size_t d = 0; d < n; ++d)
        op.iter.push_back({spatialName(d, n, false), y[d + 2], "", IterKind::Parallel});
    for (std::size_t d = 0; d < n; ++d)
        op.iter.push_back({spatialName(d, n, true), kernel[d], "", IterKind::Reduction});
    std::vector<IndexExpr> mapX{loopExpr(0), loopExpr(1)};
    std::vector<IndexExpr> mapY{loopExpr(0), loopExpr(1)};
    for (std::size_t d = 0; d < n; ++d) {
        mapX.push_back(windowExpr(static_cast<int>(2 + d), static_cast<int>(2 + n + d), d, win));
        mapY.push_back(loopExpr(static_cast<int>(2 + d)));
    }
    op.inMaps = {mapX};
    op.outMaps = {mapY};
    op.attrs = windowAttrs(win, true);
    l.emitNode(OpKind::Pool, fn, {l.in(0)}, std::move(op));
    return true;
}

bool recurrent(Lowering& l, const char* fn) {
    std::vector<TensorId> inputs;
    for (std::size_t i = 0; i < l.node().inputs.size(); ++i)
        inputs.push_back(l.in(i));
    Op op;
    const Shape x = l.inValue(0).shape;
    const bool batchFirst = l.intAttr("layout", 0) == 1;
    op.attrs.emplace_back("steps", x.size() == 3 ? x[batchFirst ? 1 : 0] : std::int64_t{1});
    op.attrs.emplace_back("hidden_size", l.intAttr("hidden_size", 0));
    l.emitNode(OpKind::Recurrent, fn, inputs, std::move(op));
    return true;
}

}  // namespace

bool lowerWindow(Lowering& l) {
    const std::string& op = l.node().op;
    if (!l.node().domain.empty() || l.node().outputs.empty() || !l.has(0)) return false;
    if (op == "LSTM" || op == "GRU" || op == "RNN")
        return recurrent(l, op == "LSTM" ? "lstm" : op == "GRU" ? "gru" : "rnn");
    if (!l.hasOut(0)) return false;
    if (op == "Conv" && l.has(1)) return conv(l);
    if (op == "ConvTranspose" && l.has(1)) return convTranspose(l);
    if (op == "MaxPool") return pool(l, "max");
    if (op == "AveragePool") return pool(l, "avg");
    return false;
}

}  // namespace memplan::io::onnx

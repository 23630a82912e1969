// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/ttnn/conv_rules.h"

#include "engine/verify/ttnn/matmul_rules.h"
#include "engine/verify/ttnn/tile_cost.h"

#include <algorithm>
#include <variant>

namespace memplan::verify::ttnn {
namespace {

using memplan::ttnn::Conv2dAttrs;
using memplan::ttnn::Conv2dConfig;
using memplan::ttnn::Grid;
using memplan::ttnn::MemLayout;

std::int64_t up(std::int64_t n, std::int64_t by) {
    return (n + by - 1) / by;
}

std::int32_t divisorUpTo(std::int64_t n, std::int64_t most) {
    std::int64_t d = std::min(n, most);
    while (d > 1 && n % d != 0)
        --d;
    return static_cast<std::int32_t>(std::max<std::int64_t>(d, 1));
}

struct Window {
    std::array<std::int64_t, 2> kernel, stride, dilation;
    std::int64_t top = 0, left = 0, bottom = 0, right = 0;
    std::int64_t batch = 1, height = 1, width = 1;
    bool isTransposed = false;

    [[nodiscard]] std::int64_t outWidth() const {
        const std::int64_t reach = dilation[1] * (kernel[1] - 1);
        const std::int64_t out = isTransposed ? (width - 1) * stride[1] - left - right + reach + 1
                                              : (width + left + right - reach - 1) / stride[1] + 1;
        return std::max<std::int64_t>(out, 1);
    }
    [[nodiscard]] bool isPoint() const {
        const std::array<std::int64_t, 2> one{1, 1};
        return !isTransposed && kernel == one && stride == one && dilation == one && top + left + bottom + right == 0;
    }
};

Window windowOf(const OpFacts& op) {
    Window w;
    const auto last = [&](std::size_t i) { return op.in[1].extent(1 - i); };
    w.kernel = op.attribute("kernel_size") != nullptr ? op.pair("kernel_size", 1) : std::array{last(0), last(1)};
    w.stride = op.pair("stride", 1);
    w.dilation = op.pair("dilation", 1);
    const std::vector<std::int64_t> pads = op.integers("padding");
    if (pads.size() == 4) {
        w.top = pads[0], w.left = pads[1], w.bottom = pads[2], w.right = pads[3];
    } else if (!pads.empty()) {
        w.top = w.bottom = pads.front();
        w.left = w.right = pads.back();
    }
    const ShapeSpan shape = op.in[0].shape;
    const bool isWhole = shape.size() == 4 && (shape[0] != 1 || shape[1] != 1);
    w.batch = op.integer("batch_size", isWhole ? shape[0] : 1);
    w.height = op.integer("input_height", isWhole ? shape[1] : 1);
    w.width = op.integer("input_width", isWhole ? shape[2] : 1);
    w.isTransposed = op.kind() == "conv_transpose2d";
    return w;
}

std::int64_t outRows(const OpFacts& op) {
    std::int64_t rows = 1;
    for (std::size_t i = 1; i < op.out[0].shape.size(); ++i)
        rows *= op.out[0].extent(i);
    return rows;
}

const Conv2dConfig& configOf(const OpFacts& op) {
    static const Conv2dConfig kNone;
    const auto* attrs = std::get_if<Conv2dAttrs>(&op.op.config);
    return attrs != nullptr && attrs->config ? *attrs->config : kNone;
}

/// How output rows and filters are dealt out, in tiles.
struct Deal {
    MemLayout mem = MemLayout::HeightSharded;
    Grid grid;
    std::int64_t rows = 1, filters = 1, depth = 1;  ///< of the whole
    [[nodiscard]] std::int64_t rowsOfCore() const { return up(rows, grid.rows); }
    [[nodiscard]] std::int64_t filtersOfCore() const { return up(filters, grid.cols); }
};

Deal dealOf(const OpFacts& op) {
    Deal d;
    d.rows = up(outRows(op), 32);
    d.filters = up(op.out[0].extent(0), 32);
    d.depth = up(op.in[0].extent(0), 32);
    const Grid workers = op.device.workers;
    const auto& wanted = configOf(op).shardLayout;
    if (op.in[0].layout.isSharded())
        d.mem = *op.in[0].layout.mem;
    else if (wanted && *wanted != MemLayout::Interleaved)
        d.mem = *wanted;
    else if (d.rows < 4 * d.filters)
        d.mem = d.rows >= workers.rows && d.filters >= 2 ? MemLayout::BlockSharded : MemLayout::WidthSharded;
    if (d.mem == MemLayout::HeightSharded)
        d.grid = {static_cast<std::int32_t>(up(d.rows, up(d.rows, std::min(d.rows, workers.volume())))), 1};
    else if (d.mem == MemLayout::WidthSharded)
        d.grid = {1, divisorUpTo(d.filters, workers.volume())};
    else
        d.grid = {static_cast<std::int32_t>(std::min<std::int64_t>(d.rows, workers.rows)),
                  divisorUpTo(d.filters, workers.cols)};
    return d;
}

std::string dealFault(const OpFacts& op, const Deal& d) {
    const Layout& in = op.in[0].layout;
    const Layout& out = op.out[0].layout;
    if (!in.isL1Sharded() && !(in.isInDram() && in.isInterleaved()))
        return "its input is sharded in L1 or interleaved in DRAM";
    if (d.mem == MemLayout::HeightSharded && op.in[0].extent(0) > 1024)
        return "height sharded takes 1024 channels at most";
    if (d.mem == MemLayout::WidthSharded && outRows(op) > 1024) return "width sharded takes 1024 output rows at most";
    if (!out.isSharded()) return {};
    return out.mem == d.mem ? std::string() : "its result has another memory layout than its work";
}

std::string gridFault(const OpFacts& op, const Deal& d) {
    const Layout& out = op.out[0].layout;
    if (!out.isSharded()) return {};
    const auto fits = [](std::int64_t whole, std::int32_t asked, std::int32_t derived) {
        return asked <= derived || up(whole, asked) == up(whole, derived);
    };
    const bool isFine = fits(d.rows, out.grid.rows, d.grid.rows) && fits(d.filters, out.grid.cols, d.grid.cols);
    return isFine ? std::string() : "its grid is larger than its work";
}

Bytes haloOf(const Window& w, const Deal& d, std::int64_t channels) {
    const std::int64_t imageRows = up(d.rowsOfCore() * 32, w.outWidth());
    const std::int64_t reach = (w.kernel[0] - 1) * w.dilation[0];
    const std::int64_t rows = imageRows * w.stride[0] + reach;
    return rows * (w.width + w.left + w.right) * channels * 32 * 2;
}

Bytes buffersOf(const OpFacts& op, const Window& w, const Deal& d, std::int64_t channels, std::string& fault) {
    const Conv2dConfig& config = configOf(op);
    const std::int64_t wish = config.actBlockHOverride.value_or(0);
    const std::int64_t rows = d.rowsOfCore();
    const std::int64_t block = wish > 0 ? std::min(rows, std::max<std::int64_t>(wish / 32, 1)) : rows;
    if (block < 1 || rows % block != 0) fault = "its activation block does not divide the rows of a core";
    const std::int64_t taps = w.kernel[0] * w.kernel[1];
    const std::int64_t deep =
        d.mem == MemLayout::HeightSharded
            ? w.kernel[1] * channels
            : std::max<std::int64_t>(1, taps * channels / std::max<std::int64_t>(1, config.actBlockWDiv.value_or(1)));
    const Bytes in = tileBytes(op.in[0].layout.dtype), out = tileBytes(op.out[0].layout.dtype);
    const Bytes weight = tileBytes(config.weightsDtype.value_or(op.in[1].layout.dtype));
    const Bytes outBlock = block * d.filtersOfCore() * out;
    Bytes cb = (config.enableActDoubleBuffer.value_or(false) ? 2 : 1) * block * deep * in;
    cb += (config.enableWeightsDoubleBuffer.value_or(false) ? 2 : 1) * deep * d.filtersOfCore() * weight;
    if (!(op.out[0].layout.isL1Sharded() && block == rows)) cb += outBlock;
    if (up(taps * d.depth, deep) > 1) cb += outBlock;
    return cb + 2 * in;
}

Demand asProduct(const OpFacts& op, const Deal& d) {
    const Bytes bias = op.in.size() > 2 ? tileBytes(op.in[2].layout.dtype) : 0;
    // All are made into tiles, whatever layout they arrive in.
    const Bytes in = tileBytes(op.in[0].layout.dtype), out = tileBytes(op.out[0].layout.dtype);
    const Bytes weight = tileBytes(configOf(op).weightsDtype.value_or(op.in[1].layout.dtype));
    const Product product{op.in[0], op.in[1], op.out[0], d.rows, d.filters, d.depth, false, 1, in, weight, out, bias};
    return productDemand(op, product, false);
}

}  // namespace

Demand convDemand(const OpFacts& op, bool) {
    if (op.in.size() < 2) return {};
    Deal d = dealOf(op);
    const Window w = windowOf(op);
    Demand demand;
    demand.fault = dealFault(op, d);
    // A product has the grid of its program.
    if (w.isPoint() && op.integer("groups", 1) == 1) {
        Demand product = asProduct(op, d);
        if (!demand.fault.empty()) product.fault = demand.fault;
        return product;
    }
    if (demand.fault.empty()) demand.fault = gridFault(op, d);
    const Layout& in = op.in[0].layout;
    if (op.out[0].layout.isSharded()) d.grid = op.out[0].layout.grid;
    const std::int32_t channelCores = in.isSharded() ? in.grid.cols : d.grid.cols;
    const std::int64_t channels = d.mem == MemLayout::HeightSharded ? d.depth : up(d.depth, channelCores);
    demand.cb = buffersOf(op, w, d, channels, demand.fault);
    demand.halo = haloOf(w, d, channels);
    demand.tensors = op.out[0].bytesOnCore() + demand.halo;
    if (!in.isInL1()) return demand;
    if (configOf(op).deallocateActivation.value_or(false)) {
        demand.freedInput = in.shardBytes();
        return demand;
    }
    demand.tensorInput = in.shardBytes();
    demand.tensors += demand.tensorInput;
    return demand;
}

std::int64_t convTileProducts(const OpFacts& op) {
    const Window w = windowOf(op);
    return up(outRows(op), 32) * up(op.out[0].extent(0), 32) * up(w.kernel[0] * w.kernel[1] * op.in[0].extent(0), 32);
}

}  // namespace memplan::verify::ttnn

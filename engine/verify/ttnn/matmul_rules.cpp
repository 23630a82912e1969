// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/ttnn/matmul_rules.h"

#include "engine/verify/ttnn/tile_cost.h"

#include <algorithm>
#include <variant>

namespace memplan::verify::ttnn {
namespace {

using memplan::ttnn::Grid;
using memplan::ttnn::MatmulAttrs;
using memplan::ttnn::MatmulProgram;
using memplan::ttnn::MemLayout;

std::int64_t up(std::int64_t n, std::int64_t by) {
    return (n + by - 1) / by;
}

enum class Way { Blocks, Width, Height };

/// How the work is cut: tiles of one core, and the depth of one step.
struct Cut {
    Way way = Way::Blocks;
    std::int64_t m = 1, n = 1, k = 1;
};

const MatmulProgram* programOf(const OpFacts& op) {
    const auto* attrs = std::get_if<MatmulAttrs>(&op.op.config);
    return attrs != nullptr && attrs->program ? &*attrs->program : nullptr;
}

Way wayOf(const Layout& layout) {
    if (layout.mem == MemLayout::WidthSharded) return Way::Width;
    if (layout.mem == MemLayout::HeightSharded) return Way::Height;
    if (layout.mem == MemLayout::BlockSharded && layout.grid.rows == 1) return Way::Width;
    if (layout.mem == MemLayout::BlockSharded && layout.grid.cols == 1) return Way::Height;
    return Way::Blocks;
}

bool isCutAlongDepth(const Layout& a) {
    return a.mem == MemLayout::WidthSharded || a.mem == MemLayout::BlockSharded;
}

/// Of its shard, in tiles.
std::int64_t widthOf(const Layout& a) {
    return a.isTiled() ? a.shard[1] : up(a.shard[1], 32);
}

std::int64_t depthOf(const Product& p, Way way) {
    if (isCutAlongDepth(p.a.layout)) return widthOf(p.a.layout);
    if (way == Way::Height) return p.inner;
    std::int64_t depth = std::min<std::int64_t>(p.inner, 8);
    while (p.inner % depth != 0)
        --depth;
    return depth;
}

Cut cutOf(const OpFacts& op, const Product& p) {
    if (const MatmulProgram* given = programOf(op)) {
        Way way = Way::Blocks;
        if (given->kind == MatmulProgram::Kind::Multicast1d) way = given->mcastIn0 ? Way::Width : Way::Height;
        return {way, given->perCoreM, given->perCoreN, given->in0BlockW};
    }
    const Layout* leads = p.out.layout.isSharded() ? &p.out.layout : &p.a.layout;
    const bool isLed = leads->isSharded();
    const Grid grid = isLed ? leads->grid : op.device.workers;
    Cut cut;
    cut.way = isLed ? wayOf(*leads) : Way::Blocks;
    cut.m = cut.way == Way::Width ? p.rows : up(p.rows, cut.way == Way::Height ? grid.volume() : grid.rows);
    cut.n = cut.way == Way::Height ? p.cols : up(p.cols, cut.way == Way::Width ? grid.volume() : grid.cols);
    cut.k = depthOf(p, cut.way);
    return cut;
}

std::string pairFault(const Product& p) {
    const Layout& a = p.a.layout;
    const Layout& out = p.out.layout;
    if (p.b.layout.isSharded()) return "operand B is interleaved only";
    if (p.isTransposed && a.isSharded()) return "a transposed operand is interleaved";
    if (p.batchOfB > 1 && (a.isSharded() || out.isSharded())) return "batches of B are interleaved only";
    if (!a.isSharded() || !out.isSharded()) return {};
    if (a.mem != out.mem) return "a sharded operand A needs a result of the same memory layout";
    if (a.mem == MemLayout::BlockSharded && a.grid.rows != out.grid.rows)
        return "A and the result have other grid rows";
    return {};
}

std::string cutFault(const OpFacts& op, const Product& p, const Cut& cut) {
    if (cut.k < 1 || cut.m < 1 || cut.n < 1) return "its program has an empty block";
    const bool isGiven = programOf(op) != nullptr;
    if (isGiven && isCutAlongDepth(p.a.layout) && widthOf(p.a.layout) % cut.k != 0)
        return "the shard width of A is no multiple of in0_block_w";
    const Layout& out = p.out.layout;
    if (!out.isSharded()) return {};
    Grid grid{static_cast<std::int32_t>(up(p.rows, cut.m)), static_cast<std::int32_t>(up(p.cols, cut.n))};
    if (out.mem == MemLayout::WidthSharded) grid.rows = 1;
    if (out.mem == MemLayout::HeightSharded) grid.cols = 1;
    if (grid == out.grid) return {};
    return "its program writes a grid of " + std::to_string(grid.rows) + "x" + std::to_string(grid.cols);
}

bool keepsFullAccumulator(const OpFacts& op, const Product& p) {
    const auto* attrs = std::get_if<MatmulAttrs>(&op.op.config);
    const bool fromConfig = attrs != nullptr && attrs->compute && attrs->compute->fp32DestAccEn.value_or(false);
    const std::string* text = op.attribute("compute_config");
    const bool fromText = text != nullptr && text->find("fp32_dest_acc_en = true") != std::string::npos;
    return (fromConfig || fromText) && p.out.layout.dtype != memplan::ttnn::DataType::F32;
}

}  // namespace

Demand productDemand(const OpFacts& op, const Product& p, bool conservative) {
    Demand d;
    const Cut cut = cutOf(op, p);
    d.fault = pairFault(p);
    if (d.fault.empty()) d.fault = cutFault(op, p, cut);
    if (cut.k < 1) return d;
    const std::int64_t steps = p.inner / cut.k;
    const std::int64_t copies = steps > 1 ? 2 : 1;
    const bool aIsSharded = p.a.layout.isSharded();
    const bool isAliased = aIsSharded && cut.way == Way::Height;
    const Bytes block = cut.m * cut.n;
    if (!isAliased) d.cb += copies * cut.m * cut.k * p.tileOfA;
    d.cb += copies * cut.k * cut.n * p.tileOfB;
    const bool isResultInPlace = p.out.layout.isInL1() && p.out.layout.isSharded();
    if (!isResultInPlace) d.cb += block * p.tileOfOut;
    if (aIsSharded && !isAliased) d.cb += 64;
    if (steps > 1 && keepsFullAccumulator(op, p)) d.cb += block * 4096;
    d.cb += cut.n * p.biasTile;
    const auto isInterleavedL1 = [](const Tensor& t) { return t.layout.isInL1() && t.layout.isInterleaved(); };
    if (conservative && (isInterleavedL1(p.a) || isInterleavedL1(p.b))) d.cb += block * p.tileOfOut;
    d.tensors = p.out.bytesOnCore();
    return d;
}

Factors factorsOf(const OpFacts& op) {
    const Tensor& a = op.in[0];
    const Tensor& b = op.in[1];
    const auto batches = [](const Tensor& t) {
        std::int64_t batch = 1;
        for (std::size_t i = 2; i < t.shape.size(); ++i)
            batch *= t.extent(i);
        return batch;
    };
    const bool turnsA = a.shape.size() > 1 && op.flag("transpose_a");
    const bool turnsB = b.shape.size() > 1 && op.flag("transpose_b");
    const std::int64_t cols = b.shape.size() == 1 ? 1 : b.extent(turnsB ? 1 : 0);
    return {a.extent(turnsA ? 0 : 1), cols, a.extent(turnsA ? 1 : 0), batches(a), batches(b)};
}

Demand matmulDemand(const OpFacts& op, bool conservative) {
    if (op.in.size() < 2) return {};
    const Tensor& a = op.in[0];
    const Tensor& b = op.in[1];
    const Tensor& out = op.out[0];
    const Factors f = factorsOf(op);
    // Batches of A that B does not have are rows like others.
    const std::int64_t rows = up(f.rows, 32) * (f.batchOfB == 1 ? f.batchOfA : 1);
    const Bytes bias = op.in.size() > 2 ? tileCost(op.in[2]) : 0;
    const Product product{a,
                          b,
                          out,
                          rows,
                          up(f.cols, 32),
                          up(f.inner, 32),
                          op.flag("transpose_a"),
                          f.batchOfB,
                          tileCost(a),
                          tileCost(b),
                          tileCost(out),
                          bias};
    return productDemand(op, product, conservative);
}

}  // namespace memplan::verify::ttnn

// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/estimate/extract.h"

#include "engine/base/numeric.h"
#include "engine/spyre/division/iteration_space.h"
#include "engine/spyre/joint/relayout.h"
#include "engine/spyre/tiling/loop_access.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace memplan::spyre::cost {
namespace {

std::int64_t coefficientOf(const Index& index, std::size_t loop) {
    return loop < index.coefficients.size() ? index.coefficients[loop] : 0;
}

std::int64_t product(const std::vector<std::int64_t>& values) {
    std::int64_t n = 1;
    for (const std::int64_t v : values)
        n = saturatedMul(n, v);
    return n;
}

/// Stick padded size; a tensor without device layout counts its host elements.
std::int64_t storedElements(const Buffer& b) {
    return product(b.layout ? b.layout->deviceSize : b.size);
}

std::int64_t storedItemBytes(const Buffer& b) {
    return b.layout ? 128 / elemsPerStick(b.layout->dtype) : hostItemBytes(b.dtype);
}

/// The read mentions fewer loops than the output has dimensions; dimensions of extent 1 have no loop.
bool isBroadcast(const Op& op, const Access& read, const Buffer& output) {
    std::int64_t mentioned = 0;
    for (std::size_t v = 0; v < op.loops.size(); ++v)
        mentioned += coefficientOf(read.index, v) != 0 ? 1 : 0;
    return mentioned < std::count_if(
                           output.size.begin(), output.size.end(), [](std::int64_t e) { return e > 1; });
}

ArgFeatures argument(const Program& program, const Op& op, const Access& access, Role role, const Residency& inLx) {
    const Buffer& b = program.buffers[access.buffer.at()];
    ArgFeatures a;
    a.name = b.name;
    a.role = role;
    a.memory = inLx(access.buffer) ? Memory::Lx : Memory::Hbm;
    a.elements = storedElements(b);
    if (b.layout) a.deviceDims = b.layout->deviceSize;
    a.shape = b.size;
    a.loopFactor = tripFactor(op, access, b);
    const bool arrives = b.kind == BufferKind::Input || b.kind == BufferKind::Parameter;
    a.isBoundary = role == Role::Input ? arrives : b.isOutput;
    return a;
}

void fillMatmul(const Program& program, const Op& op, const Splits& splits, OpFeatures& f) {
    f.isMatmul = true;
    std::vector<std::size_t> output;
    std::int64_t k = 1;
    for (std::size_t v = 0; v < op.loops.size(); ++v) {
        if (coefficientOf(op.write.index, v) == 0) {
            k = saturatedMul(k, op.loops[v].extent);
        } else {
            output.push_back(v);
        }
    }
    std::stable_sort(output.begin(), output.end(), [&](std::size_t a, std::size_t b) {
        return coefficientOf(op.write.index, a) < coefficientOf(op.write.index, b);
    });
    const auto extent = [&](std::size_t i) { return i < output.size() ? op.loops[output[i]].extent : 1; };
    const auto split = [&](std::size_t i) { return i < output.size() ? splitOf(splits, output[i]) : 1; };
    f.matmulNSplit = split(0);
    f.matmulMSplit = split(1);
    f.matmulColsPerCore = static_cast<double>(extent(0)) / static_cast<double>(f.matmulNSplit);
    f.matmulRowsPerCore = static_cast<double>(extent(1)) / static_cast<double>(f.matmulMSplit);
    // A reduced loop that is tiled shows one tile's extent; the write then repeats once for every tile.
    f.matmulMacs =
        saturatedMul(saturatedMul(storedElements(program.buffers[op.write.buffer.at()]), k), f.args[0].loopFactor);
    f.matmulABytes = saturatedMul(saturatedMul(extent(1), k), f.dtypeBytes);
    f.matmulBBytes = saturatedMul(saturatedMul(extent(0), k), f.dtypeBytes);
    for (std::size_t r = 0; r < op.reads.size(); ++r) {
        for (std::size_t v = 0; v < op.loops.size(); ++v) {
            if (coefficientOf(op.reads[r].index, v) == 0) f.args[r + 1].replication *= splitOf(splits, v);
        }
    }
}

void fillTiles(const Op& op, const Buffer& out, const Splits& splits, OpFeatures& f) {
    f.loopTrip = iterations(op);
    std::optional<std::size_t> rowLoop;
    for (std::size_t v = 0; v < op.loops.size(); ++v) {
        const std::int64_t c = coefficientOf(op.write.index, v);
        if (c != 0 && (!rowLoop || c > coefficientOf(op.write.index, *rowLoop))) rowLoop = v;
    }
    for (std::size_t level = 0; level < op.loop.tiledLoops.size(); ++level) {
        for (const int v : op.loop.tiledLoops[level]) {
            const bool written = coefficientOf(op.write.index, static_cast<std::size_t>(v)) != 0;
            (written ? f.tilesOutputDim : f.tilesReductionDim) = true;
        }
    }
    if (!f.tilesOutputDim || f.loopTrip <= 1) return;
    const auto& dims = out.size.size() >= 2 || !out.layout ? out.size : out.layout->deviceSize;
    if (dims.size() < 2) return;
    double rows = static_cast<double>(dims[dims.size() - 2]);
    if (!out.holdsOneTile()) rows /= static_cast<double>(f.loopTrip);
    if (rowLoop) rows /= static_cast<double>(splitOf(splits, *rowLoop));
    f.tileRowsPerCore = rows;
}

bool isStickScatter(const Program& program, const Op& op) {
    const Buffer& out = program.buffers[op.write.buffer.at()];
    if (op.reads.empty() || !out.layout || out.layout->deviceSize.size() <= 3) return false;
    const std::int64_t beforeStick = out.layout->deviceSize[out.layout->deviceSize.size() - 2];
    if (beforeStick < 1 || beforeStick > 63) return false;
    for (std::size_t v = 0; v < op.loops.size(); ++v) {
        if (coefficientOf(op.write.index, v) == 0) continue;
        const bool read = std::any_of(op.reads.begin(), op.reads.end(),
                                      [v](const Access& a) { return coefficientOf(a.index, v) != 0; });
        if (!read) return true;
    }
    return false;
}

bool isReduceOuter(const Op& op) {
    if (op.kind != OpClass::Reduction) return false;
    bool keepsStick = false;
    bool stridedReduction = false;
    for (std::size_t v = 0; v < op.loops.size(); ++v) {
        const std::int64_t w = coefficientOf(op.write.index, v);
        keepsStick = keepsStick || w == 1;
        for (const Access& a : op.reads)
            stridedReduction = stridedReduction || (w == 0 && std::abs(coefficientOf(a.index, v)) > 1);
    }
    return keepsStick && stridedReduction;
}

bool swapsSticks(const Op& op) {
    if (op.kind == OpClass::Reduction) return false;
    for (std::size_t v = 0; v < op.loops.size(); ++v) {
        if (coefficientOf(op.write.index, v) != 1) continue;
        for (const Access& a : op.reads) {
            const std::int64_t c = coefficientOf(a.index, v);
            if (c != 0 && c != 1) return true;
        }
    }
    return false;
}

std::string patternOf(const Program& program, const Op& op) {
    if (op.isMatmul()) return {};
    if (isStickScatter(program, op)) return "stick_scatter";
    if (isReduceOuter(op)) return "reduce_outer";
    return swapsSticks(op) ? "restickify" : "";
}

}  // namespace

bool isModellable(const Op& op) {
    return op.isComputed() && op.write.buffer.isValid();
}

OpFeatures extractFeatures(const Program& program, const Op& op, const Splits& splits, const Residency& inLx) {
    const Buffer& out = program.buffers[op.write.buffer.at()];
    OpFeatures f;
    f.name = op.fn;
    f.isReduction = op.kind == OpClass::Reduction;
    f.outElements = storedElements(out);
    f.cores = coresOf(splits);
    f.dtypeBytes = storedItemBytes(out);
    f.args.push_back(argument(program, op, op.write, Role::Output, inLx));
    for (const Access& read : op.reads) {
        f.args.push_back(argument(program, op, read, Role::Input, inLx));
        f.args.back().broadcast = isBroadcast(op, read, out);
    }
    for (std::size_t v = 0; v < op.loops.size(); ++v) {
        if (coefficientOf(op.write.index, v) == 0) f.reductionCores *= splitOf(splits, v);
    }
    fillTiles(op, out, splits, f);
    f.hbmPattern = patternOf(program, op);
    f.isIndirectStore = op.write.indirect;
    if (const auto edge = joint::edgeOfCopy(program, op, {})) {
        f.isLxRelayout = true;
        f.relayoutRunElements = edge->governingRunElements;
        f.relayoutSplit = edge->governingSplit;
    }
    if (op.isMatmul()) fillMatmul(program, op, splits, f);
    return f;
}

}  // namespace memplan::spyre::cost

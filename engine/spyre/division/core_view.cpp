// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/division/core_view.h"

#include "engine/base/numeric.h"
#include "engine/spyre/division/loop_cuts.h"

#include <algorithm>

namespace memplan::spyre {
namespace {

std::int64_t coefficient(const Index& index, std::size_t loop) {
    return loop < index.coefficients.size() ? index.coefficients[loop] : 0;
}

bool coordinateMoves(const Coordinates& device, std::size_t dim, std::size_t loop) {
    return (device[dim].loops() >> loop & 1) != 0;
}

/// The device dimension that a host coefficient stands for: the tile index for the stick dimension, else
/// the dimension of that stride. Of equal strides the one that moves with the loop, else the last (14).
std::optional<std::size_t> deviceDimOf(const StickLayout& layout, const Coordinates& device, std::size_t loop,
                                       std::int64_t stride) {
    const std::int64_t eps = elemsPerStick(layout.dtype);
    const auto& map = layout.strideMap;
    const bool isTile = stride == 1 && std::find(map.begin(), map.end(), eps) != map.end();
    const std::int64_t wanted = isTile ? eps : stride;
    std::optional<std::size_t> last;
    for (std::size_t d = 0; d < map.size(); ++d) {
        if (map[d] != wanted) continue;
        if (coordinateMoves(device, d, loop)) return d;
        last = d;
    }
    return last;
}

bool hasAdjacentK(bool isMatmul, std::span<const std::int64_t> splits, const CoreMapOptions& options) {
    return isMatmul && options.kFastEmission && splits.size() >= 3 && splits.back() > 1;
}

/// Loops in the order in which cores are numbered: position of the i-th one.
std::size_t loopAt(std::size_t i, std::size_t count, bool kFirst) {
    if (!kFirst) return i;
    return i == 0 ? count - 1 : i - 1;
}

using LoopSplits = SmallVector<std::int64_t, 8>;

/// What recoverSplits() makes of encodeSplits(), without the encoding between them: a loop gets the slices of the last
/// split loop that has its coefficient in the same index.
LoopSplits recoveredSplits(const Op& op, const Splits& splits) {
    const SplitIndices indices = splitIndices(op);
    LoopSplits out;
    for (std::size_t v = 0; v < op.loops.size(); ++v) {
        out.push_back(1);
        const std::int64_t w = coefficient(*indices.write, v);
        const std::int64_t r = coefficient(*indices.read, v);
        if (op.loops[v].extent <= 1 || (w == 0 && r == 0)) continue;
        for (std::size_t u = 0; u < splits.size(); ++u) {
            if (splits[u] <= 1 || coefficient(*indices.write, u) != w) continue;
            if (w != 0 || coefficient(*indices.read, u) == r) out[v] = splits[u];
        }
    }
    return out;
}

/// Cores until the next slice of each loop.
LoopSplits coresPerSlice(const CutLoops& cut, std::int64_t cores) {
    LoopSplits stride;
    stride.resize(cut.splits.size());
    std::int64_t before = 1;
    for (std::size_t i = 0; i < cut.splits.size(); ++i) {
        const std::size_t v = loopAt(i, cut.splits.size(), cut.kFirst);
        stride[v] = std::min(before, cores);
        before *= cut.splits[v];
    }
    return stride;
}

/// What chapter 14 says of a loop whose slices are no equal parts: the dimension of its stride. The view equals
/// nothing.
LoopCuts nominalCuts(const StickLayout& layout, std::size_t dim, std::int64_t slices, PerCoreView& view) {
    view.representable = false;
    LoopCuts cuts;
    if (layout.deviceSize[dim] % slices == 0) cuts.push_back({static_cast<int>(dim), slices, 1, 0, 0});
    return cuts;
}

void addSlices(const StickLayout& layout, const Index& index, const CutLoops& cut, PerCoreView& view) {
    const Coordinates device = coordinates(layout.deviceSize, layout.strideMap, cut.loops, index);
    const LoopSplits stride = coresPerSlice(cut, view.cores);
    for (std::size_t v = 0; v < cut.loops.size(); ++v) {
        const std::int64_t h = coefficient(index, v);
        if (cut.splits[v] <= 1 || h == 0) continue;
        const auto dim = deviceDimOf(layout, device, v, h);
        if (!dim) {
            view.representable = false;
            continue;
        }
        const std::int64_t eps = v < cut.stickEps.size() ? cut.stickEps[v] : 0;
        auto cuts = loopCuts(layout, device, cut.loops, index, {v, cut.splits[v], eps});
        if (!cuts) cuts = nominalCuts(layout, *dim, cut.splits[v], view);
        for (const LoopCut& c : *cuts) {
            for (const CoreSlice& s : view.slices)
                view.representable = view.representable && s.dim != c.dim;
            view.slices.push_back({c.dim, c.split, stride[v] * c.every, c.first, c.positions});
        }
    }
    std::sort(view.slices.begin(), view.slices.end(),
              [](const CoreSlice& a, const CoreSlice& b) { return a.dim < b.dim; });
}

/// Whole sticks and equal elements may differ: an extent that the largest stick does not divide.
bool hasRaggedSlices(const Op& op, const Splits& splits) {
    constexpr std::int64_t kLargestStick = 128;
    for (std::size_t v = 0; v < op.loops.size(); ++v) {
        if (splitOf(splits, v) > 1 && op.loops[v].extent % kLargestStick != 0) return true;
    }
    return false;
}

/// A split loop that only the first read moves along leaves partial sums; so does a split of the reduced loop that
/// no index moves along (the sum of an expanded tensor), whose factor the encoding loses.
bool splitsReduction(const Op& op, const Splits& splits) {
    const SplitIndices indices = splitIndices(op);
    for (std::size_t v = 0; v < splits.size(); ++v) {
        if (splits[v] <= 1 || coefficient(*indices.write, v) != 0) continue;
        if (coefficient(*indices.read, v) != 0 || op.loops[v].isReduction) return true;
    }
    return false;
}

}  // namespace

StickUnits stickUnits(const Program& program, const Op& op) {
    StickUnits units;
    units.resize(op.loops.size());
    const auto look = [&](const Access& access) {
        if (!access.buffer.isValid()) return;
        const auto& layout = program.buffers[access.buffer.at()].layout;
        if (!layout || layout->deviceSize.empty()) return;
        const Coordinates device = coordinates(layout->deviceSize, layout->strideMap, op.loops, access.index);
        const std::optional<int> loop = device.back().onlyLoop();
        if (!loop) return;
        std::int64_t& eps = units[static_cast<std::size_t>(*loop)];
        eps = std::max<std::int64_t>(eps, elemsPerStick(layout->dtype));
    };
    for (const Access& read : op.reads)
        look(read);
    look(op.write);
    return units;
}

SplitIndices splitIndices(const Op& op) {
    return {&op.write.index, op.reads.empty() ? &op.write.index : &op.reads.front().index};
}

SplitEncoding encodeSplits(const Splits& splits, const SplitIndices& indices) {
    SplitEncoding out;
    for (std::size_t v = 0; v < splits.size(); ++v) {
        if (splits[v] <= 1) continue;
        const std::int64_t w = coefficient(*indices.write, v);
        const std::int64_t r = coefficient(*indices.read, v);
        if (w != 0) {
            out.output[w] = splits[v];
        } else if (r != 0) {
            out.reduction[r] = splits[v];
        }
    }
    return out;
}

Splits recoverSplits(const SplitEncoding& encoding, const SplitIndices& indices, std::span<const LoopVar> loops) {
    Splits out(loops.size(), 1);
    for (std::size_t v = 0; v < loops.size(); ++v) {
        if (loops[v].extent <= 1) continue;
        const std::int64_t w = coefficient(*indices.write, v);
        const std::int64_t r = coefficient(*indices.read, v);
        const auto& map = w != 0 ? encoding.output : encoding.reduction;
        const auto it = map.find(w != 0 ? w : r);
        if ((w != 0 || r != 0) && it != map.end()) out[v] = it->second;
    }
    return out;
}

bool kAdjacent(bool isMatmul, const Splits& splits, const CoreMapOptions& options) {
    return hasAdjacentK(isMatmul, splits, options);
}

bool kAdjacent(const Op& op, const Splits& splits, const CoreMapOptions& options) {
    return kAdjacent(op.isMatmul(), splits, options);
}

std::vector<std::vector<int>> coreToSlice(const Splits& splits, bool kFirst) {
    const std::int64_t cores = coresOf(splits);
    std::vector<std::vector<int>> table(static_cast<std::size_t>(cores), std::vector<int>(splits.size(), 0));
    std::int64_t before = 1;
    for (std::size_t i = 0; i < splits.size(); ++i) {
        const std::size_t v = loopAt(i, splits.size(), kFirst);
        const std::int64_t s = splitOf(splits, v);
        for (std::int64_t c = 0; c < cores; ++c) {
            table[static_cast<std::size_t>(c)][v] = static_cast<int>(c / before % s);
        }
        before *= s;
    }
    return table;
}

bool PerCoreView::cutsAPart() const {
    return std::any_of(slices.begin(), slices.end(), [](const CoreSlice& s) { return s.positions != 0; });
}

std::vector<std::pair<int, std::int64_t>> PerCoreView::dimsAndSplits() const {
    std::vector<std::pair<int, std::int64_t>> out;
    out.reserve(slices.size());
    for (const CoreSlice& s : slices)
        out.emplace_back(s.dim, s.split);
    return out;
}

std::vector<int> PerCoreView::slotsOf(const CoreSlice& slice) const {
    std::vector<int> slots(static_cast<std::size_t>(cores));
    for (std::size_t c = 0; c < slots.size(); ++c)
        slots[c] = slice.slotOf(static_cast<std::int64_t>(c));
    return slots;
}

PerCoreView perCoreView(const Op& op, const Access& access, const Buffer& buffer, const Splits& splits,
                        std::span<const std::int64_t> stickEps, const CoreMapOptions& options) {
    PerCoreView view;
    view.cores = coresOf(splits);
    if (view.cores == 1 || !buffer.layout) return view;
    const LoopSplits recovered = recoveredSplits(op, splits);
    view.partialReduction = splitsReduction(op, splits);
    const CutLoops cut{op.loops, std::span(recovered.data(), recovered.size()), stickEps,
                       hasAdjacentK(op.isMatmul(), recovered, options)};
    addSlices(*buffer.layout, access.index, cut, view);
    return view;
}

PerCoreView perCoreView(const Program& program, const Op& op, const Access& access, const Splits& splits,
                        const CoreMapOptions& options) {
    const StickUnits units = hasRaggedSlices(op, splits) ? stickUnits(program, op) : StickUnits{};
    return perCoreView(op, access, program.buffers[access.buffer.at()], splits, std::span(units.data(), units.size()),
                       options);
}

PerCoreView perCoreView(const StickLayout& layout, const Index& index, const CutLoops& cut) {
    PerCoreView view;
    view.cores = 1;
    for (const std::int64_t s : cut.splits)
        view.cores *= std::max<std::int64_t>(s, 1);
    if (view.cores > 1) addSlices(layout, index, cut, view);
    return view;
}

std::optional<Splits> splitsForView(const Op& clone, const Buffer& buffer, const PerCoreView& wanted,
                                    const CoreMapOptions& options) {
    if (!buffer.layout || !wanted.representable) return std::nullopt;
    const Index& index = clone.write.index;
    const Coordinates device = coordinates(buffer.layout->deviceSize, buffer.layout->strideMap, clone.loops, index);
    Splits splits(clone.loops.size(), 1);
    for (const CoreSlice& slice : wanted.slices) {
        bool found = false;
        for (std::size_t v = 0; v < clone.loops.size() && !found; ++v) {
            if (splits[v] != 1 || !coordinateMoves(device, static_cast<std::size_t>(slice.dim), v)) continue;
            splits[v] = slice.split;
            found = true;
        }
        if (!found) return std::nullopt;
    }
    if (coresOf(splits) != wanted.cores) return std::nullopt;
    // An identity copy has no other tensor: its stick is that of the buffer.
    StickUnits units;
    units.resize(clone.loops.size());
    if (const auto stick = device.back().onlyLoop())
        units[static_cast<std::size_t>(*stick)] = elemsPerStick(buffer.layout->dtype);
    const PerCoreView own =
        perCoreView(clone, clone.write, buffer, splits, std::span(units.data(), units.size()), options);
    if (!own.sameView(wanted)) return std::nullopt;
    return splits;
}

Bytes perCoreBytes(const Buffer& buffer, const PerCoreView& view) {
    if (!buffer.layout) return 0;
    Bytes sticks = buffer.layout->deviceBytes();
    for (const CoreSlice& s : view.slices)
        sticks /= s.split;
    return sticks;
}

}  // namespace memplan::spyre

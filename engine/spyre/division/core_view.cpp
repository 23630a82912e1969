// SPDX-License-Identifier: Apache-2.0
#include "spyre/division/core_view.h"

#include "base/numeric.h"

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

struct Placed {
    std::size_t dim = 0;
    std::size_t loop = 0;
    std::int64_t split = 1;
};

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
                        const CoreMapOptions& options) {
    PerCoreView view;
    view.cores = coresOf(splits);
    if (view.cores == 1 || !buffer.layout) return view;
    const LoopSplits recovered = recoveredSplits(op, splits);
    view.partialReduction = splitsReduction(op, splits);

    const Coordinates device = coordinates(buffer.layout->deviceSize, buffer.layout->strideMap, op.loops, access.index);
    SmallVector<Placed, 8> placed;
    for (std::size_t v = 0; v < op.loops.size(); ++v) {
        const std::int64_t h = coefficient(access.index, v);
        if (recovered[v] <= 1 || h == 0) continue;
        const auto dim = deviceDimOf(*buffer.layout, device, v, h);
        if (!dim) {
            view.representable = false;
            continue;
        }
        for (const Placed& p : placed)
            view.representable = view.representable && p.dim != *dim;
        if (buffer.layout->deviceSize[*dim] % recovered[v] != 0) view.representable = false;
        placed.push_back({*dim, v, recovered[v]});
    }
    std::sort(placed.begin(), placed.end(), [](const Placed& a, const Placed& b) { return a.dim < b.dim; });
    if (placed.empty()) return view;
    const bool kFirst = hasAdjacentK(op.isMatmul(), recovered, options);
    std::int64_t before = 1;
    LoopSplits stride = recovered;
    for (std::size_t i = 0; i < recovered.size(); ++i) {
        const std::size_t v = loopAt(i, recovered.size(), kFirst);
        stride[v] = std::min(before, view.cores);
        before *= recovered[v];
    }
    for (const Placed& p : placed)
        view.slices.push_back({static_cast<int>(p.dim), p.split, stride[p.loop]});
    return view;
}

std::optional<Splits> splitsForView(const Op& clone, const Buffer& buffer, const PerCoreView& wanted,
                                    const CoreMapOptions& options) {
    if (!buffer.layout || !wanted.representable) return std::nullopt;
    const Index& index = clone.write.index;
    const Coordinates device = coordinates(buffer.layout->deviceSize, buffer.layout->strideMap, clone.loops, index);
    Splits splits(clone.loops.size(), 1);
    for (const auto& [dim, split, stride] : wanted.slices) {
        bool found = false;
        for (std::size_t v = 0; v < clone.loops.size() && !found; ++v) {
            const auto at = deviceDimOf(*buffer.layout, device, v, coefficient(index, v));
            if (splits[v] != 1 || !at || static_cast<int>(*at) != dim) continue;
            splits[v] = split;
            found = true;
        }
        if (!found) return std::nullopt;
    }
    if (coresOf(splits) != wanted.cores) return std::nullopt;
    const PerCoreView own = perCoreView(clone, clone.write, buffer, splits, options);
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

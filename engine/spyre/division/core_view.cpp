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

std::vector<std::size_t> loopOrder(std::size_t count, bool kFirst) {
    std::vector<std::size_t> order;
    if (kFirst) order.push_back(count - 1);
    for (std::size_t v = 0; v + (kFirst ? 1 : 0) < count; ++v)
        order.push_back(v);
    return order;
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
    return isMatmul && options.kFastEmission && splits.size() >= 3 && splits.back() > 1;
}

bool kAdjacent(const Op& op, const Splits& splits, const CoreMapOptions& options) {
    return kAdjacent(op.isMatmul(), splits, options);
}

std::vector<std::vector<int>> coreToSlice(const Splits& splits, bool kFirst) {
    const std::int64_t cores = coresOf(splits);
    std::vector<std::vector<int>> table(static_cast<std::size_t>(cores), std::vector<int>(splits.size(), 0));
    std::int64_t before = 1;
    for (const std::size_t v : loopOrder(splits.size(), kFirst)) {
        const std::int64_t s = splitOf(splits, v);
        for (std::int64_t c = 0; c < cores; ++c) {
            table[static_cast<std::size_t>(c)][v] = static_cast<int>(c / before % s);
        }
        before *= s;
    }
    return table;
}

PerCoreView perCoreView(const Op& op, const Access& access, const Buffer& buffer, const Splits& splits,
                        const CoreMapOptions& options) {
    PerCoreView view;
    view.cores = coresOf(splits);
    if (view.cores == 1 || !buffer.layout) return view;
    const SplitIndices indices = splitIndices(op);
    const SplitEncoding encoding = encodeSplits(splits, indices);
    const Splits recovered = recoverSplits(encoding, indices, op.loops);
    view.partialReduction = !encoding.reduction.empty();

    const Coordinates device = coordinates(buffer.layout->deviceSize, buffer.layout->strideMap, op.loops, access.index);
    std::vector<Placed> placed;
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
    std::int64_t before = 1;
    std::vector<std::int64_t> weight(op.loops.size(), 1);
    for (const std::size_t v : loopOrder(op.loops.size(), kAdjacent(op, recovered, options))) {
        weight[v] = before;
        before *= recovered[v];
    }
    for (const Placed& p : placed) {
        view.slices.emplace_back(static_cast<int>(p.dim), p.split);
        std::vector<int> slots(static_cast<std::size_t>(view.cores));
        for (std::size_t c = 0; c < slots.size(); ++c) {
            slots[c] = static_cast<int>(static_cast<std::int64_t>(c) / weight[p.loop] % p.split);
        }
        view.coreSlots.push_back(std::move(slots));
    }
    return view;
}

std::optional<Splits> splitsForView(const Op& clone, const Buffer& buffer, const PerCoreView& wanted,
                                    const CoreMapOptions& options) {
    if (!buffer.layout || !wanted.representable) return std::nullopt;
    const Index& index = clone.write.index;
    const Coordinates device = coordinates(buffer.layout->deviceSize, buffer.layout->strideMap, clone.loops, index);
    Splits splits(clone.loops.size(), 1);
    for (const auto& [dim, split] : wanted.slices) {
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
    for (const auto& [dim, split] : view.slices)
        sticks /= split;
    return sticks;
}

}  // namespace memplan::spyre

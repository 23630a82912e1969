// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/division/distribute.h"

#include "engine/base/numeric.h"

#include <algorithm>

namespace memplan::spyre {
namespace {

bool contains(const std::vector<int>& list, int value) {
    return std::find(list.begin(), list.end(), value) != list.end();
}

/// Whole-dimension check of k-fast: the sticks of N and K, and the ratio of M to the cores.
bool kFastApplies(std::int64_t m, std::int64_t nSticks, std::int64_t kSticks, std::int64_t cores) {
    if (m < cores || m > 16 * cores) return false;
    if (m > 4 * cores && nSticks >= cores) return false;
    return kSticks >= cores;
}

}  // namespace

Priorities prioritize(const IterationSpace& space, const Splits& committed) {
    Priorities out;
    for (std::size_t v = 0; v < space.loops.size(); ++v) {
        if (splitOf(committed, v) > 1) continue;
        (space.isOutputLoop(v) ? out.outputs : out.reductions).push_back(static_cast<int>(v));
    }
    const auto larger = [&](int a, int b) {
        return space.adjusted[static_cast<std::size_t>(a)] > space.adjusted[static_cast<std::size_t>(b)];
    };
    std::stable_sort(out.outputs.begin(), out.outputs.end(), larger);
    std::stable_sort(out.reductions.begin(), out.reductions.end(), larger);
    return out;
}

Result<Distribution> distribute(const DistributeQuestion& q) {
    Distribution out;
    out.splits.assign(q.adjusted.size(), 1);
    std::int64_t left = q.cores;
    for (std::size_t v = 0; v < q.adjusted.size(); ++v) {
        const std::int64_t c = splitOf(q.committed, v);
        if (c == 1) continue;
        if (contains(q.order.outputs, static_cast<int>(v)) || contains(q.order.reductions, static_cast<int>(v))) {
            return makeError("INT-001", "", "a loop whose split is fixed was offered for distribution again");
        }
        if (left / c == 0) {
            out.skipped.push_back(static_cast<int>(v));
            continue;
        }
        out.splits[v] = c;
        left /= c;
    }
    for (const int v : q.order.outputs) {
        if (left <= 1) break;
        const std::int64_t s = largestDivisorUpTo(q.adjusted[static_cast<std::size_t>(v)], left);
        if (s <= 1) continue;
        out.splits[static_cast<std::size_t>(v)] = s;
        left /= s;
    }
    if (left <= 1) return out;
    std::int64_t best = 1;
    int bestLoop = -1;
    for (const int v : q.order.reductions) {
        const std::int64_t s = largestDivisorUpTo(q.adjusted[static_cast<std::size_t>(v)], left);
        if (s <= best) continue;
        best = s;
        bestLoop = v;
    }
    if (bestLoop >= 0) out.splits[static_cast<std::size_t>(bestLoop)] = best;
    return out;
}

std::optional<Splits> kFastSplits(const IterationSpace& space, std::int64_t cores, const Splits& committed) {
    LoopMask ofOutput = 0;
    const Coordinates& device = space.output().device;
    for (std::size_t d = 0; d < device.size(); ++d)
        ofOutput |= device[d].loops();
    std::vector<std::size_t> outputs;
    std::vector<std::size_t> reductions;
    for (std::size_t v = 0; v < space.loops.size(); ++v) {
        ((ofOutput >> v & 1) != 0 ? outputs : reductions).push_back(v);
    }
    if (outputs.size() != 2 || reductions.size() != 1) return std::nullopt;
    const std::size_t k = reductions[0];
    const bool firstIsN = space.loops[outputs[0]].extent >= space.loops[outputs[1]].extent;
    const std::size_t n = firstIsN ? outputs[0] : outputs[1];
    const std::size_t m = firstIsN ? outputs[1] : outputs[0];
    if (splitOf(committed, k) > 1 || splitOf(committed, m) > 1) return std::nullopt;

    const std::int64_t eps = elemsPerStick(space.output().buffer->layout->dtype);
    if (space.loops[n].extent % eps != 0 || space.loops[k].extent % eps != 0) return std::nullopt;
    const std::int64_t nSticks = space.loops[n].extent / eps;
    const std::int64_t kSticks = space.loops[k].extent / eps;
    if (!kFastApplies(space.loops[m].extent, nSticks, kSticks, cores)) return std::nullopt;
    for (std::int64_t nSlices = cores - 1; nSlices > 1; --nSlices) {
        if (cores % nSlices != 0 || nSticks % nSlices != 0) continue;
        const std::int64_t kSlices = cores / nSlices;
        if (kSticks < kSlices || kSticks % kSlices != 0) continue;
        Splits splits(space.loops.size(), 1);
        splits[n] = nSlices;
        splits[k] = kSlices;
        return splits;
    }
    return std::nullopt;
}

}  // namespace memplan::spyre

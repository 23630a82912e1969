// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/prepare/chunking.h"

#include "engine/base/numeric.h"

#include <algorithm>

namespace memplan::spyre {
namespace {

std::optional<int> hostDimOf(const Buffer& buffer, std::int64_t stride) {
    for (std::size_t d = 0; d < buffer.size.size(); ++d) {
        if (buffer.stride[d] == stride && buffer.size[d] > 1) return static_cast<int>(d);
    }
    return std::nullopt;
}

std::optional<ControllingDim> controllingDim(const Buffer& buffer, int cores) {
    const StickLayout& layout = *buffer.layout;
    for (std::size_t j = 0; j + 1 < layout.deviceSize.size(); ++j) {
        if (layout.strideMap[j] <= 0) continue;
        const std::optional<int> host = hostDimOf(buffer, layout.strideMap[j]);
        if (!host || layout.deviceSize[j] < elemsPerStick(buffer.dtype)) continue;
        ControllingDim out{*host, layout.deviceSize[j], 1, 1};
        for (std::size_t i = j + 1; i < layout.deviceSize.size(); ++i)
            out.innerStride = saturatedMul(out.innerStride, layout.deviceSize[i]);
        out.bestSplit = largestDivisorUpTo(out.deviceSize, std::min<std::int64_t>(cores, out.deviceSize));
        return out;
    }
    return std::nullopt;
}

/// Number of chunks asked for, before it is rounded to whole sticks.
std::int64_t wantedChunks(const ChunkPlan& plan, const ChunkRule& rule, std::int64_t eps) {
    const std::int64_t byTotal = ceilDiv(plan.totalBytes, rule.spanLimit * rule.cores);
    if (!plan.controlling) return std::max<std::int64_t>(1, byTotal);
    const ControllingDim& c = *plan.controlling;
    const std::int64_t bySpan = ceilDiv(plan.perCoreSpan, rule.spanLimit);
    const std::int64_t preview = ceilDiv(ceilDiv(c.deviceSize, eps), std::max<std::int64_t>(byTotal, 1)) * eps;
    const std::int64_t previewSplit = largestDivisorUpTo(preview, std::min<std::int64_t>(rule.cores, preview));
    if (previewSplit > c.bestSplit && byTotal > 1) return byTotal;
    return std::max(bySpan, byTotal);
}

}  // namespace

ChunkPlan planChunks(const Buffer& buffer, const ChunkRule& rule) {
    ChunkPlan plan;
    const Bytes item = hostItemBytes(buffer);
    const std::int64_t eps = elemsPerStick(buffer.dtype);
    plan.totalBytes = item;
    for (const std::int64_t s : buffer.layout->deviceSize)
        plan.totalBytes = saturatedMul(plan.totalBytes, s);
    plan.controlling = controllingDim(buffer, rule.cores);
    plan.needed = plan.totalBytes > rule.spanLimit * rule.cores;
    if (plan.controlling) {
        const ControllingDim& c = *plan.controlling;
        plan.perCoreSpan = saturatedMul(saturatedMul(ceilDiv(c.deviceSize, c.bestSplit), c.innerStride), item);
        plan.needed = plan.needed || plan.perCoreSpan > rule.spanLimit;
    }
    // What controls the span is reported of every buffer; one of a single range is never cut (6.4).
    plan.needed = plan.needed && buffer.size.size() >= 2;
    if (!plan.needed) return plan;

    const auto largest = std::max_element(buffer.size.begin(), buffer.size.end());
    plan.splitDim = plan.controlling ? plan.controlling->hostDim : static_cast<int>(largest - buffer.size.begin());
    const std::int64_t extent = buffer.size[static_cast<std::size_t>(plan.splitDim)];
    const std::int64_t sticks = ceilDiv(extent, eps);
    const std::int64_t perChunk = ceilDiv(sticks, wantedChunks(plan, rule, eps));
    const std::int64_t count = ceilDiv(sticks, perChunk);
    plan.chunk = perChunk * eps;
    plan.extents.push_back(std::min(plan.chunk, extent));
    for (std::int64_t i = 1; i < count; ++i) {
        plan.extents.push_back(std::min(alignUp(extent - i * plan.chunk, eps), plan.chunk));
    }
    return plan;
}

std::int64_t reductionPadding(std::int64_t k, HostType dtype) {
    const std::int64_t eps = elemsPerStick(dtype);
    return (eps - k % eps) % eps;
}

}  // namespace memplan::spyre

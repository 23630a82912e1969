// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/lower/index_range.h"

#include "engine/base/numeric.h"
#include "engine/base/small_vector.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace memplan::spyre {
namespace {

/// Loop extents up to here are walked where no formula gives the largest remainder.
constexpr std::int64_t kWalked = 4096;

using Boundaries = SmallVector<std::int64_t, 8>;

/// Largest value of (step * i) mod bound over i = 0 .. extent - 1; an upper bound of it for long odd walks.
std::int64_t largestRemainder(std::int64_t step, std::int64_t extent, std::int64_t bound) {
    const std::int64_t last = saturatedMul(step, extent - 1);
    if (last < bound) return last;
    const std::int64_t r = step % bound;
    if (r == 0) return 0;
    if (bound % r == 0) return bound - r;
    if (extent > kWalked) return bound - std::gcd(r, bound);
    std::int64_t most = 0;
    for (std::int64_t i = 0, at = 0; i < extent; ++i, at = (at + r) % bound)
        most = std::max(most, at);
    return most;
}

/// Strides of the dimensions that hold more than one position, ascending; equal ones stand for one boundary.
Boundaries boundariesOf(std::span<const StridedDim> dims) {
    Boundaries strides;
    for (const StridedDim& d : dims) {
        if (d.size > 1 && d.stride > 0) strides.push_back(d.stride);
    }
    std::sort(strides.begin(), strides.end());
    strides.resize(static_cast<std::size_t>(std::unique(strides.begin(), strides.end()) - strides.begin()));
    return strides;
}

/// One loop alone: it steps over whole positions of a dimension, and each boundary that it crosses is a whole number
/// of the smaller ones that it moves through.
bool stepsEvenly(const Boundaries& strides, std::int64_t step, std::int64_t extent) {
    const auto above = std::upper_bound(strides.begin(), strides.end(), step);
    if (above == strides.begin()) return false;
    if (step % *(above - 1) != 0) return false;
    const std::int64_t last = saturatedMul(step, extent - 1);
    for (auto next = above; next != strides.end() && *next <= last; ++next) {
        if (*next % *(next - 1) != 0) return false;
    }
    return true;
}

bool fills(std::span<const StridedDim> dims, std::span<const std::int64_t> extents,
           std::span<const std::int64_t> coefficients, std::int64_t offset) {
    if (offset < 0) return false;
    const Boundaries strides = boundariesOf(dims);
    for (std::size_t v = 0; v < extents.size() && v < coefficients.size(); ++v) {
        const std::int64_t step = coefficients[v];
        if (step == 0 || extents[v] <= 1) continue;
        if (step < 0 || !stepsEvenly(strides, step, extents[v])) return false;
    }
    for (const std::int64_t bound : strides) {
        if (bound == 1) continue;
        std::int64_t most = offset % bound;
        for (std::size_t v = 0; v < extents.size() && v < coefficients.size(); ++v) {
            const std::int64_t step = extents[v] > 1 ? coefficients[v] : 0;
            // A step over whole positions of this dimension, or of one above it, leaves nothing below.
            if (step > 0 && step < bound) most = saturatedAdd(most, largestRemainder(step, extents[v], bound));
        }
        if (most >= bound) return false;
    }
    return true;
}

}  // namespace

bool fillsDimensions(std::span<const StridedDim> dims, std::span<const std::int64_t> extents, const Index& index) {
    return fills(dims, extents, index.coefficients, index.offset);
}

bool isPlainIndex(const Buffer& buffer, std::span<const std::int64_t> extents, const Index& index) {
    std::int64_t elements = 1;
    std::vector<StridedDim> dims;
    for (std::size_t d = 0; d < buffer.size.size(); ++d) {
        elements = saturatedMul(elements, buffer.size[d]);
        dims.push_back({buffer.size[d], buffer.stride[d]});
    }
    std::int64_t last = index.offset;
    for (std::size_t v = 0; v < extents.size() && v < index.coefficients.size(); ++v) {
        if (extents[v] > 1) last = saturatedAdd(last, saturatedMul(index.coefficients[v], extents[v] - 1));
    }
    if (last >= std::max<std::int64_t>(elements, 1) || !fillsDimensions(dims, extents, index)) return false;
    const std::int64_t eps = elemsPerStick(buffer.dtype);
    const auto inner = std::find_if(dims.rbegin(), dims.rend(), [](const StridedDim& d) { return d.size > 1; });
    if (inner == dims.rend() || inner->size <= eps) return true;
    // An offset inside a stick is refused with its own words when the stick is looked at; here it moves nothing.
    dims.push_back({ceilDiv(inner->size, eps), inner->stride * eps});
    return fills(dims, extents, index.coefficients, 0);
}

bool fillsLayout(const StickLayout& layout, std::span<const LoopVar> loops, const Index& index) {
    SmallVector<StridedDim, 8> dims;
    for (std::size_t d = 0; d < layout.deviceSize.size() && d < layout.strideMap.size(); ++d)
        dims.push_back({layout.deviceSize[d], layout.strideMap[d]});
    SmallVector<std::int64_t, 8> extents;
    for (const LoopVar& loop : loops)
        extents.push_back(loop.extent);
    return fills({dims.data(), dims.size()}, {extents.data(), extents.size()}, index.coefficients, 0);
}

std::string notPlain(const Program& program, const Op& op) {
    std::vector<std::int64_t> extents;
    for (const LoopVar& loop : op.loops)
        extents.push_back(loop.extent);
    const auto plain = [&](const Access& a) {
        return a.indirect || isPlainIndex(program.buffers[a.buffer.at()], extents, a.index);
    };
    for (const Access& read : op.reads) {
        if (!plain(read)) return program.buffers[read.buffer.at()].name;
    }
    if (op.write.buffer.isValid() && !plain(op.write)) return program.buffers[op.write.buffer.at()].name;
    return {};
}

}  // namespace memplan::spyre

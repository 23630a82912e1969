// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/artefact/access/access.h"

#include "engine/base/numeric.h"
#include "engine/verify/spyre/artefact/access/memory.h"

#include <algorithm>
#include <limits>

namespace memplan::sim::artefact {
namespace {

using std::int64_t;

constexpr int64_t kLargestSpan = int64_t{1} << 44;  ///< bytes of a tensor
constexpr int64_t kMostOffsets = int64_t{1} << 26;

/// Entries along a dimension: elements, or sticks along the stick label.
int64_t entries(int64_t elements, bool isStick, int64_t stickSize) {
    return isStick ? ceilDiv(elements, stickSize) : elements;
}

std::vector<int64_t> offsets(int64_t n, int64_t strideBytes, bool isStick, const Tensor& t) {
    std::vector<int64_t> out(static_cast<std::size_t>(n));
    for (int64_t i = 0; i < n; ++i) {
        out[static_cast<std::size_t>(i)] =
            isStick ? i / t.stickSize * strideBytes + i % t.stickSize * t.wordLength : i * strideBytes;
    }
    return out;
}

}  // namespace

std::optional<std::string> makeAccess(const Descriptor& op, const Tensor& tensor, Access& out) {
    out.width = tensor.wordLength;
    out.stickSize = tensor.stickSize;
    out.offset.assign(op.labels.size(), {});
    out.sliceBytes.assign(op.labels.size(), 0);
    out.limit.assign(op.labels.size(), std::numeric_limits<int64_t>::max());
    int64_t stride = kStickBytes;
    for (const ArgDim& d : tensor.dims) {
        const Label& label = op.labels[static_cast<std::size_t>(d.label)];
        const bool isStick = d.label == tensor.stick;
        const int64_t elements = d.scale != 1 ? 1 : tensor.isLx ? d.perCore : label.extent;
        if (isStick && d.gap % tensor.stickSize != 0) return "a gap ends inside of a stick";
        const int64_t gap = isStick ? d.gap / tensor.stickSize : d.gap;
        const int64_t size = entries(elements, isStick, tensor.stickSize) + gap;
        if (size < 1) return "a gap leaves nothing of a dimension";
        const auto at = static_cast<std::size_t>(d.label);
        if (d.scale == 1) {
            if (d.perCore > kMostOffsets) return "a slice is too large to be walked";
            out.offset[at] = offsets(d.perCore, stride, isStick, tensor);
            out.sliceBytes[at] = saturatedMul(entries(d.perCore, isStick, tensor.stickSize), stride);
            if (gap < 0) out.limit[at] = isStick ? size * tensor.stickSize : size;
            out.highest += out.offset[at].back();
            out.sticks = saturatedMul(out.sticks, entries(label.extent, isStick, tensor.stickSize));
            if (isStick) out.stick = d.label;
        }
        stride = saturatedMul(stride, size);
        if (stride > kLargestSpan) return "the sizes of the tensor leave the memory";
    }
    return std::nullopt;
}

void markRaised(const Descriptor& op, std::vector<Access>& list) {
    for (std::size_t t = 0; t < list.size(); ++t) {
        list[t].sure.clear();
        for (std::size_t l = 0; l < op.labels.size(); ++l) {
            const int64_t own = static_cast<int>(l) == list[t].stick ? list[t].stickSize : 1;
            int64_t most = own;
            for (const Access& a : list) {
                if (a.stick == static_cast<int>(l)) most = std::max(most, a.stickSize);
            }
            const int64_t extent = op.labels[l].extent;
            const bool isRaised = t != op.output && most > own && extent % most == 0;
            list[t].sure.push_back(isRaised ? extent - most + 1 : extent);
        }
    }
}

}  // namespace memplan::sim::artefact

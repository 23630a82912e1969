// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/lower/strided_view.h"

#include "engine/spyre/lower/index_range.h"

#include <algorithm>
#include <numeric>

namespace memplan::spyre {
namespace {

std::int64_t product(std::span<const std::int64_t> values) {
    return std::accumulate(values.begin(), values.end(), std::int64_t{1}, std::multiplies<>());
}

/// One run of view dimensions that moves evenly through memory: extent and innermost stride.
struct Run {
    std::int64_t extent;
    std::int64_t stride;
};

/// Neighbouring dimensions that together form one even run, outermost first; extent 1 is left out.
std::vector<Run> evenRuns(const StridedView& view) {
    std::vector<Run> runs;
    for (std::size_t d = 0; d < view.shape.size(); ++d) {
        if (view.shape[d] == 1) continue;
        const bool continues = !runs.empty() && runs.back().stride == view.strides[d] * view.shape[d];
        if (continues) {
            runs.back() = {runs.back().extent * view.shape[d], view.strides[d]};
        } else {
            runs.push_back({view.shape[d], view.strides[d]});
        }
    }
    return runs;
}

}  // namespace

std::vector<std::int64_t> rowMajorStrides(std::span<const std::int64_t> shape) {
    std::vector<std::int64_t> strides(shape.size(), 1);
    for (std::size_t d = shape.size(); d-- > 1;)
        strides[d - 1] = strides[d] * std::max<std::int64_t>(shape[d], 1);
    return strides;
}

bool StridedView::isDense() const {
    const auto natural = rowMajorStrides(shape);
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if (shape[d] != 1 && strides[d] != natural[d]) return false;
    }
    return true;
}

std::optional<StridedView> reshaped(const StridedView& view, std::vector<std::int64_t> shape) {
    if (product(shape) != product(view.shape)) return std::nullopt;
    StridedView result{view.buffer, std::move(shape), {}, view.offset};
    result.strides.assign(result.shape.size(), 1);
    if (product(result.shape) == 0) return result;
    const std::vector<Run> runs = evenRuns(view);
    std::size_t run = runs.size();
    std::int64_t left = 1;    // extent of the current run not yet used, from its inner end
    std::int64_t stride = 1;  // stride of the next inner dimension
    for (std::size_t d = result.shape.size(); d-- > 0;) {
        const std::int64_t extent = result.shape[d];
        if (extent == 1) continue;
        if (left == 1) {
            if (run == 0) return std::nullopt;
            --run;
            left = runs[run].extent;
            stride = runs[run].stride;
        }
        if (left % extent != 0) return std::nullopt;
        result.strides[d] = stride;
        stride *= extent;
        left /= extent;
    }
    return result;
}

bool readersCanTakeStrides(const StridedView& view, const Buffer& buffer) {
    if (view.isContiguous() && view.shape == buffer.size) return true;
    if (buffer.size.empty()) return true;
    if (!isPlainIndex(buffer, view.shape, {view.strides, view.offset})) return false;
    const std::int64_t eps = elemsPerStick(buffer.dtype);
    const std::int64_t last = std::max<std::int64_t>(buffer.size.back(), 1);
    if (view.offset % last % eps != 0) return false;
    int stickDim = -1;
    for (std::size_t d = 0; d < view.shape.size(); ++d) {
        const std::int64_t stride = view.strides[d];
        if (view.shape[d] == 1 || stride == 0 || stride % last == 0) continue;
        if (stride == 1 && stickDim < 0) {
            // Running past the row would wrap inside the stick.
            if (view.shape[d] > last) return false;
            stickDim = static_cast<int>(d);
            continue;
        }
        // Another dimension inside the row may only step over whole sticks.
        if (stride % eps != 0 || last % eps != 0) return false;
    }
    if (stickDim < 0) return true;
    const auto stickAt = static_cast<std::size_t>(stickDim);
    for (std::size_t d = 0; d < view.shape.size(); ++d) {
        // Beside a dimension that steps over whole sticks the inner one must end on a stick.
        const bool insideRow = view.shape[d] > 1 && view.strides[d] != 0 && view.strides[d] % last != 0 && d != stickAt;
        if (insideRow && view.shape[stickAt] > view.strides[d]) return false;
    }
    std::size_t innermost = view.shape.size();
    while (innermost-- > 0) {
        if (view.shape[innermost] != 1) break;
    }
    if (innermost == stickAt) return true;
    return view.shape[stickAt] % eps == 0 && view.shape[innermost] % eps == 0;
}

}  // namespace memplan::spyre

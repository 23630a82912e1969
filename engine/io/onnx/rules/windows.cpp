// SPDX-License-Identifier: Apache-2.0
#include "engine/io/onnx/rules/windows.h"

#include "engine/base/numeric.h"
#include "engine/base/text.h"

#include <algorithm>

namespace memplan::io::onnx {

namespace {

/// Numbers above this cannot belong to a real window and would overflow the formulas.
constexpr std::int64_t kLargest = std::int64_t{1} << 40;

void checkRange(const NodeContext& c, const std::vector<std::int64_t>& list, std::int64_t least, const char* name) {
    for (const std::int64_t v : list) {
        if (v >= least && v <= kLargest) continue;
        c.failShape(std::string("\"") + name + "\" has the number " + std::to_string(v));
    }
}

Windows::Auto autoMode(const NodeContext& c) {
    const std::string mode = c.attrText("auto_pad", "NOTSET");
    if (mode == "SAME_UPPER") return Windows::Auto::SameUpper;
    if (mode == "SAME_LOWER") return Windows::Auto::SameLower;
    if (mode == "VALID") return Windows::Auto::Valid;
    if (mode == "NOTSET" || mode.empty()) return Windows::Auto::NotSet;
    c.failShape("auto_pad " + text::quoted(mode) + " is unknown");
}

std::int64_t floorDiv(std::int64_t a, std::int64_t b) {
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

/// Span of a window: (k - 1) x dilation + 1; at most 2^80 would overflow, hence the check.
std::int64_t reach(const NodeContext& c, const Windows& w, std::size_t i) {
    const auto spread = checkedMul(w.kernel[i] - 1, w.dilation[i]);
    if (!spread || *spread > kLargest) c.failShape("the window of axis " + std::to_string(i) + " is too large");
    return *spread + 1;
}

std::int64_t ceilDivUp(std::int64_t a, std::int64_t b) {
    return -floorDiv(-a, b);
}

std::int64_t extentOf(const NodeContext& c, const Windows& w, std::size_t i, std::int64_t n) {
    const std::int64_t k = reach(c, w, i);
    const std::int64_t s = w.stride[i];
    switch (w.mode) {
    case Windows::Auto::SameUpper:
    case Windows::Auto::SameLower:
        return ceilDivUp(n, s);
    case Windows::Auto::Valid:
        return ceilDivUp(n - k + 1, s);
    case Windows::Auto::NotSet:
        break;
    }
    const std::int64_t room = n + w.padBegin[i] + w.padEnd[i] - k;
    if (!w.ceilMode) return floorDiv(room, s) + 1;
    std::int64_t out = ceilDivUp(room, s) + 1;
    // A window that would start inside the end padding is left out.
    if ((out - 1) * s >= n + w.padBegin[i]) --out;
    return out;
}

}  // namespace

Windows readWindows(const NodeContext& c, std::size_t spatial, const Shape* weight) {
    Windows w;
    if (weight != nullptr && !c.attrInts("kernel_shape")) {
        w.kernel.assign(weight->end() - static_cast<std::ptrdiff_t>(spatial), weight->end());
    } else {
        if (weight == nullptr && !c.attrInts("kernel_shape")) c.failShape("the attribute \"kernel_shape\" is missing");
        w.kernel = c.attrIntsOf("kernel_shape", spatial, 1);
    }
    w.stride = c.attrIntsOf("strides", spatial, 1);
    w.dilation = c.attrIntsOf("dilations", spatial, 1);
    const std::vector<std::int64_t> pads = c.attrIntsOf("pads", 2 * spatial, 0);
    w.padBegin.assign(pads.begin(), pads.begin() + static_cast<std::ptrdiff_t>(spatial));
    w.padEnd.assign(pads.begin() + static_cast<std::ptrdiff_t>(spatial), pads.end());
    w.mode = autoMode(c);
    checkRange(c, w.kernel, weight == nullptr ? 1 : 0, "kernel_shape");
    checkRange(c, w.stride, 1, "strides");
    checkRange(c, w.dilation, 1, "dilations");
    checkRange(c, pads, -kLargest, "pads");
    return w;
}

Shape windowedExtents(const NodeContext& c, const Windows& w, const Shape& in) {
    Shape out;
    for (std::size_t i = 0; i < in.size(); ++i) {
        const std::int64_t extent = extentOf(c, w, i, in[i]);
        if (extent < 0 || (extent == 0 && in[i] > 0)) {
            c.failShape("the window of axis " + std::to_string(i) + " (kernel " + std::to_string(w.kernel[i]) +
                        ", dilation " + std::to_string(w.dilation[i]) + ") does not fit into " + std::to_string(in[i]));
        }
        out.push_back(extent);
    }
    return out;
}

Shape transposedExtents(const NodeContext& c, const Windows& w, const Shape& in) {
    const auto outputShape = c.attrInts("output_shape");
    if (outputShape && !outputShape->empty()) {
        // Some exporters write the batch and channel extents too.
        if (outputShape->size() == in.size() + 2) return Shape(outputShape->begin() + 2, outputShape->end());
        return c.attrIntsOf("output_shape", in.size(), 0);
    }
    const std::vector<std::int64_t> extra = c.attrIntsOf("output_padding", in.size(), 0);
    checkRange(c, extra, 0, "output_padding");
    Shape out;
    for (std::size_t i = 0; i < in.size(); ++i) {
        const bool sameMode = w.mode == Windows::Auto::SameUpper || w.mode == Windows::Auto::SameLower;
        const std::int64_t pads = w.mode == Windows::Auto::NotSet ? w.padBegin[i] + w.padEnd[i] : 0;
        if (sameMode)
            out.push_back(c.times(in[i], w.stride[i]));
        else
            out.push_back(c.times(w.stride[i], std::max<std::int64_t>(in[i] - 1, 0)) + extra[i] + reach(c, w, i) -
                          pads);
        if (out.back() < 1 && in[i] > 0)
            c.failShape("axis " + std::to_string(i) + " of the output would have " + std::to_string(out.back()) +
                        " elements");
    }
    return out;
}

}  // namespace memplan::io::onnx

// SPDX-License-Identifier: Apache-2.0
// Sliding windows of convolutions and pools, one spatial axis at a time (inputs-and-interchange 3.4).
#pragma once

#include "engine/io/onnx/rules/context.h"

#include <cstdint>
#include <vector>

namespace memplan::io::onnx {

struct Windows {
    std::vector<std::int64_t> kernel, stride, dilation, padBegin, padEnd;
    enum class Auto { NotSet, SameUpper, SameLower, Valid } mode = Auto::NotSet;
    bool ceilMode = false;
};

/// Attributes kernel_shape, strides, dilations, pads, auto_pad of a node with `spatial` axes;
/// `weight` gives the kernel when kernel_shape is absent. ONNX-042 for zero or negative numbers.
[[nodiscard]] Windows readWindows(const NodeContext& c, std::size_t spatial, const Shape* weight);
/// Extents of the output for spatial extents `in`. ONNX-042 when the window does not fit.
[[nodiscard]] Shape windowedExtents(const NodeContext& c, const Windows& w, const Shape& in);
/// Extents of a transposed convolution.
[[nodiscard]] Shape transposedExtents(const NodeContext& c, const Windows& w, const Shape& in);

}  // namespace memplan::io::onnx

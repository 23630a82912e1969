// SPDX-License-Identifier: Apache-2.0
// Operators that move elements: the parameters that both their shapes and their folding need.
#pragma once

#include "engine/io/onnx/rules/context.h"

#include <cstdint>
#include <vector>

namespace memplan::io::onnx {

/// One sliced axis after clamping: `count` elements from `start` in steps of `step` (not 0).
struct SliceAxis {
    std::size_t axis = 0;
    std::int64_t start = 0, step = 1, count = 0;
};

/// Sliced axes of a Slice node; attributes until opset 9, inputs from 10 (inputs-and-interchange 3.4).
[[nodiscard]] std::vector<SliceAxis> slicedAxes(const NodeContext& c);

/// Axis and extents of a Split node's outputs.
struct SplitPlan {
    std::size_t axis = 0;
    std::vector<std::int64_t> sizes;
};
[[nodiscard]] SplitPlan splitPlan(const NodeContext& c);

/// Output axis i reads input axis perm[i].
[[nodiscard]] std::vector<std::size_t> permutation(const NodeContext& c);
/// Axes of Squeeze and Unsqueeze: attribute until opset 12, second input from 13; nullopt = not given.
[[nodiscard]] std::optional<std::vector<std::int64_t>> axesOf(const NodeContext& c);
/// Repeats of a Tile node, one per axis.
[[nodiscard]] std::vector<std::int64_t> tileRepeats(const NodeContext& c);

}  // namespace memplan::io::onnx

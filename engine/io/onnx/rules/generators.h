// SPDX-License-Identifier: Apache-2.0
// What the shapes and the folding of Shape and Range share.
#pragma once

#include "engine/io/onnx/rules/context.h"

namespace memplan::io::onnx {

/// Axes [from, to) of its input that a Shape node returns (attributes from opset 15).
struct ShapeSlice {
    std::size_t from = 0, to = 0;
};
[[nodiscard]] ShapeSlice shapeSlice(const NodeContext& c);

/// Elements of a Range node, 0 for an empty one; ONNX-041 when an input is unknown.
[[nodiscard]] std::int64_t rangeCount(const NodeContext& c);

}  // namespace memplan::io::onnx

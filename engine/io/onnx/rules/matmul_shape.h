// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/io/onnx/rules/context.h"

namespace memplan::io::onnx {

/// Shape of a matrix product by the usual rules for rank 1 and batch broadcasting; ONNX-042 when the
/// inner extents differ.
[[nodiscard]] Shape matmulShape(const NodeContext& c, Shape a, Shape b);
/// The same shape with its last two axes exchanged.
[[nodiscard]] Shape swappedLast(const NodeContext& c, Shape shape);

}  // namespace memplan::io::onnx

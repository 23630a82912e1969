// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/io/onnx/rules/context.h"

namespace memplan::io::onnx {

/// Axes that a Reduce* node removes, ascending, by the opset's own source (attribute or second input).
[[nodiscard]] std::vector<std::size_t> reducedAxes(const NodeContext& c);

}  // namespace memplan::io::onnx

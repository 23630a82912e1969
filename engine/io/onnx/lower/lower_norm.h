// SPDX-License-Identifier: Apache-2.0
// Parts that the normalisations share (inputs-and-interchange 6).
#pragma once

#include "engine/io/onnx/lower/lowering.h"

namespace memplan::io::onnx {

/// (x - mean) * rsqrt(mean((x - mean)^2) + eps), without scale and shift: seven parts.
TensorId normalised(Lowering& l, TensorId x, const std::set<int>& axes, double epsilon);
/// times gamma (plus beta when valid) into the node's first output.
void scaleAndShift(Lowering& l, TensorId x, TensorId gamma, TensorId beta);
bool lowerGroupNorm(Lowering& l);
bool lowerEmbedNorm(Lowering& l);

}  // namespace memplan::io::onnx

// SPDX-License-Identifier: Apache-2.0
// Weights of rewritten Linears. Each works on sizes alone where the graph carries no tensors.
#pragma once

#include "engine/torchwright/graph/node.h"

namespace memplan::torchwright {

[[nodiscard]] TensorPtr tensorOf(Tensor tensor);
[[nodiscard]] TensorPtr identityMatrix(Columns size);
/// rows x columns, all the same value.
[[nodiscard]] TensorPtr filledMatrix(Columns rows, Columns columns, float value);
[[nodiscard]] TensorPtr vectorOf(const std::vector<float>& values);
/// The rows of one below the rows of the other; as many columns.
[[nodiscard]] TensorPtr stackedRows(const std::vector<TensorPtr>& parts);
/// The matrices on the diagonal, zeros elsewhere.
[[nodiscard]] TensorPtr blockDiagonal(const std::vector<TensorPtr>& parts);
[[nodiscard]] TensorPtr rowsOf(const Tensor& matrix, std::int64_t first, std::int64_t count);
[[nodiscard]] TensorPtr sum(const Tensor& a, const Tensor& b);
/// Rows [first, first + count) are 1 on their diagonal, the others zero: takes a part of a value.
[[nodiscard]] TensorPtr partMatrix(Columns rows, Columns first, Columns count);

/// x as it is: an identity that needs no operation of its own inside a larger matrix.
[[nodiscard]] LinearData passedThrough(Columns width, bool withTensors);
/// Affine maps whose results are added: one over the values side by side.
[[nodiscard]] LinearData summedMaps(const std::vector<LinearData>& maps);

}  // namespace memplan::torchwright

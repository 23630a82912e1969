// SPDX-License-Identifier: Apache-2.0
// Evaluating small computations so that shapes become numbers (inputs-and-interchange 3.4 rule 2).
#pragma once

#include "engine/io/onnx/rules/context.h"

#include <optional>
#include <string_view>
#include <vector>

namespace memplan::io::onnx {

/// One entry per output; nullopt = unknown.
using FoldedOutputs = std::vector<std::optional<FoldedValue>>;

/// Operators of the folding set, standard domain.
[[nodiscard]] bool isFoldable(std::string_view op);

/// Values of the outputs of a node of the folding set whose shapes are set and whose present inputs all
/// have values (Shape and Size need shapes only). Outputs above the element limit stay unknown.
/// ONNX-042 for an index out of range.
[[nodiscard]] FoldedOutputs foldNode(const NodeContext& c);

// Families, used by foldNode.
[[nodiscard]] std::optional<FoldedValue> foldArithmetic(const NodeContext& c);
[[nodiscard]] std::optional<FoldedValue> foldReduce(const NodeContext& c);
[[nodiscard]] FoldedOutputs foldMovement(const NodeContext& c);

/// For each element of `out` in row order, its position in a tensor of shape `in` under broadcasting.
[[nodiscard]] std::vector<std::size_t> broadcastPositions(const Shape& in, const Shape& out);
/// Positions base + sum(index_d x stride_d) for every index of `out` in row order.
[[nodiscard]] std::vector<std::size_t> stridedPositions(const Shape& out, const std::vector<std::int64_t>& strides,
                                                        std::int64_t base);
[[nodiscard]] std::vector<std::int64_t> rowStrides(const Shape& shape);
/// The elements at `positions`.
[[nodiscard]] FoldedValue takeElements(const FoldedValue& value, const std::vector<std::size_t>& positions);

}  // namespace memplan::io::onnx

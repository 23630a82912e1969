// SPDX-License-Identifier: Apache-2.0
// Matmul and linear (ttnn-optimizer 9.4).
#pragma once

#include "engine/verify/ttnn/demand.h"
#include "engine/verify/ttnn/op_facts.h"

namespace memplan::verify::ttnn {

[[nodiscard]] Demand matmulDemand(const OpFacts& op, bool conservative);

/// What is multiplied, by the operands: the result that a module states may contradict them.
struct Factors {
    std::int64_t rows = 1, cols = 1, inner = 1;  ///< M, N, K
    std::int64_t batchOfA = 1, batchOfB = 1;
};
[[nodiscard]] Factors factorsOf(const OpFacts& op);

/// The product that an operation is: extents in tiles.
struct Product {
    const Tensor& a;
    const Tensor& b;
    const Tensor& out;
    std::int64_t rows, cols, inner;  ///< Mt, Nt, Kt
    bool isTransposed = false;       ///< operand A
    std::int64_t batchOfB = 1;
    Bytes tileOfA = 0, tileOfB = 0, tileOfOut = 0;  ///< bytes of one of its tiles
    Bytes biasTile = 0;                             ///< 0 without a bias
};
[[nodiscard]] Demand productDemand(const OpFacts& op, const Product& product, bool conservative);

}  // namespace memplan::verify::ttnn

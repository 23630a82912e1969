// SPDX-License-Identifier: Apache-2.0
// The program of a matmul for a sharded output (ttnn-optimizer 3.4).
#pragma once

#include "engine/ttnn/machine/op_config.h"

#include <cstdint>
#include <optional>

namespace memplan::ttnn {

/// Sizes in elements; `isBatchFused`: all batch dimensions of operand B are 1.
struct MatmulSizes {
    std::int64_t m = 1, n = 1, k = 1;
    bool isBatchFused = true;
};

/// None for an output that is not sharded in L1, and where the batch is not fused.
[[nodiscard]] std::optional<MatmulProgram> matmulProgram(const MatmulSizes& sizes, const Layout& output,
                                                         const ComputeConfig& compute);
/// Largest divisor of `value` that is at most `most`; 1 where there is none.
[[nodiscard]] std::int64_t largestDivisor(std::int64_t value, std::int64_t most);

}  // namespace memplan::ttnn

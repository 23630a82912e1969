// SPDX-License-Identifier: Apache-2.0
// Kinds of operations that chains, solver and merges treat each in its way (ttnn-optimizer 4.1, 4.2, 5.2, 6.1, 6.2).
#pragma once

#include "engine/ttnn/module/module.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace memplan::ttnn {

/// Kinds that may stand in a chain (4.2), without their dialect.
[[nodiscard]] std::span<const std::string_view> shardableKinds();
[[nodiscard]] bool isShardable(const Operation& operation);
/// Operations of TTNN but for `empty` and `get_device` (4.1).
[[nodiscard]] bool isSchedulable(const Operation& operation);

[[nodiscard]] bool isConcat(const Operation& operation);
[[nodiscard]] bool isConvolution(const Operation& operation);  ///< conv2d, conv_transpose2d
[[nodiscard]] bool isMatmul(const Operation& operation);       ///< matmul, linear
[[nodiscard]] bool isConversion(const Operation& operation);   ///< to_layout, to_memory_config
/// Kinds that may not be given a sharded resident (6.1): mean, sum, min, max.
[[nodiscard]] bool isReduction(const Operation& operation);
/// A matmul or linear whose output is asked for by buffer and memory layout only (5.2, 5.3, 6.4).
[[nodiscard]] bool isAskedWithoutGrid(const Operation& operation);

/// Core-shrink rule (5.5, 6.1): an addition, multiplication or minimum with sharded output may not use fewer cores than
/// its sharded inputs. Cores of an operand that is not sharded: 0.
[[nodiscard]] bool shrinksCores(std::string_view kind, std::int64_t outputCores, std::int64_t lhsCores,
                                std::int64_t rhsCores);
/// Memory layout that the inputs of a concatenation need (6.2); none where there is no such layout.
[[nodiscard]] std::optional<MemLayout> concatInputLayout(std::int64_t dim, std::int64_t rank);
/// The same for an operation: from its `dim` and the rank of its result.
[[nodiscard]] std::optional<MemLayout> concatInputLayout(const Function& function, const Operation& operation);

}  // namespace memplan::ttnn

// SPDX-License-Identifier: Apache-2.0
// A function that a solution was applied to (ttnn-optimizer 7): the operations in their new order with their layouts,
// and what was inserted, with its reason.
#pragma once

#include "engine/ttnn/machine/chains.h"
#include "engine/ttnn/machine/op_config.h"
#include "engine/ttnn/module/module.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace memplan::ttnn {

/// Why a conversion stands in the graph: a reshard of 5.4, 8.3 or 12.3, a spill to DRAM, a spill to interleaved L1.
enum class ConversionKind : std::uint8_t { Forced, Override, Proactive, Spill, ToL1 };
[[nodiscard]] std::string_view wordOf(ConversionKind kind);  // "forced", "spill", "to_l1_interleaved"
/// One of the three reshards, not a spill.
[[nodiscard]] constexpr bool isReshard(ConversionKind kind) {
    return kind != ConversionKind::Spill && kind != ConversionKind::ToL1;
}

struct Conversion {
    OperationId op;  ///< that converts: inserted, or one of the input whose result type was changed in place
    ConversionKind kind = ConversionKind::Forced;
    ValueId value;         ///< of the input that is converted
    OperationId consumer;  ///< of a reshard; none for spills
    int operand = -1;      ///< of that consumer
    bool isInPlace = false;
    friend bool operator==(const Conversion&, const Conversion&) = default;
};

struct Transformed {
    /// Ids of the input's operations and values stay; those that were inserted follow them. `order` is the new one.
    Function function;
    /// By OperationId of `function`: what was applied. No output for operations without a tensor with a layout.
    std::vector<OpConfig> configs;
    std::vector<Conversion> conversions;  ///< in the order of the function
    std::vector<OperationId> upgraded;    ///< to interleaved L1 (7.1), in the order of the function
};

}  // namespace memplan::ttnn

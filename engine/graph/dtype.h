// SPDX-License-Identifier: Apache-2.0
// Element types of the neutral graph (inputs-and-interchange 2.2).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace memplan {

enum class DType {
    F64,
    F32,
    TF32,
    F16,
    BF16,
    F8E4M3,
    F8E5M2,
    F4,
    I64,
    I32,
    I16,
    I8,
    I4,
    U64,
    U32,
    U16,
    U8,
    U4,
    Bool,
    BFP8,
    BFP4,
    Str
};

[[nodiscard]] std::string_view dtypeName(DType t);  ///< "f16", "bool", ...
[[nodiscard]] std::optional<DType> dtypeFromName(std::string_view name);
/// Bits of one element in a host tensor; 0 for Str, and for the block formats BFP8 and BFP4, whose
/// sizes depend on the shape (16 elements share one exponent byte).
[[nodiscard]] int dtypeBits(DType t);

}  // namespace memplan

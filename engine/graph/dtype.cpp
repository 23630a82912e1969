// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/dtype.h"

#include <algorithm>
#include <array>

namespace memplan {

namespace {

struct DTypeRow {
    DType type;
    std::string_view name;
    int bits;
};

constexpr std::array kTypes = {
    DTypeRow{DType::F64, "f64", 64},      DTypeRow{DType::F32, "f32", 32},   DTypeRow{DType::TF32, "tf32", 32},
    DTypeRow{DType::F16, "f16", 16},      DTypeRow{DType::BF16, "bf16", 16}, DTypeRow{DType::F8E4M3, "f8e4m3", 8},
    DTypeRow{DType::F8E5M2, "f8e5m2", 8}, DTypeRow{DType::F4, "f4", 4},      DTypeRow{DType::I64, "i64", 64},
    DTypeRow{DType::I32, "i32", 32},      DTypeRow{DType::I16, "i16", 16},   DTypeRow{DType::I8, "i8", 8},
    DTypeRow{DType::I4, "i4", 4},         DTypeRow{DType::U64, "u64", 64},   DTypeRow{DType::U32, "u32", 32},
    DTypeRow{DType::U16, "u16", 16},      DTypeRow{DType::U8, "u8", 8},      DTypeRow{DType::U4, "u4", 4},
    DTypeRow{DType::Bool, "bool", 8},     DTypeRow{DType::BFP8, "bfp8", 0},  DTypeRow{DType::BFP4, "bfp4", 0},
    DTypeRow{DType::Str, "str", 0},
};

const DTypeRow& rowOf(DType t) {
    return *std::find_if(kTypes.begin(), kTypes.end(), [t](const DTypeRow& r) { return r.type == t; });
}

}  // namespace

std::string_view dtypeName(DType t) {
    return rowOf(t).name;
}

std::optional<DType> dtypeFromName(std::string_view name) {
    const auto row = std::find_if(kTypes.begin(), kTypes.end(), [name](const DTypeRow& r) { return r.name == name; });
    if (row == kTypes.end()) return std::nullopt;
    return row->type;
}

int dtypeBits(DType t) {
    return rowOf(t).bits;
}

}  // namespace memplan

// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/program.h"

#include <algorithm>

namespace memplan::spyre {
namespace {

struct TypeRow {
    HostType type;
    std::string_view name;
    int itemBytes;
    std::string_view format;
    int elemsPerStick;
};

// spyre-layouts-and-work-division 2.1. Elements per stick belong to the device format, never to the
// host type: bool and int64 are the traps.
constexpr TypeRow kTypes[] = {
    {HostType::Float16, "float16", 2, "SEN169_FP16", 64}, {HostType::BFloat16, "bfloat16", 2, "SEN169_FP16", 64},
    {HostType::Bool, "bool", 1, "SEN169_FP16", 64},       {HostType::Float32, "float32", 4, "IEEE_FP32", 32},
    {HostType::Int32, "int32", 4, "IEEE_INT32", 32},      {HostType::Int64, "int64", 8, "IEEE_INT32", 32},
    {HostType::Int8, "int8", 1, "SENINT8", 128},          {HostType::Float8E4M3, "float8_e4m3fn", 1, "SEN143_FP8", 128},
};

const TypeRow& row(HostType t) {
    return kTypes[static_cast<std::size_t>(t)];
}

}  // namespace

std::string_view hostTypeName(HostType t) {
    return row(t).name;
}

std::optional<HostType> hostTypeFromName(std::string_view name) {
    for (const TypeRow& r : kTypes) {
        if (r.name == name) return r.type;
    }
    if (name == "float8_e4m3" || name == "float8 e4m3") return HostType::Float8E4M3;
    return std::nullopt;
}

int hostItemBytes(HostType t) {
    return row(t).itemBytes;
}

std::string_view deviceFormat(HostType t) {
    return row(t).format;
}

int elemsPerStick(HostType t) {
    return row(t).elemsPerStick;
}

std::optional<HostType> hostTypeFor(DType t) {
    switch (t) {
    case DType::F16:
        return HostType::Float16;
    case DType::BF16:
        return HostType::BFloat16;
    case DType::Bool:
        return HostType::Bool;
    case DType::F64:
    case DType::F32:
    case DType::TF32:
        return HostType::Float32;
    case DType::I64:
    case DType::U64:
        return HostType::Int64;
    case DType::I32:
    case DType::U32:
    case DType::I16:
    case DType::U16:
        return HostType::Int32;
    case DType::I8:
    case DType::I4:
    case DType::U8:
    case DType::U4:
        return HostType::Int8;
    case DType::F8E4M3:
    case DType::F8E5M2:
    case DType::F4:
    case DType::BFP8:
    case DType::BFP4:
        return HostType::Float8E4M3;
    case DType::Str:
        break;
    }
    return std::nullopt;
}

Bytes hostItemBytes(const Buffer& buffer) {
    // A buffer that stands for no tensor of a graph has its stored type alone.
    if (hostTypeFor(buffer.graphDType) != buffer.dtype) return hostItemBytes(buffer.dtype);
    return std::max(1, dtypeBits(buffer.graphDType) / 8);
}

Bytes StickLayout::deviceBytes() const {
    Bytes sticks = 1;
    for (std::size_t i = 0; i + 1 < deviceSize.size(); ++i)
        sticks *= deviceSize[i];
    return sticks * 128;
}

std::int64_t Program::coresOf(OpId op) const {
    if (op.at() >= divisions.size()) return 1;
    std::int64_t cores = 1;
    for (const std::int64_t s : divisions[op.at()].splits)
        cores *= s;
    return cores;
}

}  // namespace memplan::spyre

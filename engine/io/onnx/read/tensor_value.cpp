// SPDX-License-Identifier: Apache-2.0
#include "engine/io/onnx/read/tensor_value.h"

#include "engine/io/onnx/read/wire.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>

namespace memplan::io::onnx {

namespace {

struct ElemTypeInfo {
    const char* name;
    std::optional<DType> dtype;
};

const std::array<ElemTypeInfo, 27>& elemTypes() {
    static const std::array<ElemTypeInfo, 27> kTable{{
        {"undefined", std::nullopt},
        {"float", DType::F32},
        {"uint8", DType::U8},
        {"int8", DType::I8},
        {"uint16", DType::U16},
        {"int16", DType::I16},
        {"int32", DType::I32},
        {"int64", DType::I64},
        {"string", DType::Str},
        {"bool", DType::Bool},
        {"float16", DType::F16},
        {"double", DType::F64},
        {"uint32", DType::U32},
        {"uint64", DType::U64},
        {"complex64", std::nullopt},
        {"complex128", std::nullopt},
        {"bfloat16", DType::BF16},
        {"float8e4m3fn", DType::F8E4M3},
        {"float8e4m3fnuz", DType::F8E4M3},
        {"float8e5m2", DType::F8E5M2},
        {"float8e5m2fnuz", DType::F8E5M2},
        {"uint4", DType::U4},
        {"int4", DType::I4},
        {"float4e2m1", DType::F4},
        {"float8e8m0", DType::U8},
        {"uint2", std::nullopt},
        {"int2", std::nullopt},
    }};
    return kTable;
}

double halfToDouble(std::uint16_t h) {
    const int exponent = (h >> 10) & 31;
    const int fraction = h & 1023;
    const double sign = (h & 0x8000) != 0 ? -1.0 : 1.0;
    if (exponent == 31) return fraction != 0 ? std::nan("") : sign * HUGE_VAL;
    if (exponent == 0) return sign * std::ldexp(fraction, -24);
    return sign * std::ldexp(1024 + fraction, exponent - 25);
}

template <class T> T load(const char* at) {
    T value;
    std::memcpy(&value, at, sizeof(T));
    return value;
}

bool foldable(int elemType) {
    return elemType == kInt64 || elemType == kInt32 || elemType == kBool || elemType == kFloat ||
           elemType == kFloat16 || elemType == kDouble;
}

std::size_t elementBytes(int elemType) {
    switch (elemType) {
    case kInt64:
    case kDouble:
        return 8;
    case kInt32:
    case kFloat:
        return 4;
    case kFloat16:
        return 2;
    default:
        return 1;
    }
}

double realAt(int elemType, const char* at) {
    if (elemType == kFloat) return static_cast<double>(load<float>(at));
    if (elemType == kFloat16) return halfToDouble(load<std::uint16_t>(at));
    return load<double>(at);
}

std::int64_t integerAt(int elemType, const char* at) {
    if (elemType == kInt64) return load<std::int64_t>(at);
    if (elemType == kInt32) return load<std::int32_t>(at);
    return *at != 0 ? 1 : 0;
}

// raw_data is little endian, and so is every machine this program runs on.
std::optional<FoldedValue> fromRaw(const TensorProto& tensor, std::size_t elements) {
    static_assert(std::endian::native == std::endian::little);
    const std::size_t width = elementBytes(tensor.dataType);
    if (tensor.raw.size() != width * elements) return std::nullopt;
    if (isFloating(tensor.dataType)) {
        std::vector<double> reals(elements);
        for (std::size_t i = 0; i < elements; ++i)
            reals[i] = realAt(tensor.dataType, tensor.raw.data() + i * width);
        return FoldedValue(std::move(reals));
    }
    std::vector<std::int64_t> integers(elements);
    for (std::size_t i = 0; i < elements; ++i)
        integers[i] = integerAt(tensor.dataType, tensor.raw.data() + i * width);
    return FoldedValue(std::move(integers));
}

std::uint32_t typedField(int elemType) {
    switch (elemType) {
    case kFloat:
        return 4;
    case kInt64:
        return 7;
    case kDouble:
        return 10;
    default:
        return 5;
    }
}

/// The typed data field of the tensor's type as raw numbers: bit patterns of reals, values of integers.
std::vector<std::int64_t> typedNumbers(const TensorProto& tensor) {
    const std::uint32_t field = typedField(tensor.dataType);
    const std::size_t width = field == 4 ? 4 : 8;
    const bool fixed = field == 4 || field == 10;
    std::vector<std::int64_t> numbers;
    const auto pushFixed = [&](const char* at) {
        numbers.push_back(width == 4 ? static_cast<std::int64_t>(load<std::uint32_t>(at)) : load<std::int64_t>(at));
    };
    protozero::pbf_reader reader{tensor.body};
    while (reader.next()) {
        if (reader.tag() != field) {
            reader.skip();
        } else if (reader.wire_type() == protozero::pbf_wire_type::varint) {
            numbers.push_back(reader.get_int64());
        } else if (reader.wire_type() == protozero::pbf_wire_type::fixed32) {
            numbers.push_back(static_cast<std::int64_t>(reader.get_fixed32()));
        } else if (reader.wire_type() == protozero::pbf_wire_type::fixed64) {
            numbers.push_back(static_cast<std::int64_t>(reader.get_fixed64()));
        } else {
            const std::string_view run = reader.get_view();
            const char* at = run.data();
            const char* const end = at + run.size();
            if (fixed)
                for (; end - at >= static_cast<std::ptrdiff_t>(width); at += width)
                    pushFixed(at);
            else
                while (at != end)
                    numbers.push_back(static_cast<std::int64_t>(protozero::decode_varint(&at, end)));
        }
    }
    return numbers;
}

double realOfBits(int elemType, std::int64_t bits) {
    if (elemType == kFloat) return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    if (elemType == kFloat16) return halfToDouble(static_cast<std::uint16_t>(bits));
    return std::bit_cast<double>(bits);
}

std::optional<FoldedValue> fromTyped(const TensorProto& tensor, std::size_t elements) {
    if (tensor.typedCount != static_cast<std::int64_t>(elements)) return std::nullopt;
    std::vector<std::int64_t> numbers;
    try {
        numbers = typedNumbers(tensor);
    } catch (const protozero::exception&) {
        return std::nullopt;
    }
    if (numbers.size() != elements) return std::nullopt;
    if (!isFloating(tensor.dataType)) {
        return convertTo(FoldedValue(std::move(numbers)), tensor.dataType);
    }
    std::vector<double> reals;
    reals.reserve(elements);
    for (const std::int64_t bits : numbers)
        reals.push_back(realOfBits(tensor.dataType, bits));
    return FoldedValue(std::move(reals));
}

std::int64_t wrapInteger(std::int64_t v, int elemType) {
    switch (elemType) {
    case kBool:
        return v != 0 ? 1 : 0;
    case kInt32:
        return static_cast<std::int32_t>(v);
    case kUint32:
        return static_cast<std::uint32_t>(v);
    case kInt16:
        return static_cast<std::int16_t>(v);
    case kUint16:
        return static_cast<std::uint16_t>(v);
    case kInt8:
        return static_cast<std::int8_t>(v);
    case kUint8:
        return static_cast<std::uint8_t>(v);
    default:
        return v;
    }
}

// Out-of-range reals saturate; the conversion is undefined in C++ and unspecified in ONNX.
std::int64_t integerFrom(double v) {
    if (std::isnan(v)) return 0;
    if (v >= 9223372036854775807.0) return INT64_MAX;
    if (v <= -9223372036854775808.0) return INT64_MIN;
    return static_cast<std::int64_t>(v);
}

}  // namespace

std::optional<DType> dtypeOf(int elemType) {
    if (elemType <= 0 || static_cast<std::size_t>(elemType) >= elemTypes().size()) return std::nullopt;
    return elemTypes()[static_cast<std::size_t>(elemType)].dtype;
}

const char* elemTypeName(int elemType) {
    if (elemType < 0 || static_cast<std::size_t>(elemType) >= elemTypes().size()) return "unknown";
    return elemTypes()[static_cast<std::size_t>(elemType)].name;
}

bool isFloating(int elemType) {
    return elemType == kFloat || elemType == kFloat16 || elemType == kDouble || elemType == kBfloat16 ||
           (elemType >= 17 && elemType <= 20) || elemType == 23 || elemType == 24;
}

std::optional<FoldedValue> tensorValue(const TensorProto& tensor, std::int64_t elements) {
    if (tensor.external || tensor.sparse || !foldable(tensor.dataType) || elements < 0) return std::nullopt;
    const auto count = static_cast<std::size_t>(elements);
    return tensor.hasRaw && (tensor.typedCount == 0) ? fromRaw(tensor, count) : fromTyped(tensor, count);
}

bool payloadMismatch(const TensorProto& tensor, std::int64_t elements) {
    const std::optional<DType> dtype = dtypeOf(tensor.dataType);
    if (tensor.external || tensor.sparse || !dtype) return false;
    const std::int64_t bits = dtypeBits(*dtype);
    if (tensor.hasRaw && *dtype != DType::Str) {
        // elements <= 2^48 (checked before), so the product fits.
        return static_cast<std::int64_t>(tensor.raw.size()) != (elements * bits + 7) / 8;
    }
    const std::int64_t perNumber = bits > 0 && bits < 8 ? 2 : 1;
    return tensor.typedCount != (elements + perNumber - 1) / perNumber;
}

FoldedValue convertTo(const FoldedValue& value, int elemType) {
    const bool toReal = isFloating(elemType);
    if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&value)) {
        if (!toReal) {
            std::vector<std::int64_t> out(*integers);
            for (std::int64_t& v : out)
                v = wrapInteger(v, elemType);
            return FoldedValue(std::move(out));
        }
        return FoldedValue(std::vector<double>(integers->begin(), integers->end()));
    }
    const auto& reals = std::get<std::vector<double>>(value);
    if (!toReal) {
        std::vector<std::int64_t> out;
        out.reserve(reals.size());
        for (const double v : reals)
            out.push_back(elemType == kBool ? (v != 0.0 ? 1 : 0) : wrapInteger(integerFrom(v), elemType));
        return FoldedValue(std::move(out));
    }
    std::vector<double> out(reals);
    if (elemType != kDouble)
        for (double& v : out)
            v = static_cast<double>(static_cast<float>(v));
    return FoldedValue(std::move(out));
}

std::size_t valueSize(const FoldedValue& value) {
    return std::visit([](const auto& list) { return list.size(); }, value);
}

}  // namespace memplan::io::onnx

// SPDX-License-Identifier: Apache-2.0
#include "engine/io/onnx/read/failure.h"
#include "engine/io/onnx/read/model_decoder.h"

#include <algorithm>

namespace memplan::io::onnx {

namespace {

constexpr std::size_t kRank = 8;

std::string atByte(std::uint64_t offset) {
    return "byte " + std::to_string(offset);
}

[[noreturn]] void failRank(std::uint64_t offset) {
    failImport("ONNX-906", atByte(offset), "a shape with more than 8 dimensions at byte " + std::to_string(offset),
               "tensors of more than 8 dimensions cannot be planned");
}

void appendDim(std::vector<std::int64_t>& dims, std::int64_t value, std::uint64_t offset) {
    if (dims.size() >= kRank) failRank(offset);
    dims.push_back(value);
}

void appendPackedDims(std::vector<std::int64_t>& dims, WireMessage& wire) {
    const std::uint64_t offset = wire.offset();
    const std::string_view packed = wire.bytes();
    const char* at = packed.data();
    const char* const end = at + packed.size();
    while (at != end) {
        try {
            appendDim(dims, static_cast<std::int64_t>(protozero::decode_varint(&at, end)), offset);
        } catch (const protozero::exception&) {
            failImport("ONNX-012", atByte(offset), "a broken number in the list at byte " + std::to_string(offset));
        }
    }
}

/// Numbers in a packed run of varints: bytes without a continuation bit.
std::int64_t countVarints(std::string_view packed) {
    return std::count_if(packed.begin(), packed.end(),
                         [](char c) { return (static_cast<unsigned char>(c) & 0x80U) == 0; });
}

}  // namespace

void TensorDecoder::mergeTensor(TensorProto& into, std::string_view message, std::uint64_t offset) const {
    into.offset = offset;
    into.body = message;
    WireMessage wire(message, begin_);
    while (wire.next()) {
        switch (wire.key()) {
        case varintKey(1):
            appendDim(into.dims, wire.integer(), wire.offset());
            break;
        case bytesKey(1):
            appendPackedDims(into.dims, wire);
            break;
        case varintKey(2):
            into.dataType = static_cast<std::int32_t>(wire.integer());
            break;
        case bytesKey(4):
            into.typedCount += static_cast<std::int64_t>(wire.bytes().size() / 4);
            break;
        case bytesKey(10):
            into.typedCount += static_cast<std::int64_t>(wire.bytes().size() / 8);
            break;
        case bytesKey(5):
        case bytesKey(7):
        case bytesKey(11):
            into.typedCount += countVarints(wire.bytes());
            break;
        case wireKey(4, WireType::Fixed32):
        case varintKey(5):
        case bytesKey(6):
        case varintKey(7):
        case wireKey(10, WireType::Fixed64):
        case varintKey(11):
            ++into.typedCount;
            wire.skip();
            break;
        case bytesKey(8):
            into.name = wire.bytes();
            break;
        case bytesKey(9):
            into.raw = wire.bytes();
            into.hasRaw = true;
            break;
        case varintKey(14):
            into.external = wire.integer() == 1;
            break;
        default:
            wire.skip();
        }
    }
}

void TensorDecoder::mergeSparse(TensorProto& into, std::string_view message, std::uint64_t offset) const {
    std::vector<std::int64_t> dims;
    WireMessage wire(message, begin_);
    while (wire.next()) {
        switch (wire.key()) {
        case bytesKey(1):
            mergeTensor(into, wire.bytes(), wire.offset());
            break;
        case varintKey(3):
            appendDim(dims, wire.integer(), wire.offset());
            break;
        case bytesKey(3):
            appendPackedDims(dims, wire);
            break;
        default:
            wire.skip();
        }
    }
    into.dims = std::move(dims);
    into.offset = offset;
    into.sparse = true;
}

void TensorDecoder::mergeShape(TypeProto& into, std::string_view message) const {
    into.hasShape = true;
    WireMessage wire(message, begin_);
    while (wire.next()) {
        if (wire.key() != bytesKey(1)) {
            wire.skip();
            continue;
        }
        if (into.dims.size() >= kRank) failRank(wire.offset());
        DimProto dim;
        WireMessage inner(wire.bytes(), begin_);
        while (inner.next()) {
            if (inner.key() == varintKey(1)) {
                dim.value = inner.integer();
                dim.kind = DimProto::Kind::Fixed;
            } else if (inner.key() == bytesKey(2)) {
                dim.symbol = inner.bytes();
                dim.kind = dim.symbol.empty() ? DimProto::Kind::Unnamed : DimProto::Kind::Symbol;
            } else {
                inner.skip();
            }
        }
        into.dims.push_back(dim);
    }
}

void TensorDecoder::mergeTensorType(TypeProto& into, std::string_view message) const {
    WireMessage wire(message, begin_);
    while (wire.next()) {
        switch (wire.key()) {
        case varintKey(1):
            into.elemType = static_cast<std::int32_t>(wire.integer());
            break;
        case bytesKey(2):
            mergeShape(into, wire.bytes());
            break;
        default:
            wire.skip();
        }
    }
}

void TensorDecoder::mergeType(TypeProto& into, std::string_view message) const {
    using Kind = TypeProto::Kind;
    WireMessage wire(message, begin_);
    while (wire.next()) {
        switch (wire.key()) {
        case bytesKey(1):
            into.kind = Kind::Tensor;
            mergeTensorType(into, wire.bytes());
            break;
        case bytesKey(8):
            into.kind = Kind::Sparse;
            mergeTensorType(into, wire.bytes());
            break;
        case bytesKey(4):
            into.kind = Kind::Sequence;
            wire.skip();
            break;
        case bytesKey(5):
            into.kind = Kind::Map;
            wire.skip();
            break;
        case bytesKey(7):
            into.kind = Kind::Opaque;
            wire.skip();
            break;
        case bytesKey(9):
            into.kind = Kind::Optional;
            wire.skip();
            break;
        default:
            wire.skip();
        }
    }
}

void TensorDecoder::mergeValueInfo(ValueInfoProto& into, std::string_view message) const {
    WireMessage wire(message, begin_);
    while (wire.next()) {
        switch (wire.key()) {
        case bytesKey(1):
            into.name = wire.bytes();
            break;
        case bytesKey(2):
            mergeType(into.type, wire.bytes());
            break;
        default:
            wire.skip();
        }
    }
}

}  // namespace memplan::io::onnx

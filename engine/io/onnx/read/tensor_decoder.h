// SPDX-License-Identifier: Apache-2.0
// Tensor and type messages (inputs-and-interchange 3.1).
#pragma once

#include "engine/io/onnx/read/proto.h"
#include "engine/io/onnx/read/wire.h"

#include <cstdint>
#include <string_view>

namespace memplan::io::onnx {

/// Tensor and type messages, shared by graphs and attributes.
class TensorDecoder {
public:
    explicit TensorDecoder(const char* fileBegin) : begin_(fileBegin) {}
    void mergeTensor(TensorProto& into, std::string_view message, std::uint64_t offset) const;
    void mergeSparse(TensorProto& into, std::string_view message, std::uint64_t offset) const;
    void mergeValueInfo(ValueInfoProto& into, std::string_view message) const;

private:
    void mergeType(TypeProto& into, std::string_view message) const;
    void mergeTensorType(TypeProto& into, std::string_view message) const;
    void mergeShape(TypeProto& into, std::string_view message) const;
    const char* begin_;
};

}  // namespace memplan::io::onnx

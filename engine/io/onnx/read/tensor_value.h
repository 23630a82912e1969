// SPDX-License-Identifier: Apache-2.0
// Element types and payloads of ONNX tensors (inputs-and-interchange 3.1, 3.4).
#pragma once

#include "engine/graph/dtype.h"
#include "engine/io/onnx/model.h"
#include "engine/io/onnx/read/proto.h"

#include <optional>

namespace memplan::io::onnx {

/// ONNX element types that the rules name.
enum ElemType : int {
    kFloat = 1,
    kUint8 = 2,
    kInt8 = 3,
    kUint16 = 4,
    kInt16 = 5,
    kInt32 = 6,
    kInt64 = 7,
    kString = 8,
    kBool = 9,
    kFloat16 = 10,
    kDouble = 11,
    kUint32 = 12,
    kUint64 = 13,
    kBfloat16 = 16
};

/// Our dtype of an ONNX element type; nullopt for complex, two-bit and unknown types.
[[nodiscard]] std::optional<DType> dtypeOf(int elemType);
[[nodiscard]] const char* elemTypeName(int elemType);
[[nodiscard]] bool isFloating(int elemType);

/// Values of a tensor whose type takes part in folding; nullopt when the type does not, when the data
/// is absent or of the wrong length.
[[nodiscard]] std::optional<FoldedValue> tensorValue(const TensorProto& tensor, std::int64_t elements);

/// Payload of the wrong length for dims x element size (ONNX-027); false when there is nothing to compare.
[[nodiscard]] bool payloadMismatch(const TensorProto& tensor, std::int64_t elements);

/// Brings computed numbers into the range of the element type: wraps integers, rounds reals.
[[nodiscard]] FoldedValue convertTo(const FoldedValue& value, int elemType);

[[nodiscard]] std::size_t valueSize(const FoldedValue& value);

}  // namespace memplan::io::onnx

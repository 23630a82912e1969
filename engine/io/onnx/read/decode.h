// SPDX-License-Identifier: Apache-2.0
// Protobuf bytes to Document; limits act while decoding (inputs-and-interchange 3.1, 7).
#pragma once

#include "engine/base/run_control.h"
#include "engine/io/onnx/read/proto.h"
#include "engine/io/onnx/read/wire.h"
#include "engine/json/limits.h"

#include <chrono>
#include <string>
#include <string_view>

namespace memplan::io::onnx {

/// Polls cancellation and the wall time of an import; throws CANCELLED or IN-906.
class ImportClock {
public:
    ImportClock(const RunControl& control, const Limits& limits)
        : control_(control), seconds_(limits.importSeconds), start_(std::chrono::steady_clock::now()) {}
    /// Call once per small unit of work; looks at the clock every 256 calls.
    void tick() {
        if ((++calls_ & 255U) == 0) check();
    }
    /// The same, telling how far reading has come, in bytes.
    void tick(std::uint64_t done, std::size_t total) {
        tick();
        if ((calls_ & 4095U) == 0)
            control_.progress("reading the model", static_cast<double>(done), static_cast<double>(total));
    }
    void check() const;

private:
    const RunControl& control_;
    double seconds_;
    std::chrono::steady_clock::time_point start_;
    std::uint64_t calls_ = 0;
};

/// Decodes a whole model. Views in the result point into `bytes`.
[[nodiscard]] Document decodeModel(std::string_view bytes, const Limits& limits, ImportClock& clock);

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

// SPDX-License-Identifier: Apache-2.0
// One protobuf message on the wire: protozero's reader plus byte offsets and our codes
// (inputs-and-interchange 3.1). Nothing is copied; views point into the file.
#pragma once

#include <cstdint>
#include <string_view>

#define PROTOZERO_USE_VIEW std::string_view
#include <protozero/pbf_reader.hpp>

namespace memplan::io::onnx {

enum class WireType { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };

/// Key of a field for `switch`: number and wire type together, so that a known number with a foreign
/// wire type counts as an unknown field and is skipped, as every protobuf reader does.
[[nodiscard]] constexpr std::uint32_t wireKey(std::uint32_t field, WireType type) {
    return (field << 3U) | static_cast<std::uint32_t>(type);
}
[[nodiscard]] constexpr std::uint32_t bytesKey(std::uint32_t field) {
    return wireKey(field, WireType::Bytes);
}
[[nodiscard]] constexpr std::uint32_t varintKey(std::uint32_t field) {
    return wireKey(field, WireType::Varint);
}

/// Walks the fields of one message. Every function throws ImportFailure: ONNX-010 (cut off), ONNX-011
/// (a length beyond the end of the enclosing message), ONNX-012 (broken key or varint).
class WireMessage {
public:
    WireMessage(std::string_view message, const char* fileBegin) : reader_(message), fileBegin_(fileBegin) {}

    [[nodiscard]] bool next();
    [[nodiscard]] std::uint32_t key() const { return key_; }
    /// Byte offset of the current field's key in the file.
    [[nodiscard]] std::uint64_t offset() const { return offset_; }

    [[nodiscard]] std::string_view bytes();
    [[nodiscard]] std::int64_t integer();
    [[nodiscard]] float real32();
    void skip();

private:
    template <class F> auto guarded(F&& read);
    void checkLength();

    protozero::pbf_reader reader_;
    const char* fileBegin_;
    std::uint64_t offset_ = 0;
    std::uint32_t key_ = 0;
};

}  // namespace memplan::io::onnx

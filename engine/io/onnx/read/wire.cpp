// SPDX-License-Identifier: Apache-2.0
#include "engine/io/onnx/read/wire.h"

#include "engine/io/onnx/read/failure.h"

#include <protozero/varint.hpp>

#include <string>

namespace memplan::io::onnx {

namespace {

std::string atByte(std::uint64_t offset) {
    return "byte " + std::to_string(offset);
}

constexpr const char* kDamagedHint = "the file is cut off or damaged: fetch or export it again";

}  // namespace

void failImport(std::string code, std::string where, std::string message, std::string hint) {
    throw ImportFailure{Diagnostic{
        Severity::Error, std::move(code), std::move(where), std::move(message), std::move(hint), {}, {}, {}}};
}

template <class F> auto WireMessage::guarded(F&& read) {
    try {
        return read();
    } catch (const protozero::varint_too_long_exception&) {
        failImport("ONNX-012", atByte(offset_),
                   "a number of more than 10 bytes in the field at byte " + std::to_string(offset_), kDamagedHint);
    } catch (const protozero::unknown_pbf_wire_type_exception&) {
        failImport("ONNX-012", atByte(offset_),
                   "the field at byte " + std::to_string(offset_) + " has a wire type that the format does not have",
                   "this is not an ONNX model, or it is damaged");
    } catch (const protozero::invalid_tag_exception&) {
        failImport("ONNX-012", atByte(offset_),
                   "the field at byte " + std::to_string(offset_) + " has an invalid number",
                   "this is not an ONNX model, or it is damaged");
    } catch (const protozero::exception&) {
        failImport("ONNX-010", atByte(offset_),
                   "the data ends in the middle of the field at byte " + std::to_string(offset_), kDamagedHint);
    }
}

bool WireMessage::next() {
    offset_ = static_cast<std::uint64_t>(reader_.data().data() - fileBegin_);
    return guarded([this] {
        if (!reader_.next()) return false;
        key_ = wireKey(reader_.tag(), static_cast<WireType>(reader_.wire_type()));
        return true;
    });
}

// protozero keeps 32 bits of a length; a length of 2^32 + 5 must not pass as 5.
void WireMessage::checkLength() {
    const std::string_view rest = reader_.data();
    const char* at = rest.data();
    const char* const end = rest.data() + rest.size();
    const std::uint64_t length = guarded([&] { return protozero::decode_varint(&at, end); });
    const auto left = static_cast<std::uint64_t>(end - at);
    if (length <= left) return;
    failImport("ONNX-011", atByte(offset_),
               "the field at byte " + std::to_string(offset_) + " claims " + std::to_string(length) + " bytes, " +
                   std::to_string(left) + " are left",
               kDamagedHint);
}

std::string_view WireMessage::bytes() {
    checkLength();
    return guarded([this] { return reader_.get_view(); });
}

std::int64_t WireMessage::integer() {
    return guarded([this] { return reader_.get_int64(); });
}

float WireMessage::real32() {
    return guarded([this] { return reader_.get_float(); });
}

void WireMessage::skip() {
    if ((key_ & 7U) == static_cast<std::uint32_t>(WireType::Bytes)) checkLength();
    guarded([this] { reader_.skip(); });
}

}  // namespace memplan::io::onnx

// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/export/npz_file.h"

#include "engine/base/numeric.h"

#include <bit>
#include <utility>

namespace memplan::torchwright {
namespace {

constexpr std::uint32_t kLocalHeader = 0x04034B50, kCentralHeader = 0x02014B50, kEndOfCentral = 0x06054B50;
constexpr std::uint32_t kVersion = 20;     ///< of zip: directories and deflate
constexpr std::uint32_t kDeflated = 8;     ///< method
constexpr std::uint32_t kFirstDay = 0x21;  ///< 1 January 1980 in every file, so that bytes do not depend on the day
constexpr std::size_t kHeaderUnit = 64;    ///< the header of an array is a multiple of it
constexpr std::int64_t kMostBytes = std::int64_t{0xFFFFFFFF} - 4096;

void put(TextBuffer& out, std::uint32_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i)
        out.append(static_cast<char>((value >> (8 * i)) & 0xFFU));
}

std::string littleEndian(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    std::string bytes(4, '\0');
    for (unsigned i = 0; i < 4; ++i)
        bytes[i] = static_cast<char>((bits >> (8 * i)) & 0xFFU);
    return bytes;
}

std::string arrayHeader(const Tensor& tensor, ArrayForm form) {
    const std::string columns = std::to_string(tensor.columns);
    const std::string shape =
        form == ArrayForm::Vector ? '(' + columns + ",)" : '(' + std::to_string(tensor.rows) + ", " + columns + ')';
    std::string text = "{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }";
    const std::string magic{'\x93', 'N', 'U', 'M', 'P', 'Y', '\x01', '\x00'};
    const std::size_t size = magic.size() + 2 + text.size() + 1;
    text.append((kHeaderUnit - size % kHeaderUnit) % kHeaderUnit, ' ');
    text += '\n';
    return magic + static_cast<char>(text.size() & 0xFFU) + static_cast<char>(text.size() >> 8) + text;
}

void putValues(DeflateRuns& out, const Tensor& tensor) {
    std::int64_t next = 0;
    for (const Tensor::Entry& e : tensor.entries) {
        out.zeros(static_cast<std::uint64_t>(e.index - next) * 4);
        out.bytes(littleEndian(e.value));
        next = e.index + 1;
    }
    out.zeros(static_cast<std::uint64_t>(tensor.rows * tensor.columns - next) * 4);
}

}  // namespace

bool NpzFile::fits(const Tensor& tensor) {
    return saturatedMul(saturatedMul(tensor.rows, tensor.columns), 4) <= kMostBytes;
}

/// What the header before the file and the one in the list have in common.
void NpzFile::putHeader(TextBuffer& out, const Entry& entry) {
    put(out, kVersion, 2);
    put(out, 0, 2);  // flags
    put(out, kDeflated, 2);
    put(out, 0, 2);  // time of day
    put(out, kFirstDay, 2);
    put(out, entry.crc, 4);
    put(out, entry.packed, 4);
    put(out, entry.size, 4);
    put(out, static_cast<std::uint32_t>(entry.name.size()), 2);
    put(out, 0, 2);  // extra
}

void NpzFile::add(const std::string& name, const Tensor& tensor, ArrayForm form) {
    DeflateRuns stream;
    stream.bytes(arrayHeader(tensor, form));
    putValues(stream, tensor);
    Entry entry;
    entry.name = name + ".npy";
    entry.crc = stream.crc();
    entry.size = static_cast<std::uint32_t>(stream.size());
    const std::string packed = std::move(stream).finish();
    entry.packed = static_cast<std::uint32_t>(packed.size());
    entry.offset = static_cast<std::uint32_t>(out_.size());
    put(out_, kLocalHeader, 4);
    putHeader(out_, entry);
    out_.append(entry.name).append(packed);
    entries_.push_back(std::move(entry));
}

std::string NpzFile::finish() && {
    const auto begin = static_cast<std::uint32_t>(out_.size());
    for (const Entry& entry : entries_) {
        put(out_, kCentralHeader, 4);
        put(out_, kVersion, 2);  // of the writer
        putHeader(out_, entry);
        put(out_, 0, 2);  // comment
        put(out_, 0, 2);  // disk
        put(out_, 0, 2);  // internal attributes
        put(out_, 0, 4);  // external attributes
        put(out_, entry.offset, 4);
        out_.append(entry.name);
    }
    const auto size = static_cast<std::uint32_t>(out_.size()) - begin;
    put(out_, kEndOfCentral, 4);
    put(out_, 0, 4);  // this disk, disk of the list
    put(out_, static_cast<std::uint32_t>(entries_.size()), 2);
    put(out_, static_cast<std::uint32_t>(entries_.size()), 2);
    put(out_, size, 4);
    put(out_, begin, 4);
    put(out_, 0, 2);  // comment
    return std::move(out_).finish();
}

}  // namespace memplan::torchwright

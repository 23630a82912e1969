// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/export/deflate_runs.h"

#include <algorithm>
#include <array>
#include <utility>

namespace memplan::torchwright {
namespace {

constexpr std::uint32_t kPolynomial = 0xEDB88320U;  ///< of CRC-32, bits reversed

constexpr std::uint32_t afterZeroByte(std::uint32_t crc) {
    for (int bit = 0; bit < 8; ++bit)
        crc = (crc >> 1) ^ ((crc & 1U) != 0 ? kPolynomial : 0U);
    return crc;
}

/// A zero byte changes the register linearly: a matrix over bits, one column each. Its powers jump over long runs.
using BitMatrix = std::array<std::uint32_t, 32>;

constexpr std::uint32_t times(const BitMatrix& m, std::uint32_t v) {
    std::uint32_t sum = 0;
    for (std::size_t bit = 0; v != 0; ++bit, v >>= 1)
        if ((v & 1U) != 0) sum ^= m[bit];
    return sum;
}

constexpr std::size_t kPowers = 40;

constexpr std::array<BitMatrix, kPowers> zeroPowers() {
    std::array<BitMatrix, kPowers> powers{};
    for (std::size_t bit = 0; bit < 32; ++bit)
        powers[0][bit] = afterZeroByte(std::uint32_t{1} << bit);
    for (std::size_t p = 1; p < kPowers; ++p)
        for (std::size_t bit = 0; bit < 32; ++bit)
            powers[p][bit] = times(powers[p - 1], powers[p - 1][bit]);
    return powers;
}

constexpr auto kZeroPowers = zeroPowers();

constexpr unsigned kEndOfBlock = 256, kFirstLength = 257, kMostCopied = 258, kLeastCopied = 3;
/// Shortest copy of each length symbol, and the bits that follow it.
constexpr std::array<unsigned, 29> kLengths{3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                            31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
constexpr std::array<unsigned, 29> kLengthBits{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                               2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
constexpr unsigned kDistanceBits = 5;  ///< of a distance's symbol; symbol 0 is one byte back

struct Code {
    std::uint32_t value = 0;
    unsigned bits = 0;
};

/// The fixed code (RFC 1951, 3.2.6).
constexpr Code fixedCode(unsigned symbol) {
    if (symbol < 144) return {0x30 + symbol, 8};
    if (symbol < 256) return {0x190 + symbol - 144, 9};
    if (symbol < 280) return {symbol - 256, 7};
    return {0xC0 + symbol - 280, 8};
}

constexpr std::uint32_t reversed(Code code) {
    std::uint32_t out = 0;
    for (unsigned i = 0; i < code.bits; ++i)
        out |= ((code.value >> i) & 1U) << (code.bits - 1 - i);
    return out;
}

}  // namespace

DeflateRuns::DeflateRuns() {
    bits(1, 1);  // the last block
    bits(1, 2);  // with the fixed code
}

void DeflateRuns::bits(std::uint32_t value, unsigned count) {
    pending_ |= std::uint64_t{value} << pendingBits_;
    pendingBits_ += count;
    for (; pendingBits_ >= 8; pendingBits_ -= 8, pending_ >>= 8)
        out_.append(static_cast<char>(pending_ & 0xFFU));
}

void DeflateRuns::code(unsigned symbol) {
    const Code fixed = fixedCode(symbol);
    bits(reversed(fixed), fixed.bits);
}

void DeflateRuns::literal(unsigned char byte) {
    code(byte);
    isBehindZero_ = byte == 0;
}

void DeflateRuns::copy(unsigned length) {
    const auto at = static_cast<std::size_t>(std::ranges::upper_bound(kLengths, length) - kLengths.begin()) - 1;
    code(kFirstLength + static_cast<unsigned>(at));
    bits(length - kLengths[at], kLengthBits[at]);
    bits(0, kDistanceBits);
}

void DeflateRuns::bytes(std::string_view text) {
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        literal(byte);
        crc_ = (crc_ >> 8) ^ afterZeroByte((crc_ ^ byte) & 0xFFU);
    }
    size_ += text.size();
}

void DeflateRuns::zeros(std::uint64_t count) {
    size_ += count;
    for (std::size_t p = 0; p < kPowers; ++p)
        if (((count >> p) & 1U) != 0) crc_ = times(kZeroPowers[p], crc_);
    if (count > 0 && !isBehindZero_) {
        literal(0);
        --count;
    }
    while (count >= kLeastCopied) {
        const auto length = static_cast<unsigned>(std::min<std::uint64_t>(count, kMostCopied));
        copy(length);
        count -= length;
    }
    for (; count > 0; --count)
        literal(0);
}

std::string DeflateRuns::finish() && {
    code(kEndOfBlock);
    if (pendingBits_ > 0) bits(0, 8 - pendingBits_);
    return std::move(out_).finish();
}

}  // namespace memplan::torchwright

// SPDX-License-Identifier: Apache-2.0
// Deflate (RFC 1951) of a stream that is nearly all zeros and comes as runs: its cost follows the entries that are not
// zero and the length of the result, not the length of the stream. One block with the fixed code; a run of zeros is a
// literal and copies from one byte back.
#pragma once

#include "engine/base/text_buffer.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace memplan::torchwright {

class DeflateRuns {
public:
    DeflateRuns();
    void bytes(std::string_view text);
    void zeros(std::uint64_t count);

    [[nodiscard]] std::string finish() &&;
    [[nodiscard]] std::uint64_t size() const { return size_; }  ///< bytes of the stream so far
    [[nodiscard]] std::uint32_t crc() const { return ~crc_; }   ///< CRC-32 of the stream so far

private:
    void literal(unsigned char byte);
    void copy(unsigned length);
    void code(unsigned symbol);
    void bits(std::uint32_t value, unsigned count);

    TextBuffer out_;
    std::uint64_t pending_ = 0;
    unsigned pendingBits_ = 0;
    std::uint64_t size_ = 0;
    std::uint32_t crc_ = 0xFFFFFFFFU;
    bool isBehindZero_ = false;
};

}  // namespace memplan::torchwright

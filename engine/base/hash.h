// SPDX-License-Identifier: Apache-2.0
// 64-bit FNV-1a for keys inside the program, SHA-256 for files (architecture 7.3).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace memplan {

[[nodiscard]] std::uint64_t fnv1a(std::string_view bytes, std::uint64_t seed = 14695981039346656037ULL);
[[nodiscard]] std::string hex16(std::uint64_t value);  ///< 16 lower-case hex digits
[[nodiscard]] std::string sha256Hex(std::string_view bytes);

/// SHA-256 of a message that comes in pieces: long inputs can be cancelled and let go of between them.
class Sha256 {
public:
    Sha256();
    void update(std::string_view piece);
    /// 64 lower-case hex digits of everything so far.
    [[nodiscard]] std::string hex() const;

private:
    std::array<std::uint32_t, 8> digest_;
    std::string rest_;  ///< bytes of an unfinished block
    std::uint64_t bytes_ = 0;
};

}  // namespace memplan

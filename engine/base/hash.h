// SPDX-License-Identifier: Apache-2.0
// 64-bit FNV-1a for keys inside the program, SHA-256 for files (architecture 7.3).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace memplan {

[[nodiscard]] std::uint64_t fnv1a(std::string_view bytes, std::uint64_t seed = 14695981039346656037ULL);
[[nodiscard]] std::string hex16(std::uint64_t value);  ///< 16 lower-case hex digits
[[nodiscard]] std::string sha256Hex(std::string_view bytes);

}  // namespace memplan

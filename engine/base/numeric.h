// SPDX-License-Identifier: Apache-2.0
// Small exact integer functions. Products are checked before they are used, never after
// (inputs-and-interchange 2.7).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace memplan {

[[nodiscard]] constexpr std::int64_t ceilDiv(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
}

/// Smallest multiple of `alignment` (>= 1) that is not below `value` (>= 0).
[[nodiscard]] constexpr std::int64_t alignUp(std::int64_t value, std::int64_t alignment) {
    return ceilDiv(value, alignment) * alignment;
}

[[nodiscard]] constexpr std::int64_t alignDown(std::int64_t value, std::int64_t alignment) {
    return value / alignment * alignment;
}

[[nodiscard]] inline std::optional<std::int64_t> checkedMul(std::int64_t a, std::int64_t b) {
    std::int64_t r = 0;
    if (__builtin_mul_overflow(a, b, &r)) return std::nullopt;
    return r;
}

[[nodiscard]] inline std::optional<std::int64_t> checkedAdd(std::int64_t a, std::int64_t b) {
    std::int64_t r = 0;
    if (__builtin_add_overflow(a, b, &r)) return std::nullopt;
    return r;
}

/// Product of non-negative values, the largest 64-bit value where it does not fit: sizes of hostile graphs
/// compare as "too large" instead of overflowing.
[[nodiscard]] inline std::int64_t saturatedMul(std::int64_t a, std::int64_t b) {
    return checkedMul(a, b).value_or(INT64_MAX);
}

/// Sum of non-negative values, the largest 64-bit value where it does not fit.
[[nodiscard]] inline std::int64_t saturatedAdd(std::int64_t a, std::int64_t b) {
    return checkedAdd(a, b).value_or(INT64_MAX);
}

/// Product of all values, 1 for none; nullopt on overflow of 64 bits.
[[nodiscard]] std::optional<std::int64_t> checkedProduct(std::span<const std::int64_t> values);

/// All divisors of n (>= 1), ascending; quick for every 64-bit number, of which none has more than 103 680.
[[nodiscard]] std::vector<std::int64_t> divisors(std::int64_t n);

/// Largest i <= limit that divides n; 1 if none (layouts-and-work-division 12, core_split).
[[nodiscard]] std::int64_t largestDivisorUpTo(std::int64_t n, std::int64_t limit);

}  // namespace memplan

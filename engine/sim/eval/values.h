// SPDX-License-Identifier: Apache-2.0
// What an element of memory holds in a simulation at the level `tokens`: a pseudo-random name of the value it stands
// for (proof-and-search A2, A8). Elements of inputs are named by tensor and position; a result is named by its function
// and the names of its operands, so that two places have equal names exactly when they hold the same expression, up
// to a chance of 2^-32 per element. Names go through memory unchanged, whatever the storage type.
#pragma once

#include "engine/base/hash.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string_view>

namespace memplan::sim {

using Value = std::uint32_t;

/// An element that nothing wrote; no expression has this name on purpose.
inline constexpr Value kUnset = 0xA5A5A5A5;

/// A2.1.
[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t x) {
    x += 0x9E3779B97F4A7C15ULL;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
    return x ^ (x >> 31);
}
[[nodiscard]] constexpr std::uint64_t prf(std::uint64_t key, std::uint64_t x) {
    return mix(mix(key) ^ x);
}
/// A value is never 0 unless it is the number 0, which a product must absorb.
[[nodiscard]] constexpr Value narrowed(std::uint64_t x) {
    const auto v = static_cast<Value>(x >> 32);
    return v == 0 ? 1 : v;
}

/// Key of a name under a seed.
[[nodiscard]] inline std::uint64_t keyOf(std::string_view name, std::uint64_t seed) {
    return mix(fnv1a(name) ^ mix(seed));
}

/// Element `i` (row-major) of a tensor that nobody computes; `key` = keyOf(tensor id).
[[nodiscard]] constexpr Value inputValue(std::uint64_t key, std::uint64_t i) {
    return narrowed(prf(key, i));
}
/// A number: the same name wherever it stands; 0.0 (and -0.0) is 0.
[[nodiscard]] inline Value constantValue(double number) {
    return number == 0 ? 0 : narrowed(prf(0xC0157A17, std::bit_cast<std::uint64_t>(number)));
}

// Functions of operands. `fn` is keyOf(function and attributes, seed).
[[nodiscard]] constexpr Value unary(std::uint64_t fn, Value a) {
    return narrowed(mix(fn ^ a));
}
[[nodiscard]] constexpr Value binary(std::uint64_t fn, Value a, Value b) {
    return narrowed(mix(fn ^ ((static_cast<std::uint64_t>(a) << 32) | b)));
}
/// Operands in any order give the same name.
[[nodiscard]] constexpr Value commutative(std::uint64_t fn, Value a, Value b) {
    return binary(fn, std::min(a, b), std::max(a, b));
}
/// Three and more operands, in order: start with `fn`, add one after the other, end with finished().
[[nodiscard]] constexpr std::uint64_t joined(std::uint64_t state, Value a) {
    return mix(state ^ a) + 1;
}
[[nodiscard]] constexpr Value finished(std::uint64_t state) {
    return narrowed(mix(state));
}

// Reductions: terms are summed modulo 2^64 in any order and over any number of parts, then named.
[[nodiscard]] constexpr std::uint64_t reductionTerm(std::uint64_t fn, Value a) {
    return mix(fn + a);
}
[[nodiscard]] constexpr Value reduced(std::uint64_t fn, std::uint64_t sum) {
    return narrowed(mix(fn ^ mix(sum)));
}

// A sum of products is named by the two sequences that it multiplies, not by every product of two of their elements:
// that names the same expression and costs the elements read instead of the multiplications. Each operand is summed
// over what is reduced with the weight of the place; sums of parts add up; a 0 adds nothing. A weight begins with 1 and
// takes in the index of every reduced loop longer than 1, outermost first.
inline constexpr std::uint64_t kFirstWeight = 1;
[[nodiscard]] constexpr std::uint64_t productWeight(std::uint64_t weight, std::int64_t index) {
    return mix(weight + static_cast<std::uint64_t>(index)) | 1;
}
[[nodiscard]] constexpr std::uint64_t productTerm(std::uint64_t weight, Value a) {
    return weight * a;
}
/// The operands of a product may stand in any order.
[[nodiscard]] constexpr Value product(std::uint64_t fn, std::uint64_t left, std::uint64_t right) {
    return narrowed(mix(fn ^ (mix(left) + mix(right))));
}

/// Content of a tensor in order, for kernels outside the planner: sum of fingerprintTerm over its elements.
[[nodiscard]] constexpr std::uint64_t fingerprintTerm(std::uint64_t i, Value a) {
    return mix(mix(i) ^ a);
}

}  // namespace memplan::sim

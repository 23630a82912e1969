// SPDX-License-Identifier: Apache-2.0
// Random numbers of the searches: the same on every platform for the same seed (scratchpad 7.2).
#pragma once

#include <cstdint>

namespace memplan {

/// SplitMix64 (Steele, Lea, Flood 2014): one 64-bit word of state.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        state_ += 0x9e3779b97f4a7c15ULL;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31U);
    }

    /// Uniform in [0, bound), bound >= 1, without bias: draws above the last whole multiple are thrown away.
    std::uint64_t below(std::uint64_t bound) {
        const std::uint64_t excess = (0 - bound) % bound;  // 2^64 mod bound
        std::uint64_t draw = next();
        while (draw < excess)
            draw = next();
        return draw % bound;
    }

    /// Uniform in [0, 1) with 53 bits.
    double fraction() { return static_cast<double>(next() >> 11U) * 0x1.0p-53; }

private:
    std::uint64_t state_;
};

}  // namespace memplan

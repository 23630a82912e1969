// SPDX-License-Identifier: Apache-2.0
// Seeded families of address problems for property tests and benchmarks. The draws are fixed here because the
// distributions of standard libraries differ (performance-and-toolchain 6).
#pragma once

#include "engine/solve/problem/address_problem.h"

#include <cstdint>

namespace memplan::testing {

/// SplitMix64.
class SeededDraws {
public:
    explicit SeededDraws(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next();
    /// In [low, high], both included.
    int between(int low, int high);
    bool chance(double probability) { return fraction() < probability; }
    double fraction();  ///< [0, 1)

private:
    std::uint64_t state_;
};

/// Family "ticks" of performance-and-toolchain 5: buffer i starts at tick i, lifetime 1 + floor(exponential of mean
/// 20), size lognormal (sigma 1) of mean 60 000 clipped to [2, capacity / 2], alignment 128, capacity 1 677 696.
[[nodiscard]] solve::Problem ticksFamily(int count, std::uint64_t seed = 1);

/// The denser family of the same chapter: as "ticks", half of the sizes being multiples of 64 KiB.
[[nodiscard]] solve::Problem denseFamily(int count, std::uint64_t seed = 1);

/// `count` buffers over `columns` ticks, each live in up to half of them; the capacity takes about half of the load.
[[nodiscard]] solve::Problem columnsFamily(int count, int columns, std::uint64_t seed = 1);

struct ProgramFamily {
    int ops = 12;
    double inPlace = 0.5;     ///< chance that an op offers its last-used inputs as parents
    double oddSizes = 0.3;    ///< chance of a size that is no multiple of the alignment
    double emptySizes = 0.0;  ///< chance of a buffer of no bytes
    double ineligible = 0.05;
    double overrides = 0.1;  ///< chance of a raised end
    double pressure = 0.6;   ///< capacity as part of the peak load
};

/// A random straight-line program: every op reads earlier buffers and writes a new one. Alignments 1, 10, 64, 96, 128
/// and 256; always legal input.
[[nodiscard]] solve::Problem randomProgram(std::uint64_t seed, const ProgramFamily& family = {});

/// Seven buffers in a tight memory, live at different times: small enough for an exhaustive search.
[[nodiscard]] solve::Problem smallProblem(SeededDraws& draws);

}  // namespace memplan::testing

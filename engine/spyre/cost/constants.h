// SPDX-License-Identifier: Apache-2.0
// Constants of the performance model with their public names (spyre-cost-and-co-optimisation 9.1). All
// rates are GB/s = bytes/ns.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace memplan::spyre::cost {

/// clamp(base + perLogColumns * log2 C + perLogRows * log2 R, low, high), 4.1 for tall tensors.
struct TallRate {
    double base, perLogColumns, perLogRows, low, high;
};
/// base + perLogRows * lr + perLogRows2 * lr^2 + perLogColumns * lc, clamped; narrow tensors.
struct NarrowRate {
    double base, perLogRows, perLogRows2, perLogColumns, low, high;
};
/// base + below * max(0, d - lr) + above * max(0, lr - d), d = lc - shift, clamped; wide tensors.
struct WideRate {
    double base, below, above, shift, low, high;
};
struct BroadcastRates {
    TallRate tall;
    NarrowRate narrow;
    WideRate wide;
};
struct TransportRate {
    double base, perLogSticks, perLogRows, floor;
};

struct Constants {
    double fillNs = 0, bwPeak = 150, turnaroundPerByte = 0.00574;
    double macPeak = 1140;
    double underfillPassRows = 8, underfillTargetPasses = 8, underfillExponent = 0.35;
    double bmmDefaultMacPeak = 160, bmmDefaultMinBatch = 4, bmmDefaultMinCores = 8;
    double bmm3d2dLow = 705, bmm3d2dHigh = 470, bmm3d2dKnee = 4;
    double spillArea0 = 65536, spillSlope = 0.45, spillCap = 1.5;
    double splitArea0 = 131072, splitLongKnee = 8, splitShortKnee = 16;
    double splitRereadUs = 0.00262, splitShortUs = 0.00288;
    double coarseRowsFull = 7.9, coarseExp = 0.50, coarseColRef = 2048, coarseColExp = 0.38, coarseCap = 1.08;
    double coarseEff0 = 0.248, coarseGamma = 0.1;
    double coarseRowsFullMatmul = 13, coarseExpMatmul = 0.68, coarseCapMatmul = 0.95, coarseH0Matmul = 2;
    double lxSpillCap = 524288, lxSpillExp = 0.06, mmSpillWsCap = 2097152, mmSpillWsExp = 0.15;
    double loopRereadScale = 0.85, overlapGamma = 1;
    double bwRestickify = 116, bwReduceOuter = 113, bwBroadcast = 118;
    double redFloor = 114, redAmp = 61, redScaleRows = 3700, redCap = 150;
    double fusedReductionRate = 1.5, replicatedReadRate = 2.3, partitionedReadRate = 150.0 / 32;
    double storeRate = 30, loopRereadRate = 25;
    double relayoutA = -1.14, relayoutB = 3.92, relayoutSpan = 547;
    double dmaWordBytes = 128, dmaMaxBurstWords = 32, restickifyCoreRate = 40;
    BroadcastRates row{{183.5, -2.8, -2.6, 100, 135}, {-350, 105, -5.5, -2, 45, 140}, {92, 32, 10, 6, 40, 128}};
    BroadcastRates column{{162, -1.8, -2.2, 95, 130}, {-270, 70, -3.5, 3, 45, 120}, {98, 15, 8, 6, 40, 120}};
    TransportRate cat0{144, 9.6, 2.4, 44}, transposeOuter{140, 6.8, 1.2, 83}, cat1{110, 0.8, 0, 90};
    double transportCap = 150, transposeThinRows = 8, transposeThinSlope = 13, transposeThinFloor = 40;
    /// (cores, share), ascending: standalone reductions on fewer cores (4.3).
    std::vector<std::pair<std::int64_t, double>> reductionCores{{1, 0.11}, {2, 0.22},  {4, 0.43},
                                                                {8, 0.54}, {16, 0.54}, {32, 1.0}};
    /// (cores, ns per request); other core counts are not priced. Empty switches requests off.
    std::vector<std::pair<std::int64_t, double>> dmaNsPerRequest{{1, 8.75}, {2, 8.75}, {4, 7.5},
                                                                 {8, 7.5},  {16, 7.5}, {32, 3.75}};
};

/// What a constant may be.
enum class ConstantRange {
    Any,         ///< any finite number
    Positive,    ///< a rate, cap or scale: above 0
    NonNegative  ///< a rate that 0 switches off
};

struct ConstantKey {
    std::string_view name;
    ConstantRange range = ConstantRange::Any;
};

/// Every scalar key in the order of the specification's table.
[[nodiscard]] std::span<const ConstantKey> constantKeys();
/// The value behind a key of constantKeys(); nullptr for an unknown one.
[[nodiscard]] double* constantNamed(Constants& constants, std::string_view name);
[[nodiscard]] const double* constantNamed(const Constants& constants, std::string_view name);

}  // namespace memplan::spyre::cost

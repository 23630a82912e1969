// SPDX-License-Identifier: Apache-2.0
// Memory rates by access pattern, fill of coarse tiles and the large-tile derate
// (spyre-cost-and-co-optimisation 4), compute of multiplies (5). Pure functions of records.
#pragma once

#include "engine/spyre/cost/constants.h"
#include "engine/spyre/cost/features.h"

#include <optional>
#include <span>

namespace memplan::spyre::cost {

/// GB/s of an operation whose access pattern has a rate of its own, turnaround included; nullopt = default.
[[nodiscard]] std::optional<double> patternRate(const OpFeatures& op, const Constants& c);

/// GB/s of a standalone row reduction (4.3).
[[nodiscard]] double reductionRate(const OpFeatures& op, const Constants& c);

/// Share of the memory rate that tiles of this height reach (4.4), 1 when the op has no such tiles.
[[nodiscard]] double tileFill(const OpFeatures& op, bool matmulCurve, const Constants& c);
/// Smallest fill over the kernel, never above 1 (6.3).
[[nodiscard]] double kernelFill(std::span<const OpFeatures> ops, bool matmulCurve, const Constants& c);
/// Factor of 4.5, 1 when the working set is within its cap.
[[nodiscard]] double largeTileDerate(std::span<const OpFeatures> ops, const Constants& c);

/// ns of one multiply at full overlap, without the split-shape term (5).
[[nodiscard]] double matmulComputeNs(const OpFeatures& op, const Constants& c);
[[nodiscard]] double matmulSplitNs(const OpFeatures& op, const Constants& c);
/// Bytes that an output tile larger than the accumulators reads again; edition A only.
[[nodiscard]] double matmulSpillBytes(const OpFeatures& op, const Constants& c);

/// ns of one relayout over the ring (17.4): `payload` bytes per source core, runs of `runBytes`.
[[nodiscard]] double relayoutNs(double payload, double runBytes, std::int64_t split, const Constants& c);

}  // namespace memplan::spyre::cost

// SPDX-License-Identifier: Apache-2.0
// The terms that only edition B of the estimate has (spyre-cost-and-co-optimisation 7). Every function
// returns nanoseconds; a rate of 0 in the constants switches its term off. Internal to engine/spyre/cost.
#pragma once

#include "engine/spyre/cost/constants.h"
#include "engine/spyre/cost/features.h"

#include <optional>
#include <span>

namespace memplan::spyre::cost {

struct ReplicatedLoads {
    double bytes = 0;
    double ns = 0;
};

/// Inputs that several groups of cores load in full; a graph input counts once per kernel (7.1).
[[nodiscard]] ReplicatedLoads replicatedLoads(std::span<const OpFeatures> ops, const Constants& c);
/// The replicated bytes of one op by itself.
[[nodiscard]] double replicatedBytes(const OpFeatures& op);
[[nodiscard]] double indirectStoreNs(std::span<const OpFeatures> ops, const Constants& c);                  // 7.3 a
[[nodiscard]] double sharedLoadNs(std::span<const OpFeatures> ops, const Constants& c);                     // 7.3 c
[[nodiscard]] double partitionedReadNs(std::span<const OpFeatures> ops, const Constants& c);                // 7.3 d
[[nodiscard]] std::optional<double> fusedReductionNs(std::span<const OpFeatures> ops, const Constants& c);  // 7.5
[[nodiscard]] double relayoutCopiesNs(std::span<const OpFeatures> ops, const Constants& c);                 // 7.6
[[nodiscard]] double cloneInNs(std::span<const OpFeatures> ops, const Constants& c);                        // 7.6
[[nodiscard]] double loopCarryNs(std::span<const OpFeatures> ops, const Constants& c);                      // 7.6
[[nodiscard]] double transportRequestsNs(std::span<const OpFeatures> ops, const Constants& c);              // 7.6
[[nodiscard]] double readBurstNs(std::span<const OpFeatures> ops, const Constants& c);                      // 7.7

}  // namespace memplan::spyre::cost

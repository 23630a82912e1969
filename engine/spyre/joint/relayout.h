// SPDX-License-Identifier: Apache-2.0
// Moving a buffer between cores over the ring: who sends to whom, whether the hardware can do it, what it
// costs (spyre-cost-and-co-optimisation 17).
#pragma once

#include "engine/spyre/cost/constants.h"
#include "engine/spyre/division/core_view.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::spyre::joint {

/// Ownership table of a buffer: which core holds which slice (17.1).
struct Ownership {
    std::vector<std::pair<int, std::int64_t>> splits;  ///< (device dimension, slices)
    std::vector<std::vector<int>> slots;               ///< per core, parallel to `splits`
    std::int64_t cores = 1;
};

[[nodiscard]] Ownership ownershipOf(const PerCoreView& view);

enum class RelayoutKind { None, Permutation, GroupedGather, Broadcast };
[[nodiscard]] std::string_view relayoutKindName(RelayoutKind k);

struct RelayoutEdge {
    bool supported = false;
    std::string reason;  ///< first rule of 17.3 that fails, empty when supported
    RelayoutKind kind = RelayoutKind::None;
    std::int64_t edges = 0;
    std::vector<std::int64_t> fanOut, fanIn;  ///< distinct values, ascending
    std::int64_t governingRunElements = 0;    ///< 17.4
    std::int64_t governingSplit = 1;
    double reportingNs = 0;                                      ///< split clamped to 2..8
    std::optional<double> offeredNs;                             ///< what a search may count on; nullopt = not offered
    std::optional<Bytes> sourceFootprint, destinationFootprint;  ///< per core; nullopt = declined
    std::optional<Bytes> bytesBetweenCores;                      ///< that really move; nullopt when not supported
    std::optional<bool> permutationRule;  ///< rule of the earlier state, where both views are complete
};

/// All figures of one edge. `deviceSize` includes the stick.
[[nodiscard]] RelayoutEdge relayoutEdge(const std::vector<std::int64_t>& deviceSize, std::int64_t dtypeBytes,
                                        const Ownership& source, const Ownership& destination,
                                        const cost::Constants& constants);

/// Function of the identity copy whose input and output are both in LX under different divisions (17.6).
inline constexpr std::string_view kRelayoutFn = "lx_relayout";

/// The edge that a copy of that function carries: from the view of its source's writer to its own.
[[nodiscard]] std::optional<RelayoutEdge> edgeOfCopy(const Program& program, const Op& copy,
                                                     const cost::Constants& constants);

}  // namespace memplan::spyre::joint

// SPDX-License-Identifier: Apache-2.0
// Which elements of a tensor of the source graph the host positions of a buffer hold (proof-and-search A3, `denotes`):
// buffers of the graph's own tensors, their tiles, and what copies made of them.
#pragma once

#include "engine/plan/plan.h"
#include "engine/sim/record/record.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace memplan::spyre {

/// Part of a host position: floor(position / stride) mod extent, and how far one step of it goes in the tensor.
struct HostDigit {
    std::int64_t stride = 1, extent = 1, element = 1;
};

/// element(position) = offset + sum over the digits; for a tile plus `advance` per iteration of each enclosing loop.
struct Meaning {
    TensorId tensor;
    std::vector<HostDigit> digits;  ///< outermost first
    std::int64_t offset = 0;
    bool isTile = false;  ///< one tile of the tensor, another one in each iteration
    std::vector<std::int64_t> advance;

    /// The element that an access at `index` means; nullopt where positions run over the end of a digit.
    [[nodiscard]] std::optional<sim::LinearIndex> elementOf(const sim::LinearIndex& index,
                                                            const std::vector<sim::RecordSymbol>& space) const;
};

/// Per buffer of the plan; none for an internal value. `isTile` says which buffers hold one tile of all iterations.
[[nodiscard]] std::vector<std::optional<Meaning>> meanings(const Plan& plan, const std::vector<bool>& isTile);

[[nodiscard]] sim::LinearIndex linearIndex(const PlanAccess& access);
/// Elements that an index moves by in one iteration of each enclosing loop of the op, outermost first.
[[nodiscard]] std::vector<std::int64_t> advanceOf(const Plan& plan, OpId op, const sim::LinearIndex& element);
[[nodiscard]] std::vector<sim::RecordSymbol> spaceOf(const PlanOp& op);
/// Copies elements unchanged: its function is the identity, or it spreads one number.
[[nodiscard]] bool isPlainMove(const PlanOp& op);

}  // namespace memplan::spyre

// SPDX-License-Identifier: Apache-2.0
// What stays in L1 between operations (ttnn-optimizer 6.1): reservations by position, and results with their layouts.
#pragma once

#include "engine/ttnn/machine/chains.h"

#include <optional>
#include <span>
#include <vector>

namespace memplan::ttnn {

/// Bytes of one core that are reserved at a position.
[[nodiscard]] Bytes reservedAt(std::span<const Reservation> reservations, Step position);

/// A result that is, or would be, in L1 behind its operation.
struct Resident {
    OperationId source;
    Layout layout;
    [[nodiscard]] Bytes bytes() const { return layout.shardBytes(); }
};

/// Applied decisions.
class Residency {
public:
    explicit Residency(std::size_t operations) : layouts_(operations) {}

    /// Both ends of `positions` as in a plan: half-open.
    void add(Resident resident, PositionRange positions, std::string purpose);
    /// Layout in which the result of an operation stays in L1; null where it does not.
    [[nodiscard]] const Layout* layoutOf(OperationId op) const;
    [[nodiscard]] const std::vector<Reservation>& reservations() const { return reservations_; }

private:
    std::vector<Reservation> reservations_;
    std::vector<std::optional<Layout>> layouts_;  ///< by operation
};

}  // namespace memplan::ttnn

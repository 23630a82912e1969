// SPDX-License-Identifier: Apache-2.0
// Rules of places that hold for every plan: inside the memory, aligned, apart while both live (codes.md 7).
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/plan/plan.h"

#include <functional>
#include <span>
#include <vector>

namespace memplan::verify {

class Placement {
public:
    /// `lives` parallel to the buffers, found by who knows the users; `isUsed` leaves out what nobody accesses.
    Placement(const Plan& plan, std::span<const StepRange> lives, std::function<bool(BufferId)> isUsed)
        : plan_(plan), lives_(lives), isUsed_(std::move(isUsed)) {}

    /// VER-013 without address, VER-001 misaligned, VER-002 outside. Nothing for a buffer off chip.
    [[nodiscard]] std::vector<Diagnostic> checkAddress(BufferId id) const;
    /// VER-003 for each pair that lives at once and shares bytes, unless one took the slot of the other.
    [[nodiscard]] std::vector<Diagnostic> checkOverlaps() const;

private:
    const Plan& plan_;
    std::span<const StepRange> lives_;
    std::function<bool(BufferId)> isUsed_;

    [[nodiscard]] const StepRange& life(BufferId id) const { return lives_[id.at()]; }
    [[nodiscard]] bool descends(BufferId child, BufferId ancestor) const;
    void checkPair(BufferId a, BufferId b, std::vector<Diagnostic>& found) const;
};

/// All of it by the lives that the plan states, and the peak: for machines without a validator that knows more.
[[nodiscard]] std::vector<Diagnostic> checkStatedPlaces(const Plan& plan);

}  // namespace memplan::verify

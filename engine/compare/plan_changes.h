// SPDX-License-Identifier: Apache-2.0
// What differs between two plans, one row for each item and field (user-experience 16.4).
#pragma once

#include "engine/compare/plan_match.h"
#include "engine/plan/plan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::compare {

/// In the order of the table.
enum class ChangeKind {
    CameOnChip,
    LeftChip,
    Moved,            ///< another address on chip, or another first column
    SlotChanged,      ///< takes over another parent's slot, or none any more
    LifetimeChanged,  ///< at other steps, and not merely moved with its operations
    SplitChanged,
    SizeChanged,
    ReasonChanged,  ///< off chip in both, for another reason
    Added,
    Removed
};
inline constexpr int kChangeKinds = 10;

[[nodiscard]] std::string_view kindText(ChangeKind kind);  ///< "came on chip"

struct Change {
    ChangeKind kind = ChangeKind::Moved;
    std::string item;     ///< name in B, or in A when removed
    std::string itemInA;  ///< only where it has another name there
    OpId opA, opB;        ///< valid for operations
    BufferId bufferA, bufferB;
    std::string field;                  ///< "address", "first column", "steps", ...
    std::string a, b;                   ///< values as text
    std::optional<std::int64_t> delta;  ///< B minus A; empty where nothing is counted, or nothing is left
    std::string unit;                   ///< of delta: "B", "columns", "steps", "cores"
    std::string effect;                 ///< what it means for main-memory traffic, may be empty
    std::optional<MatchRule> rule;      ///< empty for added and removed items
    friend bool operator==(const Change&, const Change&) = default;
    [[nodiscard]] bool isBuffer() const { return bufferA.isValid() || bufferB.isValid(); }
};

/// The unit of the delta in words: "steps", and "step" where it is one.
[[nodiscard]] std::string unitText(const Change& change);

/// Came on chip, left it, or is a new or lost item that stands on chip.
[[nodiscard]] bool isResidencyChange(const Change& change, const Plan& a, const Plan& b);

/// Grouped by kind; inside a kind in schedule order of B, removed items in that of A.
[[nodiscard]] std::vector<Change> planChanges(const Plan& a, const Plan& b, const PlanMatch& match);

/// "d0 / 8, d1 / 4" with the names of the loops; "one piece".
[[nodiscard]] std::string splitText(const PlanOp& op);

}  // namespace memplan::compare

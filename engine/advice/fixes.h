// SPDX-License-Identifier: Apache-2.0
// Why a buffer is off chip, in numbers, and which single changes bring it on chip: found by compiling with the change,
// never guessed (user-experience 7.5, 10, scratchpad 18).
#pragma once

#include "engine/plan/plan.h"
#include "engine/target/change.h"
#include "engine/target/compile.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace memplan::advice {

/// Another buffer that takes room while the refused one lives.
struct Blocker {
    BufferId buffer;
    std::string name;
    Address address = 0;
    Bytes size = 0;  ///< per core
    StepRange life;
    bool enough = false;  ///< without it alone there would be room
};

/// How one operation divides the refused buffer.
struct Division {
    OpId op;
    std::string name;
    std::string split;  ///< "d0 (1 024) / 32", "one piece"
    std::int64_t cores = 1;
    bool writes = false;
};

struct Evidence {
    ReasonCode reason = ReasonCode::PlanningOff;
    std::string sentence;    ///< the plan's own reason
    Bytes needed = 0;        ///< per core
    Bytes capacity = 0;      ///< usable per core
    Bytes largestGap = -1;   ///< over its whole lifetime; -1 where room is not the question
    Bytes tightestGap = -1;  ///< at the tightest step
    Step tightestStep = -1;
    Bytes traffic = 0;                ///< main-memory bytes a run that its accesses cost now
    std::vector<Blocker> blockers;    ///< no_room: largest first
    std::vector<Division> divisions;  ///< core_div_mismatch: every operation that touches it, in order
};

/// Evidence from the finished plan alone; nullopt for a buffer that is on chip.
[[nodiscard]] std::optional<Evidence> evidenceFor(const Plan& plan, BufferId buffer);

/// The changes worth trying for this buffer, smallest first: a hint on one buffer or operation, then on several, then
/// another solver, then settings of the whole compile. Same plan, same list.
[[nodiscard]] std::vector<Change> candidateChanges(const Plan& plan, BufferId buffer);

/// A change that was compiled and puts the buffer on chip.
struct Fix {
    Change change;
    Bytes onChipBefore = 0, onChipAfter = 0;    ///< device bytes of all buffers on chip
    Bytes trafficBefore = 0, trafficAfter = 0;  ///< main-memory bytes a run
    PlanPtr plan;                               ///< what the change leads to
    [[nodiscard]] bool pays() const { return trafficAfter < trafficBefore; }
};

struct FixOptions {
    int maxTrials = 12;  ///< compiles
    int enough = 3;      ///< stop after so many fixes that pay
};

struct FixReport {
    Evidence evidence;
    std::vector<Fix> fixes;  ///< those that pay first, smallest change first; then those that cost traffic
    int tried = 0;
    int untried = 0;  ///< candidates left when the budget was used up
};

/// Tries the candidates one after the other by compiling `request` with the change. `plan` is the plan of `request`.
/// Nothing is tried for an input whose clone is on chip already. Reports progress "trying"; a deadline ends the search
/// with what was found, cancelling is an error.
[[nodiscard]] Result<FixReport> findFixes(const CompileRequest& request, const Plan& plan, BufferId buffer,
                                          const FixOptions& options, const RunControl& control);

/// True when the value of this buffer is on chip in another plan of the same graph: itself or, for an input, its clone.
[[nodiscard]] bool isOnChipIn(const Plan& plan, const PlanBuffer& wanted);

/// The request with the change applied.
[[nodiscard]] CompileRequest applied(CompileRequest request, const Change& change);

}  // namespace memplan::advice

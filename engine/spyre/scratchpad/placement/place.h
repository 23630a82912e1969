// SPDX-License-Identifier: Apache-2.0
// Steps 16.3 and 16.4 as functions: what may live in the scratchpad, and where. The passes call them, and so do
// searches that plan a trial (spyre-scratchpad 3 to 8).
#pragma once

#include "engine/base/run_control.h"
#include "engine/spyre/pass.h"
#include "engine/spyre/scratchpad/placement/candidate_problem.h"
#include "engine/spyre/state.h"

#include <string_view>

namespace memplan::spyre {

inline constexpr std::string_view kBuffersStep = "scratchpad_planning.buffers";
inline constexpr std::string_view kSolveStep = "scratchpad_planning.solve";

/// Lifetimes, sizes on a core, eligibility and in-place candidates of every buffer.
[[nodiscard]] Result<PassOutcome> measureCandidates(State& state, PassContext& context);

/// Addresses by the solver of the settings, within hints. SET-002 for an unknown solver, LXI-... what the solver says.
[[nodiscard]] Result<PassOutcome> assignAddresses(State& state, PassContext& context);

/// Sizes and lifetimes of a compile that places nothing, with planning off as the reason where it is off.
void measureWithoutPlanning(State& state, const Settings& settings, const SpyreMachine& machine);

/// The candidates as an address problem, named after the graph.
[[nodiscard]] CandidateProblem problemOf(const State& state, const SpyreMachine& machine);

/// How long one run of the chosen solver may take: a searching one until the deadline of the compile or its own limit;
/// a quick one always comes to its end, so that a passed deadline leaves no plan cut off in the middle.
[[nodiscard]] RunControl solverControl(const PassContext& context, const Settings& settings);

/// The chosen solver searches and is too slow to judge many trials; best-fit in scored order screens them first.
[[nodiscard]] bool needsScreening(const Settings& settings);

}  // namespace memplan::spyre

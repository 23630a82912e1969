// SPDX-License-Identifier: Apache-2.0
// Hints as the address solvers and the clone step take them (spyre-scratchpad 4.1); trials and the final solve use the
// same.
#pragma once

#include "engine/solve/hinted.h"
#include "engine/spyre/scratchpad/buffers.h"
#include "engine/spyre/scratchpad/clone_inputs.h"
#include "engine/spyre/scratchpad/hints.h"
#include "engine/spyre/scratchpad/placement/candidate_problem.h"

namespace memplan::spyre {

/// Limits and slots go into the items of `candidates`; pins and addresses come back as wishes.
[[nodiscard]] solve::Wishes takeHints(const ScratchpadHints& hints, const Program& program,
                                      CandidateProblem& candidates);

/// Chapter 3.5 without the slots that a hint refuses.
void findInPlaceParents(const Program& program, const BufferRules& rules, const ScratchpadHints& hints,
                        std::vector<ScratchpadState::Entry>& entries);

/// Hints on clones, and on inputs that are wanted on or off chip.
[[nodiscard]] ClonePolicy clonePolicy(const State& state, const PassContext& context, bool byBudget);

}  // namespace memplan::spyre

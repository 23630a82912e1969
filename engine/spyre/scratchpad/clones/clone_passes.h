// SPDX-License-Identifier: Apache-2.0
// Pass 16 steps solver_clones and output_clones.
//
// solver_clones (spyre-scratchpad 14.4): every group of reads of an input that see it alike and access it at least
// twice is offered a copy on chip, in place of the budget of 9.1 and beside it. The better of the plans is kept; the
// program of 9.1 stays when no plan moves fewer bytes.
//
// output_clones (14.3, 9.2): graph outputs that the program reads live on chip, and a copy right after the writer goes
// to main memory as the output; inputs that 9.1 left without a copy are candidates by 9.2. Runs on the placed program
// and keeps a choice only when the plan then moves fewer bytes.
#pragma once

#include "engine/spyre/pass.h"

namespace memplan::spyre {

[[nodiscard]] Result<PassOutcome> addSolverClones(State& state, PassContext& context);
[[nodiscard]] Result<PassOutcome> addOutputClones(State& state, PassContext& context);

}  // namespace memplan::spyre

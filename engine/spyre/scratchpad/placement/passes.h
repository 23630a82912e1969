// SPDX-License-Identifier: Apache-2.0
// Pass 16, scratchpad_planning, as its steps (spyre-scratchpad 10, pipeline.md row 16):
//   16.1 clone_inputs  clone multi-use inputs within a budget (9.1)
//        reorder_ops   another order of the operations (14.2)
//        solver_clones input clones by placement (14.4)
//   16.3 buffers       liveness, sizes, eligibility, in-place candidates (3)
//   16.4 solve         address assignment by the chosen solver (5 - 8)
//        output_clones clones of inputs and outputs by placement (9.2, 14.3)
//   16.5 push          write addresses, take unplaced clones out, reasons of what stays off chip (4, 10)
#pragma once

#include "engine/spyre/pass.h"

namespace memplan::spyre {

// buffers and solve: place.h
[[nodiscard]] Result<PassOutcome> cloneSharedInputs(State& state, PassContext& context);
[[nodiscard]] Result<PassOutcome> pushAddresses(State& state, PassContext& context);

}  // namespace memplan::spyre

// SPDX-License-Identifier: Apache-2.0
// Pass 12 of the Spyre pipeline, coarse_tile, as its steps (pipeline.md 1):
//   12.1 reorder_interlopers  unhinted operations out of runs (2.5)
//   12.2 groups               groups from hints or manual groups (2.4)
//   -    joint_tiling         loops for results that find no room (spyre-cost-and-co-optimisation 16)
//   -    read_copies          tile-sized copies of inputs (spyre-cost-and-co-optimisation 16.6)
//   12.3 stamp                loop attributes and divided ranges (3)
//   12.4 propagate            tile buffers, full buffers, copies (4)
// Chapters of spyre-coarse-tiling-and-bundle.
#pragma once

#include "engine/spyre/pass.h"

namespace memplan::spyre {

[[nodiscard]] Result<PassOutcome> moveInterlopers(State& state, PassContext& context);
[[nodiscard]] Result<PassOutcome> formTileGroups(State& state, PassContext& context);
[[nodiscard]] Result<PassOutcome> stampLoops(State& state, PassContext& context);
[[nodiscard]] Result<PassOutcome> propagateLoopBuffers(State& state, PassContext& context);

}  // namespace memplan::spyre

// SPDX-License-Identifier: Apache-2.0
// Passes 2 to 15 of the Spyre pipeline (pipeline.md 1): layouts, padding, constants, chunks, names,
// coarse tiling, work division.
#pragma once

#include "engine/spyre/pass.h"

#include <vector>

namespace memplan::spyre {

/// In run order; lower_to_spyre goes in front and scratchpad_planning behind.
[[nodiscard]] const std::vector<const Pass*>& layoutAndDivisionPasses();

/// The single passes, for tests and for pipelines that leave some out.
[[nodiscard]] const Pass& deadCodePass();
[[nodiscard]] const Pass& propagateLayoutsPass();
[[nodiscard]] const Pass& optimizeRestickifyPass();
[[nodiscard]] const Pass& finalizeLayoutsPass();
[[nodiscard]] const Pass& insertRestickifyPass();
[[nodiscard]] const Pass& bmmPaddingPass();
[[nodiscard]] const Pass& constantsPass();
[[nodiscard]] const Pass& chunkPass();
[[nodiscard]] const Pass& namedDimsPass();
[[nodiscard]] const Pass& dimHintsPass();
[[nodiscard]] const Pass& spanReductionPass();
[[nodiscard]] const Pass& kFastPass();
[[nodiscard]] const Pass& matmulCostModelPass();
[[nodiscard]] const Pass& workDistributionPass();

}  // namespace memplan::spyre

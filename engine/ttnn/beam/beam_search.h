// SPDX-License-Identifier: Apache-2.0
// Pass 1 of the beam policy (ttnn-optimizer 12.4): layouts move forward along the graph, a few per operation, each
// asked together with the layouts of all its operands; then one per operation is chosen backward.
#pragma once

#include "engine/ttnn/assign/assignment.h"

namespace memplan::ttnn {

struct BeamWidths {
    std::size_t entries = 8;      ///< kept per operation
    std::size_t candidates = 64;  ///< per operand
    std::size_t tuples = 512;     ///< of operand layouts, per operation
};

/// Each operation runs with what it reads; room in L1 is not looked at beyond one operation at a time.
[[nodiscard]] Assignment beamSearch(Evaluator& evaluator, const BeamWidths& widths);

}  // namespace memplan::ttnn

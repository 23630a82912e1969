// SPDX-License-Identifier: Apache-2.0
// Failed chains in pieces (ttnn-optimizer 12.2): one dead edge costs the chain a cut there, not all its operations.
#pragma once

#include "engine/ttnn/solution/solution.h"

#include <optional>

namespace memplan::ttnn {

/// DFSharding with its failed chains cut where that leaves most cores in use. Nothing where no chain failed, or none is
/// better off in pieces.
[[nodiscard]] std::optional<Solution> partialChains(const PolicyInput& input);

}  // namespace memplan::ttnn

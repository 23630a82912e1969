// SPDX-License-Identifier: Apache-2.0
// All findings of one compile (ttnn-optimizer 15.3).
#pragma once

#include "engine/ttnn/advice/situation.h"

namespace memplan::ttnn {

/// Never changes anything; asks the model, so that its counters grow.
[[nodiscard]] Advice adviceFor(const Situation& situation);

}  // namespace memplan::ttnn

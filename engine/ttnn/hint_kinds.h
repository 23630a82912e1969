// SPDX-License-Identifier: Apache-2.0
// The kinds of hints for this machine (hints.md 4).
#pragma once

#include "engine/hints/kinds.h"

namespace memplan::ttnn {

[[nodiscard]] const hints::MachineHints& hintKinds();

}  // namespace memplan::ttnn

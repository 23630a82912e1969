// SPDX-License-Identifier: Apache-2.0
// The kinds of hints for this machine (hints.md 4).
#pragma once

#include "engine/hints/kinds.h"

namespace memplan::torchwright {

[[nodiscard]] const hints::MachineHints& hintKinds();

}  // namespace memplan::torchwright

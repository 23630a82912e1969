// SPDX-License-Identifier: Apache-2.0
// Text form of a program: one op per line, stable order, fixed number formatting (architecture 5.6).
#pragma once

#include "engine/spyre/state.h"

#include <string>

namespace memplan::spyre {

/// "exp = exp[pointwise](sub) over d0:512 d1:1024 | split d0/32 | layout [16, 512, 64] | lx 0"
[[nodiscard]] std::string snapshotText(const State& state);

}  // namespace memplan::spyre

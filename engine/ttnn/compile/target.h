// SPDX-License-Identifier: Apache-2.0
// TTNN as a target: the optimizer that plans the L1 of Tenstorrent devices (architecture 5.9).
#pragma once

#include "engine/target/target.h"

namespace memplan::ttnn {

[[nodiscard]] const Target& target();

}  // namespace memplan::ttnn

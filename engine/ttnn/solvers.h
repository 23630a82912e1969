// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/solve/machine_solvers.h"

namespace memplan::ttnn {

/// The values of `ttnn.policy`.
[[nodiscard]] const solve::MachineSolvers& solvers();

}  // namespace memplan::ttnn

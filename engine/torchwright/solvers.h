// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/solve/machine_solvers.h"

namespace memplan::torchwright {

/// The values of `torchwright.optimize`.
[[nodiscard]] const solve::MachineSolvers& solvers();

}  // namespace memplan::torchwright

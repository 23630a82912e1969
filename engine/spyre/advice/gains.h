// SPDX-License-Identifier: Apache-2.0
// What the passes of a plan gained, in their order and with the parts of its searches: each begins with the plan that
// the one before it left.
#pragma once

#include "engine/plan/gains.h"

namespace memplan::spyre {

[[nodiscard]] std::vector<Gain> gains(const Plan& plan);

}  // namespace memplan::spyre

// SPDX-License-Identifier: Apache-2.0
// Kernel configurations of a plan: the program of a product is the one that 3.4 of ttnn-optimizer gives, and the
// attributes that are written say what the configuration and the layouts say.
#pragma once

#include "engine/verify/report.h"

namespace memplan::verify::ttnn {

void checkPrograms(const Plan& plan, Report& report);

}  // namespace memplan::verify::ttnn

// SPDX-License-Identifier: Apache-2.0
// L1 address by address, where the plan was made so (ttnn.address_simulation; ttnn-optimizer 12.4).
#pragma once

#include "engine/verify/report.h"
#include "engine/verify/ttnn/values.h"

namespace memplan::verify::ttnn {

/// VER-009 where circular buffers do not fit below the tensors at a position.
void checkAddresses(const Plan& plan, const Values& values, Report& report);

}  // namespace memplan::verify::ttnn

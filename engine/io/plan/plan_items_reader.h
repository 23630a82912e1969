// SPDX-License-Identifier: Apache-2.0
// Ops and buffers of a plan file; the names of all of them are known to `fields` already.
#pragma once

#include "engine/plan/file/plan_fields.h"

namespace memplan::io {

[[nodiscard]] PlanOp readPlanOp(PlanFields& fields, TapeIndex at);
[[nodiscard]] PlanBuffer readPlanBuffer(PlanFields& fields, TapeIndex at);

}  // namespace memplan::io

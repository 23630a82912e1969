// SPDX-License-Identifier: Apache-2.0
// The key `execution` of a plan file: the execution record and the graph it is to be compared with
// (proof-and-search A3).
#pragma once

#include "engine/base/result.h"
#include "engine/json/json_text.h"
#include "engine/plan/file/plan_fields.h"
#include "engine/plan/plan.h"

namespace memplan::io {

/// Writes the member; nothing when the plan has no record or `plan.execution` is off.
void writeExecution(JsonWriter& writer, const Plan& plan);
/// Sets `execution` and `graph` where the file has them. Errors: IN-008 with a pointer, also for a buffer that names a
/// tensor which the graph does not have.
[[nodiscard]] Result<void> readExecution(PlanFields& fields, Plan& plan);

}  // namespace memplan::io

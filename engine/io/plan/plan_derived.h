// SPDX-License-Identifier: Apache-2.0
// What a plan file may leave out: the keys that start with x_, and metrics beyond those of the contract (command-line
// "Plan file"). What follows from the keys that are there is filled in; the rest keeps its neutral value, which the
// validator does not judge.
#pragma once

#include "engine/plan/file/plan_fields.h"
#include "engine/plan/plan.h"

namespace memplan::io {

/// Fills `plan`, which was read from the fields, where the file does not state it.
void deriveUnstated(const PlanFields& fields, Plan& plan);

}  // namespace memplan::io

// SPDX-License-Identifier: Apache-2.0
// The execution record of a finished Spyre plan (proof-and-search A3): what its code does, taken from the plan alone.
// Made when a plan is written or proved, never during a compile.
#pragma once

#include "engine/plan/plan.h"
#include "engine/sim/record/record.h"

#include <memory>

namespace memplan::spyre {

/// The plan was made from a graph and finished: loops, kernels and OpSpecs are there. Plans that were read from a file,
/// imported from a bundle, stopped early or solved from a list of buffers have no record of their own.
[[nodiscard]] bool canBeRecorded(const Plan& plan);

/// What the code of the plan does. Addresses and their advance are those of the OpSpecs under `spyre.stride_model`,
/// indices those of the accesses.
/// Needs canBeRecorded().
[[nodiscard]] sim::ExecutionRecord executionRecord(const Plan& plan);

/// The record that came with the plan, else its own, else null.
[[nodiscard]] std::shared_ptr<const sim::ExecutionRecord> recordOf(const Plan& plan);

}  // namespace memplan::spyre

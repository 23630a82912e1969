// SPDX-License-Identifier: Apache-2.0
// Plan file version 1 (command-line "Plan file"): writing, reading back for verify and explain.
//
// Keys and their order are those of the specification. What verify, explain and the views need
// beyond them stands behind them under keys that start with x_, which other readers ignore:
//   ops[]      x_loops [{name, extent, adjusted, elems_per_stick, reduction, slices}], x_accesses
//              [{buffer, coefficients, offset, write, indirect, slice_dims [[dim, slices]],
//              core_slots}], x_k_adjacent, x_group, x_added_by, x_off_chip_read, x_off_chip_write,
//              x_max_span
//   buffers[]  x_role, x_cores, x_uses (op positions), x_clone_of, x_tensor (tensor of the input
//              graph), x_traffic_saved; in `reason` x_largest_gap, x_gap_step, x_blockers,
//              x_writer, x_reader, x_others
//   memory     x_physical, x_live_peak_step, x_bound_per_step
//   passes[]   x_title, x_mandatory, x_parent, x_counts; in `diagnostics` x_pass, x_ops, x_buffers
//   the plan   x_solver, x_stopped_after, x_input_hash, x_plan_hash, x_problems, x_decisions
// The last key, `execution`, is what a simulation runs (proof-and-search A3, form in sim/record.h) and in it `graph`,
// the source as a memplan-graph. It is left out with plan.execution=false and in a plan that was not finished.
#pragma once

#include "engine/base/result.h"
#include "engine/plan/plan.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace memplan::io {

/// Largest plan file that is read: the hard maximum of limits.json_bytes (inputs-and-interchange 7). A plan is many
/// times larger than its graph, and what this program wrote it reads, whatever is set for other JSON files.
inline constexpr std::int64_t kMostPlanBytes = std::int64_t{1} << 30;

/// Passes that did not run are left out; `memory` and `metrics` are left out when the compile was
/// stopped before the scratchpad was planned.
[[nodiscard]] std::string writePlanJson(const Plan& plan);
/// Everything the file holds, as a plan without snapshots; the graph comes from the key `execution`, else it is null.
/// Unknown keys are ignored.
/// Errors: IN-008 with a pointer, also for another version (at /version).
[[nodiscard]] Result<Plan> readPlanJson(std::string_view bytes);
/// The same of bytes that nobody needs any more: they are gone before the plan is built, which for large files is much
/// memory.
[[nodiscard]] Result<Plan> takePlanJson(std::string bytes);

}  // namespace memplan::io

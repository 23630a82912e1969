// SPDX-License-Identifier: Apache-2.0
// The independent validator of TTNN plans: everything is recomputed from the operations, layouts and attributes that
// the plan states (ttnn-optimizer 1, 9, 15; codes.md 7). Shares nothing with the planner but plain values.
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/plan/plan.h"

#include <vector>

namespace memplan::verify::ttnn {

/// Violations VER-001 to VER-013, each naming its place; empty = clean.
[[nodiscard]] std::vector<Diagnostic> checkPlan(const Plan& plan);
/// The same, and what a finished plan says of the work of the compile: counters, figures of passes, sentences,
/// overrides that it does not keep.
///
/// What no rule can recompute from the plan is held against the hash of its part (engine/ttnn/plan_file/codec.h), which
/// sees that it was changed after the plan was made, not that it was true then: the file and the name of the input,
/// settings that leave no trace, how often a solver asked the model, what an edge had to choose from, scores of what
/// was not chosen, wording of findings, figures of the device that no rule uses, locations in the source. Nothing
/// holds the seconds of a pass but their range and their sum, nor the number of threads.
[[nodiscard]] std::vector<Diagnostic> checkFile(const Plan& plan);

}  // namespace memplan::verify::ttnn

// SPDX-License-Identifier: Apache-2.0
// The machine (proof-and-search A4): runs an execution record on memories that are real cells, and compares with
// direct evaluation of the source graph.
#pragma once

#include "engine/base/result.h"
#include "engine/base/run_control.h"
#include "engine/sim/eval/evaluator.h"
#include "engine/sim/outcome.h"
#include "engine/sim/record/record.h"

#include <vector>

namespace memplan::sim {

/// Runs the record. A record that contradicts itself, runs out of memory or reads what it must not is an outcome, not
/// an error. Errors: VER-026 over the memory limit, CANCELLED.
[[nodiscard]] Result<Outcome> prove(const ExecutionRecord& record, const SimOptions& options,
                                    const RunControl& control);

/// What the record takes as given, for evaluate().
[[nodiscard]] EvaluatorOptions evaluatorOptions(const ExecutionRecord& record, const SimOptions& options);
/// Runs the record against values that are known already. `wasRead`, when given, says for every op of the record
/// whether anybody (a later op or the outputs) read what it wrote.
[[nodiscard]] Result<Outcome> proveAgainst(const ExecutionRecord& record, const Evaluation& evaluation,
                                           const SimOptions& options, const RunControl& control,
                                           std::vector<bool>* wasRead = nullptr);

}  // namespace memplan::sim

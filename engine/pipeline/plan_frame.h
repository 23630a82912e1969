// SPDX-License-Identifier: Apache-2.0
// What the plan of every machine has of its request and of its run.
#pragma once

#include "engine/pipeline/compilation.h"
#include "engine/plan/plan.h"

#include <string_view>

namespace memplan {

/// Target, input, graph, settings, machine and the pass to stop after.
void putRequest(const CompileRequest& request, Plan& plan);
/// Moves passes and decisions into the plan; what the passes report becomes problems.
void putRun(RunFacts& facts, Plan& plan);
/// Last of all: both hashes.
void sealPlan(const CompileRequest& request, Plan& plan);

/// A warning with the code of the reason why a buffer is off chip, the sentence of it behind `begin`.
[[nodiscard]] Diagnostic refusalOf(const Plan& plan, BufferId id, std::string_view begin);

}  // namespace memplan

// SPDX-License-Identifier: Apache-2.0
// Comparison of whole plans. The preset `best`: its own settings, the same with the other division of multiplies, and
// the product's; the plan that moves the fewest bytes is kept (settings.md 1). The search for tilings: the plan with
// loops against the one without (spyre-cost-and-co-optimisation 16).
#pragma once

#include "engine/spyre/compile/tiling_search.h"

namespace memplan::spyre {

/// True when the request asks for the preset or for tilings and runs to its end.
[[nodiscard]] bool comparesVariants(const CompileRequest& request);

/// Compiles the variants and keeps the best: most hints satisfied, then fewest main-memory bytes, then least estimated
/// time, then first. Its decisions say what each was worth; settings and input hash are those of the request. Until the
/// deadline of `control`, of which each compile takes at most half of what is left; what it leaves no time for is not
/// compared.
[[nodiscard]] CompileOutcome compileBest(const CompileRequest& request, const RunControl& control,
                                         const SingleCompile& compileOne, PipelineObserver* observer);

}  // namespace memplan::spyre

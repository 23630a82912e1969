// SPDX-License-Identifier: Apache-2.0
// Advice about one value that is off chip, in the form in which every machine gives it (target/change.h).
#pragma once

#include "engine/plan/plan.h"
#include "engine/target/change.h"

#include <string>
#include <vector>

namespace memplan::ttnn {

/// A finding of advice among the diagnostics of a plan (15.3).
[[nodiscard]] bool isAdvice(const Diagnostic& d);

/// What the findings about the operation that makes it propose: hints first, then settings. Empty for copies that were
/// inserted, and for a plan that was read from a file.
[[nodiscard]] std::vector<advice::Change> changesFor(const Plan& plan, BufferId buffer);
/// What the diagnostics of its operation say to do.
[[nodiscard]] std::vector<std::string> changesInWords(const Plan& plan, BufferId buffer);

}  // namespace memplan::ttnn

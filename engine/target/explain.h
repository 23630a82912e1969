// SPDX-License-Identifier: Apache-2.0
// Words about a finished plan: why a buffer or an op is where it is, the smallest change that would
// make room for it, and the figures of the whole plan (command-line, `explain`). Reads the plan only.
#pragma once

#include "engine/plan/plan.h"
#include "engine/target/explanation.h"

#include <string>
#include <string_view>
#include <vector>

namespace memplan {

/// Everything that bears the name: an op and the buffer of the same name are two entries, the buffer
/// first. Else the tensor or the node of the input of this name, "8 (node)" too, or a part of the plan that only its
/// machine has. Empty when there is none.
[[nodiscard]] std::vector<Explanation> explainName(const Plan& plan, std::string_view name);
/// Names of all buffers and ops, without doubles, for "did you mean".
[[nodiscard]] std::vector<std::string> explainableNames(const Plan& plan);

/// Aligned text, lines end with LF.
[[nodiscard]] std::string explanationText(const Explanation& explanation);

}  // namespace memplan

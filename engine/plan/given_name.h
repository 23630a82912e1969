// SPDX-License-Identifier: Apache-2.0
// Buffers that a pass added hold tensors of the input graph under names of the pass (pipeline.md 1): who knows the file
// looks for them by the names that stand there.
#pragma once

#include "engine/plan/plan.h"

#include <optional>
#include <string>
#include <string_view>

namespace memplan {

/// Id of the graph's tensor that the buffer holds, where the buffer itself is named otherwise; else empty. Clones and
/// copies have none: the original is what the graph names.
[[nodiscard]] std::string_view givenName(const Plan& plan, BufferId id);

/// "z (buf0)": the given name first, the plan's own name otherwise alone.
[[nodiscard]] std::string shownName(const Plan& plan, BufferId id);

/// The buffer of this name, or else the one of this given name.
[[nodiscard]] std::optional<BufferId> bufferNamed(const Plan& plan, std::string_view name);

}  // namespace memplan

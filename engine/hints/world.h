// SPDX-License-Identifier: Apache-2.0
// Looking things up in a World. Internal to engine/hints.
#pragma once

#include "engine/hints/validate.h"

#include <vector>

namespace memplan::hints {

/// LX bytes that the planner may use under the settings.
[[nodiscard]] Bytes usableBytes(const World& world);
/// Cores that the first op among the scopes is planned for: those of the settings, or less by an enabled max_cores
/// hint.
[[nodiscard]] std::int64_t coresFor(const std::vector<Scope>& scopes, const World& world);

/// The first op, tensor or plan item that the scopes name; nullptr when it is not there.
[[nodiscard]] const Op* graphOpOf(const std::vector<Scope>& scopes, const World& world);
[[nodiscard]] const Tensor* graphTensorOf(const std::vector<Scope>& scopes, const World& world);
[[nodiscard]] const PlanOp* planOpOf(const std::vector<Scope>& scopes, const World& world);
[[nodiscard]] const PlanBuffer* planBufferOf(const std::vector<Scope>& scopes, const World& world);

}  // namespace memplan::hints

// SPDX-License-Identifier: Apache-2.0
// Ops, buffers, loops and kernels of a plan out of an imported OpSpec tree.
#pragma once

#include "engine/pipeline/request.h"
#include "engine/spyre/machine/spyre_machine.h"

#include <memory>

namespace memplan::spyre {

/// `request.imported` is there. What a source does not record (reasons, propagation) is said to be so; passes,
/// decisions and the hash are left to the caller. Absurd extents and addresses are cut, never refused.
[[nodiscard]] std::shared_ptr<Plan> buildImportedPlan(const CompileRequest& request, const SpyreMachine& machine);

}  // namespace memplan::spyre

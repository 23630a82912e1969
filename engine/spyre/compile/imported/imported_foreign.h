// SPDX-License-Identifier: Apache-2.0
// Entries of an imported kernel that are no operations of Spyre: those that the source calls so, and those whose
// descriptor is lost (spyre-coarse-tiling-and-bundle 17.1), and the fallback kernels between the kernels.
#pragma once

#include "engine/plan/op_spec/op_spec.h"
#include "engine/plan/plan.h"
#include "engine/spyre/bundle/host_call.h"

#include <string>
#include <vector>

namespace memplan::spyre {

/// Fills type and kind of `op`, the entry `node` of the kernel named, and returns the name that it should have. Those
/// of `problems` that report the loss of its descriptor lead to it from now on.
[[nodiscard]] std::string describeForeign(const bundle::SpecNode& node, const std::string& kernel, OpId id, PlanOp& op,
                                          std::vector<Diagnostic>& problems);

/// Adds a fallback kernel: an operation of the host that is a kernel of its own. What it moves is in no source.
void addFallback(const std::string& name, const std::vector<BufferId>& read, const std::vector<BufferId>& written,
                 Plan& plan);

/// Makes `op`, a fallback kernel that writes `buffer`, one that fills elements of it.
void describeFill(const bundle::HostFill& fill, BufferId buffer, PlanOp& op);

}  // namespace memplan::spyre

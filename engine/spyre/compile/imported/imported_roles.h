// SPDX-License-Identifier: Apache-2.0
// What the tensors of an imported program are to its caller (spyre-coarse-tiling-and-bundle 9.2, 12.1, 17.1).
#pragma once

#include "engine/plan/plan.h"
#include "engine/spyre/bundle/imported.h"

namespace memplan::spyre {

/// Lives, roles and reasons of the buffers after all ops are built. The host part of a wrapper source names inputs and
/// outputs; without it an argument that is read first is an input, and one that nothing reads an output.
void settleRoles(Plan& plan, const bundle::ImportedProgram& source);

/// What is on chip across two kernels (spyre-scratchpad 14.6), where the source gives their order.
void markBoundaries(Plan& plan);

}  // namespace memplan::spyre

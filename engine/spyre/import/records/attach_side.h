// SPDX-License-Identifier: Apache-2.0
// Puts side information beside a finished plan (spyre-coarse-tiling-and-bundle 17.2 to 17.4).
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/plan/plan.h"
#include "engine/plan/side_info.h"
#include "engine/target/target.h"

#include <vector>

namespace memplan::spyre {

/// What the documents say of the plan, which stays as it is. Operations and tensors join by name (an op's name or that
/// of the buffer it writes); kernels by the compiler's name, with or without what a cache folder adds to it, and
/// their ops by path in the OpSpec tree. Where no name of a file is known and it lists as many computed operations as
/// the plan has, they are taken in order (17.4).
[[nodiscard]] SideAttachment attachSide(const Plan& plan, const std::vector<SideDocument>& documents);

}  // namespace memplan::spyre

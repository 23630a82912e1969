// SPDX-License-Identifier: Apache-2.0
// Hashes over the parts of a TTNN plan: key `hashes` of its target_data.
#pragma once

#include "engine/plan/part_hashes.h"

namespace memplan {

/// Of the parts that every plan has and of those of target_data. Made when the plan is finished; the validator makes
/// them again.
[[nodiscard]] PartHashes ttnnHashes(const Plan& plan);

}  // namespace memplan

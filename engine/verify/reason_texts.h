// SPDX-License-Identifier: Apache-2.0
// The sentence of a reason follows from its code and the figures beside it (spyre-scratchpad 9.1, codes.md 1).
#pragma once

#include "verify/reading.h"

#include <string_view>

namespace memplan::verify {

/// False where the sentence is not one that the code, the operations that touch the buffer and the figures of the plan
/// give. Of a hint, a partner and a clone that was taken out the plan does not hold the cause: any sentence may be.
[[nodiscard]] bool isSentenceOf(const PlanReading& reading, BufferId id, const Reason& reason);

}  // namespace memplan::verify

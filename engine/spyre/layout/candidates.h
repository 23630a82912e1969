// SPDX-License-Identifier: Apache-2.0
// Which device layouts an operation may give its result, and what it asks of its inputs
// (spyre-layouts-and-work-division 5.2).
#pragma once

#include "engine/base/result.h"
#include "engine/spyre/layout/layout_question.h"
#include "engine/spyre/program.h"

namespace memplan::spyre {

/// Candidates of one op. Errors: LAY-002, LAY-003, LAY-005, LAY-006, LAY-009.
[[nodiscard]] Result<OpCandidates> layoutCandidates(const LayoutQuestion& question);

/// The only candidate of an op that accepts anything: a fallback kernel.
[[nodiscard]] OpCandidates fallbackCandidates(const Buffer& output);

}  // namespace memplan::spyre

// SPDX-License-Identifier: Apache-2.0
// Whole solutions that the searches of chapter 12 compare.
#pragma once

#include "engine/ttnn/assign/assignment.h"

#include <cstdint>

namespace memplan::ttnn {

/// A solution that is compared by its cost and kept only with at least so many sharded operations.
struct Candidate {
    Assignment assignment;
    Evaluation evaluation;
};

/// Legal and with enough sharded operations first, then what costs less.
[[nodiscard]] bool isBetter(const Evaluation& a, const Evaluation& b, std::int64_t floor);

}  // namespace memplan::ttnn

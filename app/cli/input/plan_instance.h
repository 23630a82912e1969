// SPDX-License-Identifier: Apache-2.0
// The allocation instance that a finished plan is an answer to (inputs-and-interchange 5.2).
#pragma once

#include "engine/plan/plan.h"
#include "engine/solve/problem/address_problem.h"

#include <string>

namespace memplan::cli {

struct PlacedInstance {
    solve::Problem problem;
    solve::Addresses addresses;  ///< empty where the machine plans none
};

/// The buffers that live on chip, with their addresses. Where a child reuses the slot of its parent in place, the
/// bytes of the parent under the child count as dead from the birth of the child on, so that nothing overlaps.
[[nodiscard]] PlacedInstance instanceOf(const Plan& plan);

}  // namespace memplan::cli

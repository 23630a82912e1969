// SPDX-License-Identifier: GPL-3.0-or-later
// Plans for the tests of the graph view and the core grid.
#pragma once

#include "engine/plan/plan.h"

namespace memplan::fixture {

/// The encoder layer with its true edges (the 36 ops of design README, picture c).
[[nodiscard]] PlanPtr encoderWithEdges();

/// Softmax over axis 0 of 512 x 1024 on 8 (or so many) cores, compiled by the engine: max and sum slice columns,
/// sub, exp and div slice rows (spyre-layouts-and-work-division 18.3; picture d).
[[nodiscard]] PlanPtr splitMismatch(int cores = 8);

/// `ops` operations, each reading one or two of the last few; groups "layer i/block k" of 8 ops.
[[nodiscard]] PlanPtr layeredPlan(int ops);

}  // namespace memplan::fixture

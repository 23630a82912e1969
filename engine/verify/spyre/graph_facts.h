// SPDX-License-Identifier: Apache-2.0
// A plan against the graph it was made from: every tensor with its shape, type and part, every operation with its
// function (inputs-and-interchange 2). For plans whose graph is there: in the file (key `execution`) or read again.
#pragma once

#include "engine/verify/report.h"
#include "engine/verify/spyre/reading/reading.h"

namespace memplan::verify {

/// VER-013 for each contradiction; nothing without a graph.
void checkGraphFacts(const PlanReading& reading, Report& report);

}  // namespace memplan::verify

// SPDX-License-Identifier: Apache-2.0
// A finished plan in the formats of other tools (inputs-and-interchange 5.3 to 5.5). Equal plans give equal bytes.
#pragma once

#include "engine/plan/plan.h"

#include <string>

namespace memplan::io {

/// Chrome trace JSON: one planner step is one microsecond; operations, loops, buffers as async pairs, bytes in
/// on-chip memory as a counter (5.3).
[[nodiscard]] std::string chromeTrace(const Plan& plan);

/// Model Explorer JSON: a node for every operation and graph input, with memory, division and reasons (5.4).
[[nodiscard]] std::string modelExplorerJson(const Plan& plan);

/// Graphviz dot, filled by residence, clusters by group; above 5 000 operations the groups alone, and
/// `isCoarse` says so (EXP-004).
struct DotText {
    std::string text;
    bool isCoarse = false;
};
[[nodiscard]] DotText graphvizDot(const Plan& plan);

}  // namespace memplan::io

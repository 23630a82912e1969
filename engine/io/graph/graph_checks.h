// SPDX-License-Identifier: Apache-2.0
// Stages D to F of inputs-and-interchange 2.7. All walks are iterative, all products checked.
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/graph/graph.h"
#include "engine/io/graph/graph_fields.h"
#include "engine/json/limits.h"

#include <string>
#include <string_view>
#include <vector>

namespace memplan::io {

/// Stage D by name: MPG-203 .. MPG-206, MPG-210. The result is whole only when nothing was reported.
[[nodiscard]] Graph resolveGraph(RawGraph raw, Diagnostics& findings);

/// MPG-201, MPG-202: equal ids.
void checkUniqueIds(const Graph& graph, Diagnostics& findings);
/// Stage D on ids: every id is in range, interface tensors are named once, symbols are declared,
/// groups nest and are consecutive (2.5).
void checkReferences(const Graph& graph, Diagnostics& findings);
void checkGroups(const Graph& graph, Diagnostics& findings);
/// Stage E: MPG-301 .. MPG-305.
void checkStructure(const Graph& graph, Diagnostics& findings);
/// Stage F on tensors: MPG-310 .. MPG-314.
void checkTensors(const Graph& graph, const Limits& limits, Diagnostics& findings);
/// Stage F on ops: MPG-306 .. MPG-309.
void checkIterationSpaces(const Graph& graph, Diagnostics& findings);

/// MPG-309's reason when the op's loops and maps do not have the form of its kind (2.4); empty =
/// they have. The maps have the ranks of their operands.
[[nodiscard]] std::string iterationFault(const Graph& graph, const Op& op);

/// Op positions of one shortest cycle in flow order, from its smallest position; empty = none.
[[nodiscard]] std::vector<std::size_t> shortestCycle(const Graph& graph);

/// Stages D to F of 2.7 on a graph in memory; used on importers' results (IN-900).
[[nodiscard]] std::vector<Diagnostic> checkGraph(const Graph& graph, const Limits& limits);

/// JSON pointers such as /ops/3/inputs/1.
[[nodiscard]] std::string pointerTo(std::string_view section, std::size_t index);
[[nodiscard]] std::string pointerTo(std::string_view section, std::size_t index, std::string_view member);
[[nodiscard]] std::string pointerTo(std::string_view section, std::size_t index, std::string_view member,
                                    std::size_t entry);

}  // namespace memplan::io

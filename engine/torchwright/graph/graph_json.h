// SPDX-License-Identifier: Apache-2.0
// Reader and writer of `memplan.torchwright-graph` version 1 (torchwright.md 3). Every check has its own code, TW-002
// to TW-012, and names its place; a damaged file ends in findings, never in a crash.
#pragma once

#include "engine/base/result.h"
#include "engine/base/run_control.h"
#include "engine/json/limits.h"
#include "engine/torchwright/graph/node_graph.h"

#include <string>
#include <string_view>
#include <vector>

namespace memplan::torchwright {

inline constexpr std::string_view kGraphFormat = "memplan.torchwright-graph";

struct ReadGraph {
    NodeGraph graph;
    std::vector<Diagnostic> warnings;  ///< TW-011
};

/// Nodes that no output needs are left out. Assert and DebugWatch are still there.
[[nodiscard]] Result<ReadGraph> readGraph(std::string_view bytes, const io::Limits& limits, const RunControl& control);

/// A graph of which every node is needed, as text that readGraph() takes.
[[nodiscard]] std::string writeGraph(const NodeGraph& graph);

}  // namespace memplan::torchwright

// SPDX-License-Identifier: Apache-2.0
// A neutral graph with the nodes and values of a torchwright graph, for views, names and hints. Ids are the numbers of
// the nodes as text; annotations are groups within groups.
#pragma once

#include "engine/graph/graph.h"
#include "engine/torchwright/graph/node_graph.h"

#include <memory>
#include <string>

namespace memplan::torchwright {

[[nodiscard]] std::shared_ptr<const Graph> graphOfNodes(const NodeGraph& graph, const std::string& name);

}  // namespace memplan::torchwright

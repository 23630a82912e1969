// SPDX-License-Identifier: Apache-2.0
// Convolutions whose bias is added by an operation of its own: the planner gives the product a buffer that the graph
// does not have (inputs-and-interchange 6).
#pragma once

#include "engine/graph/graph.h"
#include "engine/verify/spyre/artefact/bundle/loaded.h"

namespace memplan::sim::artefact {

/// The graph with these convolutions written as product and addition, where a kernel of the bundle takes the product
/// as an argument: its name is that of the result with ".product" behind it.
[[nodiscard]] Graph withProducts(Graph graph, const LoadedBundle& bundle);

}  // namespace memplan::sim::artefact

// SPDX-License-Identifier: Apache-2.0
// Leaves parts of a graph out: how a failing case is made small.
#pragma once

#include "engine/graph/graph.h"

#include <vector>

namespace memplan::test {

/// Tensors that no op touches and that are not returned are taken out; ids of the others are their new positions.
void dropUnusedTensors(Graph& graph);

/// The graph without the marked ops: a tensor that one of them made and that is still read becomes an input, one that
/// nobody reads any more is returned. Groups are dissolved; hints keep the scopes that still exist. The result may
/// break a rule (io::checkGraph finds out), for instance where an op writes into what is an input now.
[[nodiscard]] Graph withoutOps(Graph graph, std::vector<bool> isLeftOut);

}  // namespace memplan::test

// SPDX-License-Identifier: Apache-2.0
// A part of a graph as a graph of its own: what a range filter leaves of a large input (user-experience 19.8).
#pragma once

#include "engine/base/result.h"
#include "engine/graph/graph.h"

#include <string>

namespace memplan {

/// Which operations stay: those from `first` to `last`, both with them, that are also under `prefix`. An empty text
/// sets no bound. `first` and `last` are ids of operations or positions counted from 0. `prefix` is an annotation: the
/// path of groups ("layer3/attention"), or the name that the operation had in the source; it stops where a name ends,
/// so that "layer1" does not take "layer10".
struct GraphCut {
    std::string first, last, prefix;

    [[nodiscard]] bool isEmpty() const { return first.empty() && last.empty() && prefix.empty(); }
    /// "ops 10 to 20 under layer3", empty for no cut; the same text always means the same cut.
    [[nodiscard]] std::string text() const;
    friend bool operator==(const GraphCut&, const GraphCut&) = default;
};

/// Path of the groups around an operation, outermost first: "layer3/attention"; empty without a group.
[[nodiscard]] std::string annotationOf(const Graph& graph, const Op& op);

/// The operations of the cut in their order, with the tensors that they access. A tensor that an operation outside
/// makes becomes an input with storage of its own; one that an operation outside reads becomes an output. Groups keep
/// the members that stay and their ancestors, hints the scopes that stay. Nothing is removed from an empty cut.
/// Errors: IN-014 for an unknown operation, a range that ends before it begins, and a cut that leaves nothing.
[[nodiscard]] Result<Graph> cutGraph(const Graph& graph, const GraphCut& cut);

}  // namespace memplan

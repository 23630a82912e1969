// SPDX-License-Identifier: Apache-2.0
// Parts of a graph that compile by themselves (torchwright.md 14): what feeds some nodes, the graph without an
// annotation, the graph from some nodes on. Errors: TW-021.
#pragma once

#include "engine/base/result.h"
#include "engine/torchwright/graph/node_graph.h"

namespace memplan::torchwright {

/// Only what feeds these nodes, which become the output: of several, a Concatenate with the next free number is made.
/// Extra outputs are dropped.
[[nodiscard]] Result<NodeGraph> isolated(const NodeGraph& graph, const std::vector<NodeId>& nodes);

/// True for a node of this annotation or of one below it.
[[nodiscard]] bool isUnder(const Node& node, std::string_view annotation);
/// Every node under the annotation that something else reads, or that is an output, becomes a zero literal of its
/// width. It computes other values: it has no tensors.
[[nodiscard]] Result<NodeGraph> stubbed(const NodeGraph& graph, std::string_view annotation);

/// These nodes become inputs of the same number and width. None may be an input already or a Concatenate, and none may
/// feed another of them.
[[nodiscard]] Result<NodeGraph> withInputs(const NodeGraph& graph, const std::vector<NodeId>& nodes);

/// The settings `torchwright.isolate`, `stub` and `as_inputs` as they are written.
struct CutSettings {
    std::string isolate;   ///< comma list of numbers
    std::string stub;      ///< comma list of annotations
    std::string asInputs;  ///< comma list of numbers
};

/// Isolation, then stubs, then inputs; the graph itself where all are empty.
[[nodiscard]] Result<NodeGraph> cutAsAsked(const NodeGraph& graph, const CutSettings& settings);
/// What is scheduled of a graph: cut as asked, without Assert and DebugWatch, with a position encoding.
[[nodiscard]] Result<NodeGraph> preparedGraph(const NodeGraph& graph, const CutSettings& settings,
                                              Columns positionWidth);
/// The nodes of a comma list of numbers; `setting` is the one that an error names.
[[nodiscard]] Result<std::vector<NodeId>> nodesOfList(const NodeGraph& graph, std::string_view list,
                                                      std::string_view setting);

}  // namespace memplan::torchwright

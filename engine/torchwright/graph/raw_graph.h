// SPDX-License-Identifier: Apache-2.0
// A graph file between its stages: nodes whose edges are still numbers, each with its place for messages.
#pragma once

#include "engine/json/limits.h"
#include "engine/torchwright/graph/json_fields.h"
#include "engine/torchwright/graph/node_graph.h"

#include <map>

namespace memplan::torchwright {

struct RawNode {
    Node node;  ///< without edges and weights
    std::vector<std::int64_t> inputs, after;
    io::TapeIndex at = 0;
};

struct RawGraph {
    std::string name;
    std::vector<RawNode> nodes;                                             ///< by ascending number after resolveGraph
    io::TapeIndex output = 0, extraOutputs = 0, position = 0, tensors = 0;  ///< 0 = not there
};

inline constexpr std::int64_t kMaxNumber = std::int64_t{1} << 53;
inline constexpr std::int64_t kMaxWidth = std::int64_t{1} << 20;
/// Rows of an embedding: parameters of as many nodes as a file may have add up within 64 bits.
inline constexpr std::int64_t kMaxVocab = std::int64_t{1} << 24;

/// One entry of `nodes`: fields and their types. TW-009 for a type that is not known.
[[nodiscard]] RawNode readNode(JsonFields& in, io::TapeIndex at, const io::Limits& limits);

/// Numbers become ids, the position encoding is put in its place. TW-003, TW-004, TW-007, TW-008; TW-011.
[[nodiscard]] NodeGraph resolveGraph(RawGraph& raw, JsonFields& in);

/// Where each node of a graph stands in the file; 0 for a position encoding that is no entry of `nodes`.
using Places = std::vector<io::TapeIndex>;
[[nodiscard]] Places placesOf(const RawGraph& raw, const NodeGraph& graph);

/// TW-005 with the nodes of one cycle. Nothing that walks along edges may run after it.
void checkCycles(const NodeGraph& graph, const Places& places, JsonFields& in);
/// TW-006 and TW-012 (widths), MPG-110 for Concatenates that are too large when flattened.
void checkWidths(const NodeGraph& graph, const Places& places, JsonFields& in);

/// The weights that the nodes name. TW-010, TW-012 (width of query and key).
void attachTensors(NodeGraph& graph, const Places& places, io::TapeIndex tensors, JsonFields& in);
/// TW-012: an attention that reads a child of a Concatenate through zeros alone.
void checkDeadChildren(const NodeGraph& graph, const Places& places, JsonFields& in);

}  // namespace memplan::torchwright

// SPDX-License-Identifier: Apache-2.0
// What the host gives a graph: rows of its inputs, token ids of its embeddings (torchwright.md 4).
#pragma once

#include "engine/base/result.h"
#include "engine/torchwright/eval/rows.h"
#include "engine/torchwright/graph/node_graph.h"

#include <map>
#include <string>

namespace memplan::torchwright {

/// Keys are those of inputKey(): nodes of one name get one value.
struct GraphInputs {
    std::size_t positions = 1;
    std::map<std::string, Rows> rows;                         ///< of each InputNode
    std::map<std::string, std::vector<std::int64_t>> tokens;  ///< of each Embedding: a row of its table a position
    std::size_t firstPosition = 0;                            ///< tokens that came before, of a run with a cache

    friend bool operator==(const GraphInputs&, const GraphInputs&) = default;
};

/// What the host calls the input: the name of an InputNode, the input name of an Embedding; its number without one.
[[nodiscard]] std::string inputKey(const Node& node);

/// TW-022 for an input that is missing or has the wrong size, a token that the table does not have.
[[nodiscard]] Result<void> checkInputs(const NodeGraph& graph, const GraphInputs& inputs);

/// Uniform in the value range of each input and over the carried rows of each table. The same seed gives the same
/// inputs.
[[nodiscard]] GraphInputs sampleInputs(const NodeGraph& graph, std::size_t positions, std::uint64_t seed);

}  // namespace memplan::torchwright

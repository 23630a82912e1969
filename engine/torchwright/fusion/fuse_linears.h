// SPDX-License-Identifier: Apache-2.0
// Fusion of consecutive Linears (torchwright.md 11). A pair is fused when the first is read once, by the second alone,
// and the product is not larger than both. Not always a gain: it moves work between layers and widths.
#pragma once

#include "engine/torchwright/graph/node_graph.h"

namespace memplan::torchwright {

struct LinearPair {
    NodeId first, second;
    friend bool operator==(const LinearPair&, const LinearPair&) = default;
};

/// Which pairs may be fused.
struct FusionRule {
    bool fuseAll = true;           ///< false: only the pairs of `wanted`
    std::vector<NodeId> wanted;    ///< first Linears with the hint `fuse` true
    std::vector<NodeId> unwanted;  ///< first Linears with the hint `fuse` false
    std::vector<NodeId> kept;      ///< nodes that another hint names: they may not vanish (TW-019)
};

struct Fusion {
    NodeGraph graph;
    std::vector<LinearPair> fused;    ///< ids of the graph as given, by ascending first
    std::vector<LinearPair> refused;  ///< because a hint points at the first (TW-019)
};

/// The two as one affine map: first, then second. Without tensors the sizes and has_bias alone.
[[nodiscard]] LinearData fusedData(const LinearData& first, const LinearData& second);
/// Pairs that pass the rules of size and fan-out, by ascending first Linear. Needs a stripped graph.
[[nodiscard]] std::vector<LinearPair> fusablePairs(const NodeGraph& graph);
[[nodiscard]] Fusion fuseLinears(const NodeGraph& graph, const FusionRule& rule);

}  // namespace memplan::torchwright

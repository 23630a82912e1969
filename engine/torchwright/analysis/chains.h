// SPDX-License-Identifier: Apache-2.0
// Chains Linear, ReLU, Linear, which one MLP sublayer computes at once (torchwright.md 5).
#pragma once

#include "engine/torchwright/analysis/relations.h"

#include <optional>
#include <span>

namespace memplan::torchwright {

struct Chain {
    NodeId first, relu, second;
    bool isExclusive = false;  ///< nobody but the ReLU reads the first Linear: it never owns columns
    friend bool operator==(const Chain&, const Chain&) = default;
};

/// Finds chains; a node that is part of one is part of no later one.
class ChainFinder {
public:
    /// Nodes that are taken from the start, by id, are part of no chain: those that are computed already.
    ChainFinder(const NodeGraph& graph, const Relations& relations, std::vector<bool> isTaken);

    /// Chains that begin at one of the Linears among `candidates` (ascending), one for each at most.
    [[nodiscard]] std::vector<Chain> find(std::span<const NodeId> candidates);

private:
    [[nodiscard]] bool isFree(NodeId id) const { return !isTaken_[id.at()]; }
    [[nodiscard]] bool completes(NodeId first, NodeId relu) const;

    const NodeGraph& graph_;
    const Relations& relations_;
    std::vector<bool> isTaken_;
};

/// The chains of the whole graph.
[[nodiscard]] std::vector<Chain> chainsOf(const NodeGraph& graph, const Relations& relations);
/// The chain that a Linear can be the second of, whether or not `chainsOf` takes it.
[[nodiscard]] std::optional<Chain> chainEndingAt(const NodeGraph& graph, const Relations& relations, NodeId second);
/// Chains that a later layer finds behind a first Linear of `chains` that it need not have computed: its other ReLUs,
/// each with the one Linear that reads it. None is exclusive.
[[nodiscard]] std::vector<Chain> furtherChainsOf(const NodeGraph& graph, const Relations& relations,
                                                 const std::vector<Chain>& chains);

}  // namespace memplan::torchwright

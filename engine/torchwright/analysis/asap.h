// SPDX-License-Identifier: Apache-2.0
// Earliest layer of every node with as many heads, slots and columns as one likes (torchwright.md 5): a lower bound for
// the number of layers.
//
// Why it is one. A value stands at the earliest of all ways that a schedule may compute it: by an operation of its own
// behind the latest of the values that it reads, or, as the last Linear of any chain it can end, by an MLP behind what
// the first Linear reads. Attention reads what was there behind the layer before, the MLP also what attention of its
// own layer wrote; operations of one sublayer never read each other. The first Linear of an exclusive chain has no
// operation of its own: it is ready together with its chain, which takes it. Hints, scopes and full layers only delay;
// fusion, stubs and splits are done on the graph before.
#pragma once

#include "engine/torchwright/analysis/chains.h"
#include "engine/torchwright/schedule/routing.h"

namespace memplan::torchwright {

struct Asap {
    /// By node, in half layers: the attention sublayer of layer L writes at 2L+1, its MLP sublayer at 2L+2, inputs are
    /// there at 0. Members of a chain finish together; a first Linear that others read too has its own time. A Linear
    /// that several chains could hold counts in the one that has it first.
    std::vector<int> finish;
    int layers = 0;

    /// The layer that a node could be computed in, -1 for what is there before layer 0.
    [[nodiscard]] int layerOf(NodeId id) const { return (finish[id.at()] + 1) / 2 - 1; }
};

/// What the bound is asked about.
struct AsapQuestion {
    const NodeGraph& graph;
    const Relations& relations;
    const std::vector<Chain>& chains;
    LocalRouting routing = LocalRouting::Never;
};

[[nodiscard]] Asap asapOf(const AsapQuestion& question);
/// The same with nodes that take no time, marked by id. A chain is one of them only with all its members.
[[nodiscard]] Asap asapWithout(const AsapQuestion& question, const std::vector<bool>& takesNoTime);
/// Layers by which the bound, that of the question, falls when these nodes take no time: the most that work on them
/// alone can gain.
[[nodiscard]] int reachOf(const AsapQuestion& question, const Asap& bound, const std::vector<bool>& nodes);
/// Layers by the rules of thumb of the original's guide: the bound in which an Add costs nothing.
[[nodiscard]] int ruleOfThumbLayers(const AsapQuestion& question);

}  // namespace memplan::torchwright

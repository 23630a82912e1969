// SPDX-License-Identifier: Apache-2.0
// The fewest layers that a graph needs with heads, slots and columns without end (torchwright.md 5, ASAP), worked out
// by the validator itself.
#pragma once

#include "engine/torchwright/schedule/routing.h"
#include "engine/verify/torchwright/program.h"

namespace memplan::verify::torchwright {

/// First Linear, ReLU, second Linear.
struct ChainOfThree {
    NodeId first, relu, second;
    bool isExclusive = false;  ///< nobody else reads the first
};
[[nodiscard]] std::vector<ChainOfThree> chainsIn(const Program& program);
/// By its second Linear, each chain that some schedule may form; none where `first` names no node.
[[nodiscard]] std::vector<ChainOfThree> possibleChainsIn(const Program& program);
/// Those that a layer may find later too: other ReLUs of a first Linear that is not computed yet.
[[nodiscard]] std::vector<ChainOfThree> allChainsIn(const Program& program);

using Marked = std::vector<bool>;  ///< by node

class Bound {
public:
    Bound(const Program& program, memplan::torchwright::LocalRouting routing);

    [[nodiscard]] int layers() const { return layers_; }
    /// The layer of a node at its earliest.
    [[nodiscard]] int layerOf(NodeId id) const { return (finish_[id.at()] + 1) / 2 - 1; }
    /// Layers when these nodes take no time.
    [[nodiscard]] int layersWithout(const Marked& free) const;
    [[nodiscard]] int reach(const Marked& free) const { return layers_ - layersWithout(free); }

private:
    [[nodiscard]] std::vector<int> finishes(const Marked& free) const;
    [[nodiscard]] int layersOf(const std::vector<int>& finish) const;

    const Program& p_;
    memplan::torchwright::LocalRouting routing_;
    std::vector<ChainOfThree> chains_;
    std::vector<ChainOfThree> ending_;  ///< by node: the chain that it may be the second of
    std::vector<int> chainOf_;          ///< by node: the chain that computes it, -1 for none
    std::vector<int> finish_;           ///< half-steps: odd behind attention, even behind an MLP
    int layers_ = 0;
};

}  // namespace memplan::verify::torchwright

// SPDX-License-Identifier: Apache-2.0
// A graph as a scheduling problem (torchwright.md 17): units that one layer computes whole, what they read, and how
// many layers must lie between them. Only counts of heads, slots and columns matter here: columns are alike.
#pragma once

#include "engine/torchwright/analysis/chains.h"
#include "engine/torchwright/schedule/options.h"

#include <optional>

namespace memplan::torchwright {

enum class UnitKind { Attn, LinearInAttention, Add, Chain, StandaloneRelu, LinearBypass };

/// `other` stands at least `gap` layers before or after: 0 for an operation of the MLP that reads one of attention.
struct UnitEdge {
    int other = 0;
    int gap = 1;
};

/// One operation: a node, or a chain with its members.
struct Unit {
    UnitKind kind = UnitKind::Chain;
    NodeId node;         ///< that owns the columns; of a chain its second Linear
    NodeId first, relu;  ///< of a chain
    int heads = 0;       ///< without cancels; of an Add with two addends that live on
    int freeHeads = 0;   ///< of an Add that takes over the columns of an addend that nobody else reads any more
    Slots slotCount = 0;
    Columns width = 0;
    /// A chain whose first Linear others read too: a scheduler may compute its three nodes one by one instead.
    bool isBreakable = false;
    Columns leastWidth = 0;  ///< columns held from its ReLU on until its readers are done, however it is computed
    int value = -1;          ///< that it computes
    std::vector<int> reads;  ///< values, each once
    int opening = -1;        ///< value of a chain's first Linear that has a unit of its own; the chain does not read it
    std::vector<int> addends;  ///< values of an Add that it may take over, in order
    std::vector<UnitEdge> before, after;
    int earliest = 0;  ///< layer with as many heads, slots and columns as one likes; hints `layer_min` count
    int tail = 0;      ///< layers that follow at least

    [[nodiscard]] bool isAttention() const { return kind <= UnitKind::Add; }
};

/// What owns columns: an input or the result of a unit.
struct Value {
    NodeId node;
    Columns width = 0;
    int unit = -1;             ///< that computes it, -1 = there before layer 0
    bool isKept = false;       ///< position encoding and outputs: to the end
    std::vector<int> readers;  ///< units
    std::vector<int> adds;     ///< units that may take it over
    std::vector<int> chains;   ///< units that compute it again for themselves: none takes it over before they did
};

struct UnitModel {
    ScheduleOptions options;
    std::vector<Unit> units;      ///< each after those it waits for
    std::vector<Value> values;    ///< inputs by ascending node, the position encoding first; then those of the units
    std::vector<int> unitOf;      ///< by node, of members of a chain too; -1 = none
    bool hasOtherChains = false;  ///< a schedule may chain Linears in another way: these units do not hold all

    /// Layers that no schedule goes below for the order of its units alone.
    [[nodiscard]] int depth() const;
};

/// What is known about schedules of a number of layers.
struct LayerAnswer {
    bool isRuledOut = false;   ///< there is none
    std::vector<int> layerOf;  ///< by unit, of one that there may be; empty = not known
};

/// Nothing where the graph cannot be scheduled at all: inputs too wide, an Attn too wide for a head, an operation
/// larger than a layer, `after` edges that are never met.
[[nodiscard]] std::optional<UnitModel> unitModelOf(const NodeGraph& graph, const ScheduleOptions& options);

}  // namespace memplan::torchwright

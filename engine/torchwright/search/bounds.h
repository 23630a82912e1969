// SPDX-License-Identifier: Apache-2.0
// Numbers of layers that no schedule goes below (torchwright.md 17), with Linears routed as the options say.
//
// The units that cannot stand in the first `a` layers nor in the last `b` share what the layers between offer: what
// they take together of heads, slots or columns, divided by what one layer has, needs so many layers beside a + b. The
// bound is the largest over all a and b; a = b = 0 is the plain sum over capacity.
//
// Why each holds for every schedule, by the heuristic under any hints, by the search, and with both routings. Scopes
// and `after` hints only keep units back, stub-outs, splits and fusion make another graph before it is scheduled.
// - What a schedule may choose about one node: an Add takes an addend over or not, and a chain is computed as one, or
//   node by node where its first Linear has other readers (an exclusive first Linear never stands alone). As a chain it
//   waits for what its first Linear waits for, and that Linear is computed for its other readers and waiters only.
//   Where Linears may be chained in more than one way (`hasOtherChains`) these bounds bind the search alone, and are
//   not reported.
// - A chain that is broken counts as its unit in the layer of its ReLU. The ReLU comes no earlier than the chain could
//   (its first Linear needs what the chain reads, and is handed off at best), and what reads the last Linear comes at
//   least one layer behind the ReLU, as it does behind the chain: with that, every edge holds, so `earliest` and `tail`
//   do. The order is the longest way along edges.
// - Slots: the ReLU takes w(ReLU) slots in that layer either way; the rest of a broken chain takes more.
// - Heads of operations: those of an Attn and a Linear are fixed; an Add counts the fewer of its two.
// - Heads of cancels: a column is cancelled between the end of one value in it, or its unknown content at the start,
//   and the birth of the next, so in the layer of the birth or before. Only columns that zero initialisation leaves
//   clean are born into without one, once each. An Add that may take over bears none. The last Linear of a broken chain
//   is born in attention with routing `always`, up to one layer later than the tail of the unit says.
// - Columns: behind a layer, what is still to be read has columns of its own, and so have outputs and the position
//   encoding. Attention reads what was there behind the layer before, the MLP what is there behind its own. Of a broken
//   chain the ReLU is held until the last Linear is, so the narrower of the two counts, and what its first Linear reads
//   may go before the ReLU comes, so that nothing is held for it.
#pragma once

#include "engine/torchwright/search/units.h"

namespace memplan::torchwright {

struct LayerBounds {
    int ofOrder = 0;    ///< longest way through the units: the ASAP bound, with hints that keep nodes back
    int ofSlots = 0;    ///< hidden slots between first and last layers
    int ofHeads = 0;    ///< heads of operations, and of the cancels that births of values need
    int ofColumns = 0;  ///< columns over the layers in which a value is held at least

    int ofProof = 0;  ///< every way to fill fewer layers was looked at (proof.h); 0 = not tried, or given up

    [[nodiscard]] int best() const;
    /// "order", "slots", "heads", "columns" or "proof": the largest; of equal ones the first.
    [[nodiscard]] std::string_view strongest() const;
    friend bool operator==(const LayerBounds&, const LayerBounds&) = default;
};

[[nodiscard]] LayerBounds layerBoundsOf(const UnitModel& model);

}  // namespace memplan::torchwright

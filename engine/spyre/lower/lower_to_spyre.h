// SPDX-License-Identifier: Apache-2.0
// Pass 1, lower_to_spyre: from the neutral graph to loop-level operations
// (inputs-and-interchange 6, column "Spyre"; pipeline.md row 1).
//
// 1. Every tensor that owns storage becomes a buffer; inputs first, then parameters, then results.
// 2. A view has no operation: its readers index the owner's storage. A transpose, slice or expand is
//    a view too where every reader can take the strides, else a pointwise copy ("clone").
// 3. Pointwise, reductions and matrix multiplies become loops with linear indices; loops of extent 1
//    disappear; output dimensions come first, in output order, then reduction dimensions.
// 4. A convolution with a kernel of 1, stride 1 and no groups is a matrix multiply over the channels;
//    everything else that cannot be cut (pools, gathers, recurrences, fallbacks) is an extern kernel.
// 5. A scalar constant is a constant operation; a result that shares storage with an older tensor is
//    an in-place write.
#pragma once

#include "engine/graph/graph.h"
#include "engine/spyre/pass.h"
#include "engine/spyre/program.h"

namespace memplan::spyre {

/// The program of a graph that passed the reader's checks. Never fails: what has no loop form becomes
/// an extern kernel.
[[nodiscard]] Program lowerToSpyre(const Graph& graph);

[[nodiscard]] Result<PassOutcome> lowerGraph(State& state, PassContext& context);

}  // namespace memplan::spyre

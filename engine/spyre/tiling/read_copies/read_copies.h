// SPDX-License-Identifier: Apache-2.0
// Tile-sized copies of graph inputs inside loops, and their elision (spyre-cost-and-co-optimisation 16.6, 18).
// A copy reads one tile of the input in every iteration, so that several operations of the loop take it from the
// scratchpad; a copy that brings nothing is taken out again once addresses are known.
#pragma once

#include "engine/plan/statement.h"
#include "engine/spyre/pass.h"
#include "engine/spyre/program.h"

#include <string>

namespace memplan::spyre {

/// Pass id of the step that inserts the copies; an operation that it added is such a copy.
inline constexpr std::string_view kReadCopies = "coarse_tile.read_copies";

/// Step 12.2a, between groups and stamp: setting spyre.tile_read_copies.
[[nodiscard]] Result<PassOutcome> addReadCopies(State& state, PassContext& context);

/// Puts the copies into the groups of program.tileGroups: one for each input and way of cutting it that at least
/// `readers` operations of a group share. Returns the copies' names, in list order.
[[nodiscard]] std::vector<std::string> insertReadCopies(Program& program, std::size_t readers);

/// Step 16.4a, after placement: setting spyre.elide_read_copies.
[[nodiscard]] Result<PassOutcome> elideReadCopies(State& state, PassContext& context);

/// What the consumer of a tile reads when its copy goes.
struct DirectRead {
    Index index;      ///< over the input, valid for every iteration
    Statement doubt;  ///< why the copy has to stay; empty = it need not
};

/// The read of `consumer` without the copy `copy`: same slices, same loop addresses, inside the input's bounds (18).
/// `onChip`: the tile has an address, so the cores' slices have to be those of the copy.
[[nodiscard]] DirectRead directRead(const Program& program, OpId copy, OpId consumer, bool onChip, bool kAdjacentMap);

}  // namespace memplan::spyre

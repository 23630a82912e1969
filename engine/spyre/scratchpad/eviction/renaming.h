// SPDX-License-Identifier: Apache-2.0
// Free renaming (spyre-scratchpad 14.1a): from each operation on that overwrites a whole buffer without reading it, the
// buffer is another value, `name.k`, with a lifetime of its own. Moves nothing and costs nothing.
#pragma once

#include "engine/graph/graph.h"
#include "engine/spyre/pass.h"
#include "engine/spyre/program.h"

#include <set>
#include <vector>

namespace memplan::spyre {

/// A buffer of the program and the ops (list positions) at which its second and later parts begin.
struct Renaming {
    BufferId buffer;
    std::vector<OpId> starts;
};

/// Every buffer with more than one part, in buffer order. `kept` are left alone. Inputs, parameters and constants keep
/// their storage, so do buffers that an allocation fills and those that loops tile.
[[nodiscard]] std::vector<Renaming> findRenamings(const Program& program, const std::set<BufferId>& kept);

/// Gives each part a buffer; the first keeps the id, the last is the graph output if the buffer was one. Returns the
/// parts. `graph` names the tensor that a part holds and may be null.
std::vector<BufferId> applyRenaming(Program& program, const Renaming& renaming, const Graph* graph);

/// The op writes every element of its result once, outside of loops, and reads none of it.
[[nodiscard]] bool overwritesWhole(const Program& program, const Op& op);

/// Step scratchpad_planning.free_renaming.
[[nodiscard]] Result<PassOutcome> renameBuffers(State& state, PassContext& context);

}  // namespace memplan::spyre

// SPDX-License-Identifier: Apache-2.0
// CloneInputNodesPass (spyre-scratchpad 9.1): a graph input with several users is copied once into a
// buffer that may live on chip. A crude budget, before any placement is known.
#pragma once

#include "engine/spyre/scratchpad/buffers.h"

#include <map>
#include <string>
#include <vector>

namespace memplan::spyre {

struct ClonedInput {
    BufferId input;
    BufferId clone;
    OpId op;  ///< position after all insertions
};

/// Which inputs are cloned beside or in place of the budget's choice.
struct ClonePolicy {
    bool byBudget = true;                                    ///< false: only what is wanted below
    std::map<BufferId, bool> wanted = {};                    ///< hints: true = always, false = never
    std::string maker = "scratchpad_planning.clone_inputs";  ///< the pass that runs, which the copies name
};

/// Inserts `clone_<input>` immediately before the first user of each input that fits the budget, with
/// the split that gives it its users' common view; returns what was inserted, in signature order.
[[nodiscard]] std::vector<ClonedInput> cloneInputs(Program& program, const BufferRules& rules,
                                                   const ClonePolicy& policy = {});

/// True for a copy that is there to live on chip; false for the copy of an output, which ends in main memory.
[[nodiscard]] bool isInputClone(const Program& program, BufferId id);

/// Input clones that a placement left without address, by number.
[[nodiscard]] std::vector<BufferId> unplacedInputClones(const State& state);

/// Takes an inserted clone out again: its users read the input as before.
void removeClones(Program& program, const std::vector<BufferId>& clones);

}  // namespace memplan::spyre

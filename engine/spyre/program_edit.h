// SPDX-License-Identifier: Apache-2.0
// Rewrites the op list of a program in one sweep, so that thousands of insertions stay linear and the
// lists that run parallel to it stay parallel.
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/spyre/pass.h"
#include "engine/spyre/program.h"

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace memplan::spyre {

class ProgramEdit {
public:
    explicit ProgramEdit(Program& program);

    /// Takes over the op at this position of the old list; ops that are never kept disappear.
    void keep(std::size_t oldPosition);
    /// Adds a new op here. Its `cloneOfOp` is a position of the old list.
    void add(Op op);
    /// Puts the new list in place: divisions, hints and candidates follow their ops, new ops get empty
    /// entries, op ids in restickify requests and parents are renumbered.
    void finish();

private:
    Program& program_;
    std::vector<Op> ops_;
    std::vector<int> oldPosition_;  ///< per new op, -1 = added
};

/// Free names for ops and their buffers (pipeline.md, "Names of what passes add").
class NameMaker {
public:
    explicit NameMaker(const Program& program);
    /// `wanted`, or `wanted_2`, `wanted_3`, ... when it is taken; taken from now on.
    [[nodiscard]] std::string make(const std::string& wanted);

private:
    std::unordered_set<std::string> taken_;
};

/// A copy of `like` for a value that a pass adds: computed, no output, no tensor of the input graph.
[[nodiscard]] BufferId addBuffer(Program& program, const Buffer& like, std::string name, std::string_view pass);

/// What leaves the program, and where its tensors are found, is `to` from now on.
void replaceOutput(Program& program, BufferId from, BufferId to);

/// Adds a buffer as it is. What runs parallel to the buffers (the names of their dimensions) grows with them; so it
/// does in every function that adds one, and positions found for one list hold for the other.
BufferId appendBuffer(Program& program, Buffer buffer);
/// Takes back the last appendBuffer().
void removeLastBuffer(Program& program);

/// Loops over the dimensions of more than one position, and the index that walks them with `stride`.
struct DimLoops {
    std::vector<LoopVar> loops;
    Index index;
    std::vector<int> dims;  ///< host dimension of each loop
};
[[nodiscard]] DimLoops loopsOver(const std::vector<std::int64_t>& size, const std::vector<std::int64_t>& stride);

/// Identity copy of a buffer as a pointwise op; `parent` is the op it was added for.
[[nodiscard]] Op identityOp(const Program& program, BufferId from, BufferId to, OpId parent);

/// Makes an op a fallback kernel outside work division and reports why (warning with the error's code).
/// A real graph always compiles: what the layout rules cannot express runs undivided.
void demote(Op& op, const Error& error, PassContext& context, OpId id);

/// Error that a cancelled pass ends with.
[[nodiscard]] Error cancelledError();

}  // namespace memplan::spyre

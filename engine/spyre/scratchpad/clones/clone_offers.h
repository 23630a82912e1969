// SPDX-License-Identifier: Apache-2.0
// Copies of graph inputs and outputs that placement decides on (spyre-scratchpad 9.2, 14.3, 14.4): where one could
// stand, what it would save, and how it gets into a program.
#pragma once

#include "engine/spyre/scratchpad/buffers.h"

#include <string_view>
#include <vector>

namespace memplan::spyre {

/// A copy that a pass may insert.
/// Input: the copy lives on chip, and the readers read it in place of the input; it stands right before the first of
/// them, before the whole loop group where that is in a loop. Output: the source itself lives on chip, and the copy,
/// right after its writer, takes its place as graph output in main memory.
struct CloneOffer {
    BufferId source;
    bool isOutput = false;
    std::vector<OpId> readers;  ///< inputs only, ascending
    Splits splits;              ///< of the copy's own loops: the common view of writer or readers
    Bytes saved = 0;            ///< main-memory bytes per run, when it is on chip
};

/// One offer for every group of reads of an input that see it alike and access it at least twice in a run. Without
/// `partial` only inputs all of whose users are in one group. Signature order, then by first reader.
[[nodiscard]] std::vector<CloneOffer> inputOffers(const Program& program, const BufferRules& rules, bool partial);

/// One offer for every graph output that the program itself reads, is no view and has an ordinary writer outside of
/// loops. Signature order.
[[nodiscard]] std::vector<CloneOffer> outputOffers(const Program& program, const BufferRules& rules);

/// Inserts the copies, named clone_<source>; returns per offer the buffer whose residency it is about: the copy of an
/// input, the source of an output.
std::vector<BufferId> insertClones(Program& program, const std::vector<CloneOffer>& offers, std::string_view pass);

}  // namespace memplan::spyre

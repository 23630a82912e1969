// SPDX-License-Identifier: Apache-2.0
// Candidates of the operations that ask for the stick in a place of their own: matrix multiply, exx2,
// layernormnorm, top-k (spyre-layouts-and-work-division 5.2).
#pragma once

#include "engine/base/result.h"
#include "engine/spyre/layout/layout_question.h"

#include <vector>

namespace memplan::spyre {

[[nodiscard]] Result<OpCandidates> matmulCandidates(const LayoutQuestion& question);
[[nodiscard]] Result<OpCandidates> exx2Candidates(const LayoutQuestion& question, std::vector<int> args);
[[nodiscard]] Result<OpCandidates> layerNormCandidates(const LayoutQuestion& question, std::vector<int> args);
[[nodiscard]] Result<OpCandidates> topkCandidates(const LayoutQuestion& question, std::vector<int> args);

/// An operand of a multiply that no layout lets carry the loop in its stick (LAY-006).
struct StuckOperand {
    int argument = 0;  ///< position in Op::reads
    int loop = 0;      ///< the loop that its stick must be
};
[[nodiscard]] std::vector<StuckOperand> stuckOperands(const LayoutQuestion& question);

/// Loops that an index moves with.
[[nodiscard]] std::uint64_t indexLoops(const Index& index, std::span<const LoopVar> loops);

}  // namespace memplan::spyre

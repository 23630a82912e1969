// SPDX-License-Identifier: GPL-3.0-or-later
// The counted loops of a plan as items of the one selection (user-experience 2.4, 5.2, 7.1; coarse tiling
// 19): every level of a nest is one group with the operations in it. No Qt.
#pragma once

#include "engine/plan/plan.h"

#include <string>
#include <vector>

namespace memplan::ui {

/// One loop. Its index in LoopGroups::groups is the index of its ItemId.
struct LoopGroup {
    std::vector<int> path;             ///< of PlanOp::loopPath, down to this level
    std::vector<std::int64_t> counts;  ///< trip counts, outermost first; as many as the path has levels
    int parent = -1;                   ///< loop around it
    std::vector<OpId> ops;             ///< inside at any depth, in schedule order
    std::string name;                  ///< "loop 0.0 ×4", the last count
    std::string treePath;              ///< "loop 0 ×2/loop 0.0 ×4", for trees of groups

    [[nodiscard]] std::int64_t count() const { return counts.empty() ? 1 : counts.back(); }
    [[nodiscard]] std::int64_t runs() const;  ///< times that its body runs: product of counts
    [[nodiscard]] StepRange steps() const;    ///< from its first operation to after its last
};

struct LoopGroups {
    std::vector<LoopGroup> groups;  ///< in order of their first operation, outer before inner
    std::vector<int> innermost;     ///< by operation, -1 = in no loop; empty when the plan has no loops

    [[nodiscard]] int innermostOf(OpId op) const;
    [[nodiscard]] const LoopGroup& group(int index) const { return groups[static_cast<std::size_t>(index)]; }
    [[nodiscard]] int withTreePath(const std::string& path) const;  ///< -1 = none
};

[[nodiscard]] LoopGroups loopGroups(const Plan& plan);

}  // namespace memplan::ui

// SPDX-License-Identifier: Apache-2.0
// The loop tree of a program: operations and counted loops over bodies (coarse-tiling-and-bundle 6). Once it is
// made it is the truth about loops.
#pragma once

#include "engine/base/ids.h"

#include <cstdint>
#include <string>
#include <vector>

namespace memplan {

struct LoopNode {
    OpId op;                     ///< invalid for a loop
    std::int64_t count = 1;      ///< of a loop: iterations
    std::string symbol = {};     ///< in place of the count, where a tree from elsewhere has no number
    std::vector<int> path = {};  ///< of a loop: numbers of the loops around it and its own, outermost first
    std::vector<LoopNode> body = {};
    friend bool operator==(const LoopNode&, const LoopNode&) = default;

    [[nodiscard]] bool isLoop() const { return !op.isValid(); }
};

}  // namespace memplan

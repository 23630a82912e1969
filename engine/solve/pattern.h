// SPDX-License-Identifier: Apache-2.0
// A small program with its address problem: what solvers are distinguished on.
#pragma once

#include "engine/solve/problem/address_problem.h"

#include <string>
#include <utility>
#include <vector>

namespace memplan::solve {

struct PatternBuffer {
    std::string name;
    Bytes size = 0;
    int item = -1;  ///< position in Pattern::problem, -1 = input or output, always in main memory
};

/// Reads happen before writes; a buffer that is read and updated stands in both lists.
struct PatternOp {
    std::vector<int> reads;  ///< positions in Pattern::buffers
    std::vector<int> writes;
};

struct Pattern {
    std::string id;     ///< "simple_fragmentation", as in the names of the vectors
    std::string title;  ///< "Simple fragmentation"
    std::vector<PatternBuffer> buffers;
    std::vector<PatternOp> ops;
    Problem problem;  ///< the candidates, in the order that chapter 13 gives

    /// Main memory traffic of a placement, parallel to problem.items (chapter 12).
    [[nodiscard]] Bytes traffic(const Addresses& addresses) const;
    /// Traffic with every candidate on chip: a plan passes when it is legal and needs no more.
    [[nodiscard]] Bytes goodTraffic() const;
    /// Traffic with nothing on chip.
    [[nodiscard]] Bytes mainMemoryTraffic() const;
};

}  // namespace memplan::solve

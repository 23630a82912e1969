// SPDX-License-Identifier: Apache-2.0
// The seven target patterns of spyre-scratchpad 13: small programs on which solvers are told apart, with the traffic
// that a good plan reaches.
#pragma once

#include "engine/solve/address_problem.h"

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

/// All seven, in the order of the chapter. `capacity` is the planner's, in bytes.
[[nodiscard]] std::vector<Pattern> targetPatterns(Bytes capacity);

/// Free renaming (chapter 14.1a): from each write that does not read the buffer on, it is a new buffer `name.k`.
[[nodiscard]] Pattern withFreeRenaming(const Pattern& pattern);

}  // namespace memplan::solve

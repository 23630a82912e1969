// SPDX-License-Identifier: Apache-2.0
// k-fast division and pass 2 of work division (spyre-layouts-and-work-division 11, 12).
#pragma once

#include "engine/spyre/division/iteration_space.h"

#include <optional>
#include <vector>

namespace memplan::spyre {

/// Loops by falling adjusted size, those of the output and the others; committed ones are left out.
struct Priorities {
    std::vector<int> outputs, reductions;
};

[[nodiscard]] Priorities prioritize(const IterationSpace& space, const Splits& committed);

struct DistributeQuestion {
    std::vector<std::int64_t> adjusted;  ///< per loop
    std::int64_t cores = 32;
    Priorities order;
    Splits committed;  ///< per loop, above 1 = committed
};

struct Distribution {
    Splits splits;
    std::vector<int> skipped;  ///< committed loops that found no cores left (WDV-002)
};

/// Gives the cores to the loops in order. Error INT-001 when a committed loop is in a list.
[[nodiscard]] Result<Distribution> distribute(const DistributeQuestion& question);

/// K split of a small-M matrix multiply, or nullopt where the rule declines (11).
[[nodiscard]] std::optional<Splits> kFastSplits(const IterationSpace& space, std::int64_t cores,
                                                const Splits& committed);

}  // namespace memplan::spyre

// SPDX-License-Identifier: Apache-2.0
// How a search over selections asks for a placement of one, and what it reports.
#pragma once

#include "engine/base/ids.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace memplan::solve {

enum class SetEnd { Placed, Refused, Undecided };

/// Called for sets (ascending item numbers) worth more than the best known, which it raises when it places one. After
/// Refused, `conflict` is a part of the set that cannot be placed either.
using PlaceSet = std::function<SetEnd(const std::vector<int>& set, std::vector<int>& conflict)>;

struct SelectionLimits {
    std::int64_t maxNodes = 0;
    std::int64_t maxPivots = 0;
    Bytes room = 0;  ///< takes the place of the capacity when above 0: less room gives sets that are easier to place
    /// Part of its value that an item live in all columns seems to lose while sets are compared. Where sizes are
    /// values, a great many sets are worth the same; those that take less of the memory are much easier to place.
    /// Bounds do not depend on it.
    double thrift = 0.0;
};

struct SelectionResult {
    std::int64_t upperBound = 0;  ///< no placement is worth more
    bool isProved = false;        ///< nothing better than what was placed or `best` is left
    std::int64_t nodes = 0;       ///< looked at
};

}  // namespace memplan::solve

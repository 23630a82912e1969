// SPDX-License-Identifier: Apache-2.0
// Overlaps among the offsets that a buffer list brings along (CSV-011).
#pragma once

#include "engine/solve/problem/address_problem.h"

#include <cstddef>
#include <vector>

namespace memplan::io {

struct GivenOverlap {
    std::size_t first = 0, second = 0;  ///< positions in the problem's items, first < second
    AddressRange bytes;                 ///< that both use
};

/// At most `limit` pairs, ordered by position. A list too dense to check whole (50 million pairs)
/// is checked as far as that.
[[nodiscard]] std::vector<GivenOverlap> overlapsOfGivenOffsets(const solve::Problem& problem, std::size_t limit);

}  // namespace memplan::io

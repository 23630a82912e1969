// SPDX-License-Identifier: Apache-2.0
// Division of numbers that a plan file states, which may be as large as numbers go.
#pragma once

#include <cstdint>

namespace memplan::verify {

/// How many parts of `part` (>= 1) hold `whole`, the last one not full: no sum that could leave 64 bits.
[[nodiscard]] constexpr std::int64_t wholeParts(std::int64_t whole, std::int64_t part) {
    return whole / part + (whole % part > 0 ? 1 : 0);
}

}  // namespace memplan::verify

// SPDX-License-Identifier: Apache-2.0
// Walking a box of loops with linear positions that move along.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace memplan::sim {

/// Calls visit(positions) for every point of the box [0, extent) in row-major order (last loop fastest);
/// positions[k] = start[k] + sum of step[k][loop] * point. A box without loops is one point.
template <std::size_t N, class Visit>
void walkBox(const std::vector<std::int64_t>& extents, const std::array<std::vector<std::int64_t>, N>& steps,
             std::array<std::int64_t, N> positions, Visit&& visit) {
    for (const std::int64_t e : extents) {
        if (e <= 0) return;
    }
    std::vector<std::int64_t> point(extents.size(), 0);
    while (true) {
        visit(positions);
        std::size_t d = extents.size();
        while (d-- > 0) {
            for (std::size_t k = 0; k < N; ++k)
                positions[k] += steps[k][d];
            if (++point[d] < extents[d]) break;
            for (std::size_t k = 0; k < N; ++k)
                positions[k] -= steps[k][d] * extents[d];
            point[d] = 0;
        }
        if (d == static_cast<std::size_t>(-1)) return;
    }
}

}  // namespace memplan::sim

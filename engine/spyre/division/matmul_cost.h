// SPDX-License-Identifier: Apache-2.0
// Later cost model of matrix multiply division (spyre-layouts-and-work-division 20.3).
#pragma once

#include "engine/spyre/division/iteration_space.h"

#include <cstdint>
#include <optional>

namespace memplan::spyre {

/// A size and the slices it is cut into.
struct CutSize {
    std::int64_t size = 1, slices = 1;
};

struct MatmulCostQuestion {
    CutSize b, m, n, k;
    std::int64_t cores = 32;
    bool sharedWeight = true;  ///< the right operand has no batch loop, or there is no batch
};

/// Estimated microseconds; nullopt (infinite) when the slices need more cores than there are.
[[nodiscard]] std::optional<double> matmulMicroseconds(const MatmulCostQuestion& question);

/// Splits of lowest estimated time for a multiply without commits, the first of equals; nullopt where the
/// model does not apply (not one stick output loop, not one reduction, no row loop of its own).
[[nodiscard]] std::optional<Splits> cheapestMatmulSplits(const Op& op, const IterationSpace& space, std::int64_t cores);

}  // namespace memplan::spyre

// SPDX-License-Identifier: Apache-2.0
// Offsets of HBM intermediates in one segment (spyre-coarse-tiling-and-bundle 14).
#pragma once

#include "engine/base/ids.h"

#include <optional>
#include <string>
#include <vector>

namespace memplan::spyre {

struct PoolBuffer {
    std::string name;
    StepRange life;  ///< [writer, last reader + 1)
    Bytes bytes = 0;
};

struct PoolLayout {
    std::vector<Address> offsets;              ///< parallel to the buffers
    Bytes size = 0;                            ///< end of the pool
    Bytes peak = 0;                            ///< most bytes in use at once
    std::optional<std::size_t> largestAtPeak;  ///< of the buffers in use then; none in an empty pool
};

/// First free block in list order, remainders to the end of the list, neighbours never merged; sizes are
/// rounded up to 128 bytes.
[[nodiscard]] PoolLayout allocatePool(const std::vector<PoolBuffer>& buffers);

}  // namespace memplan::spyre

// SPDX-License-Identifier: Apache-2.0
// Cuts pointwise operations that are too large for the device memory windows of the cores
// (spyre-layouts-and-work-division 6.4).
#pragma once

#include "engine/spyre/program.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace memplan::spyre {

struct ChunkRule {
    int cores = 32;
    Bytes spanLimit = 268'435'456;
};

/// The outermost device dimension that a split can shorten.
struct ControllingDim {
    int hostDim = 0;
    std::int64_t deviceSize = 0;
    std::int64_t innerStride = 0;  ///< elements
    std::int64_t bestSplit = 1;
};

struct ChunkPlan {
    std::optional<ControllingDim> controlling;
    bool needed = false;
    Bytes totalBytes = 0;
    Bytes perCoreSpan = 0;              ///< 0 without a controlling dimension
    int splitDim = -1;                  ///< host dimension, when needed
    std::vector<std::int64_t> extents;  ///< extents of the chunks along splitDim; one entry = not cut
    std::int64_t chunk = 0;             ///< distance of the chunks
};

/// Plan for the result of a pointwise op; `buffer` has a layout.
[[nodiscard]] ChunkPlan planChunks(const Buffer& buffer, const ChunkRule& rule);

/// Elements that K is short of a whole number of sticks (6.1).
[[nodiscard]] std::int64_t reductionPadding(std::int64_t k, HostType dtype);

}  // namespace memplan::spyre

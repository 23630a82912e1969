// SPDX-License-Identifier: Apache-2.0
// A bundle written by hand, without the exporter: the acceptance example of spyre-coarse-tiling-and-bundle 15.
#pragma once

#include "engine/verify/spyre/artefact/bundle/loaded.h"

#include <cstdint>
#include <string>
#include <vector>

namespace memplan::test {

/// One tensor of a pointwise op over rows (mb) and columns (out), sticks along the columns.
struct Operand {
    bool isLx = false;
    int id = 0;               ///< symbol
    std::int64_t rowGap = 0;  ///< rows of the tensor behind those of the tile
};

/// The descriptor of a pointwise op on a tile, its rows over `cores` (spyre-coarse-tiling-and-bundle 13).
[[nodiscard]] std::string descriptor(int number, const std::string& function, std::int64_t rows, std::int64_t columns,
                                     std::int64_t cores, const std::vector<Operand>& tensors);

/// y = a + b and z = y * c in tiles, with these byte strides of the two loops.
[[nodiscard]] sim::artefact::BundleText seedExample(std::int64_t rows, std::int64_t columns);

}  // namespace memplan::test

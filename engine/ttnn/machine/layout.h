// SPDX-License-Identifier: Apache-2.0
// The layout of a tensor as the hardware sees it (`TTNNLayout`, ttnn-optimizer 1.2): plain values, for the planner, the
// plan and the validator. What follows from them is computed elsewhere (ttnn/layout, verify/ttnn).
#pragma once

#include "engine/ttnn/machine/words.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace memplan::ttnn {

/// Rows and columns of cores (or of banks, for sharded DRAM).
struct Grid {
    std::int32_t rows = 1, cols = 1;
    [[nodiscard]] std::int64_t volume() const { return std::int64_t{rows} * cols; }
    friend bool operator==(const Grid&, const Grid&) = default;
};

/// A core: x counts columns, y rows.
struct Core {
    std::int32_t x = 0, y = 0;
    friend bool operator==(const Core&, const Core&) = default;
};

/// A rectangle of cores, both corners inside.
struct CoreRange {
    Core first, last;
    friend bool operator==(const CoreRange&, const CoreRange&) = default;
};

/// The canonical placement (1.4) has at most two rectangles, which lie inside the value: layouts are compared and
/// copied a lot. What a file names beyond them follows in `more`.
struct CoreRanges {
    std::array<CoreRange, 2> inside{};
    std::uint8_t count = 0;       ///< of `inside` that are in use
    std::vector<CoreRange> more;  ///< empty unless both are

    void add(CoreRange range) {
        if (count < inside.size())
            inside[count++] = range;
        else
            more.push_back(range);
    }
    [[nodiscard]] std::size_t size() const { return count + more.size(); }
    [[nodiscard]] const CoreRange& operator[](std::size_t i) const {
        return i < inside.size() ? inside[i] : more[i - inside.size()];
    }
    friend bool operator==(const CoreRanges&, const CoreRanges&) = default;
};

/// Two layouts are equal when all fields are: that is what "the actual output layout matches" means (1.4).
struct Layout {
    BufferType buffer = BufferType::Dram;
    std::optional<MemLayout> mem = MemLayout::Interleaved;  ///< none on the host
    PageLayout page = PageLayout::Tile;
    DataType dtype = DataType::BF16;
    bool ignorePhysicalLayout = false;  ///< grid and shard are left to the backend
    Grid grid;
    std::array<std::int64_t, 2> shard{1, 1};  ///< of the memref: tiles of a tiled layout, else scalars
    std::optional<CoreRanges> cores;          ///< sharded layouts carry one unless `ignorePhysicalLayout`
    std::string linear;  ///< affine map of a file where it is not the canonical one of the shape (1.3); else empty
    std::string mesh;    ///< `tensor_mesh` of a file, its text; else empty

    [[nodiscard]] bool isTiled() const { return page == PageLayout::Tile; }
    [[nodiscard]] bool isSharded() const { return mem.has_value() && *mem != MemLayout::Interleaved; }
    [[nodiscard]] bool isInterleaved() const { return mem == MemLayout::Interleaved; }
    [[nodiscard]] bool isInL1() const { return buffer == BufferType::L1; }
    [[nodiscard]] bool isInDram() const { return buffer == BufferType::Dram; }
    [[nodiscard]] bool isL1Sharded() const { return isInL1() && isSharded(); }
    /// Bytes that the tensor takes on one core (or bank).
    [[nodiscard]] Bytes shardBytes() const {
        return shard[0] * shard[1] * (isTiled() ? tileBytes(dtype) : elementBytes(dtype));
    }
    friend bool operator==(const Layout&, const Layout&) = default;
};

}  // namespace memplan::ttnn

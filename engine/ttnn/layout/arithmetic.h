// SPDX-License-Identifier: Apache-2.0
// From shapes to layouts (ttnn-optimizer 1.3, 1.4): padding, physical shape, shards, canonical placement. Shapes in
// elements, grids in rows and columns of cores.
#pragma once

#include "engine/base/result.h"
#include "engine/ttnn/machine/device.h"
#include "engine/ttnn/machine/layout.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace memplan::ttnn {

using Shape = std::vector<std::int64_t>;

inline constexpr std::int64_t kTile = 32;
[[nodiscard]] constexpr std::int64_t ceilDiv(std::int64_t n, std::int64_t by) {
    return (n + by - 1) / by;
}
[[nodiscard]] constexpr std::int64_t roundUpToTile(std::int64_t n) {
    return ceilDiv(n, kTile) * kTile;
}

/// Height and width of the tensor as a matrix: padded if tiled, all dimensions but the last collapsed.
[[nodiscard]] std::array<std::int64_t, 2> physicalShape(std::span<const std::int64_t> shape, PageLayout page);
/// Tiles of that matrix, rows and columns.
[[nodiscard]] std::array<std::int64_t, 2> tiledShape(std::span<const std::int64_t> shape);
/// Whether one may be a reshape of the other; a scalar is one element.
[[nodiscard]] bool haveSameElements(std::span<const std::int64_t> a, std::span<const std::int64_t> b);
/// Text of the affine map: "(d0, d1, d2) -> (d0 * 32 + d1, d2)".
[[nodiscard]] std::string linearMap(std::span<const std::int64_t> shape, PageLayout page);

/// What a layout is built from; the rest follows from the shape.
struct LayoutChoice {
    DataType dtype = DataType::BF16;
    PageLayout page = PageLayout::Tile;
    BufferType buffer = BufferType::Dram;
    std::optional<MemLayout> mem = MemLayout::Interleaved;
    Grid grid;
};
/// The layout of a tensor of that shape: grid coerced (1.2: host and DRAM interleaved 1x1), shard (1.3), canonical
/// placement (1.4) where it is sharded and fits, none where not (`canonicalPlacement` says why).
[[nodiscard]] Layout makeLayout(std::span<const std::int64_t> shape, const LayoutChoice& choice, const Device& device);
/// Scalars that one shard holds: whole tiles of a tiled layout (1.3 step 4).
[[nodiscard]] std::array<std::int64_t, 2> scalarShard(const Layout& layout);

/// Ranges of the virtual grid on the worker grid; TT-021 (bad_grid_shape) and TT-022 (grid_too_large), the message
/// begins with the word.
[[nodiscard]] Result<CoreRanges> canonicalPlacement(MemLayout mem, Grid grid, const Device& device);
/// The same for sharded DRAM: one bank per shard, TT-022 beyond the banks of the device.
[[nodiscard]] Result<CoreRanges> bankPlacement(Grid grid, const Device& device);
/// Width (x) and height (y) of the box around a placement.
[[nodiscard]] std::array<std::int32_t, 2> boundingGrid(const CoreRanges& cores);

/// The word of the first rule of 1.2 that a layout breaks, in the order of the rules, empty for a valid one:
/// mem_layout_forbidden, grid_must_be_1x1, mem_layout_required, dram_block_sharded, core_ranges_required,
/// core_ranges_forbidden.
[[nodiscard]] std::string_view brokenRule(const Layout& layout);

// Common layouts of a tensor: same page layout and data type as `like`.
[[nodiscard]] Layout dramInterleaved(std::span<const std::int64_t> shape, const Layout& like, const Device& device);
[[nodiscard]] Layout l1Interleaved(std::span<const std::int64_t> shape, const Layout& like, const Device& device);

}  // namespace memplan::ttnn

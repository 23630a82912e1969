// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/layout/arithmetic.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace memplan::ttnn {
namespace {

/// Dimension `i` with its padding: the last two of a tiled tensor are rounded up, of rank 1 only the last.
std::int64_t paddedDim(std::span<const std::int64_t> shape, std::size_t i, PageLayout page) {
    const bool isPadded = page == PageLayout::Tile && i + 2 >= shape.size();
    return isPadded ? roundUpToTile(shape[i]) : shape[i];
}

std::string text(Grid grid) {
    return std::to_string(grid.rows) + "x" + std::to_string(grid.cols);
}

Error tooLarge(MemLayout mem, Grid grid, const std::string& room) {
    return makeError("TT-022", "",
                     "grid_too_large: a " + std::string(wordOf(mem)) + " grid of " + text(grid) +
                         " needs more than the " + room);
}

/// `count` shards row by row over the worker grid: a rectangle of full rows, then a strip.
CoreRanges rowByRow(std::int32_t count, std::int32_t columns) {
    const std::int32_t rows = count / columns, rest = count % columns;
    CoreRanges ranges;
    if (rows > 0) ranges.add({{0, 0}, {columns - 1, rows - 1}});
    if (rest > 0) ranges.add({{0, rows}, {rest - 1, rows}});
    return ranges;
}

/// Shard in scalars of a tensor of that physical size, before it is cut into tiles (1.3 step 4).
std::array<std::int64_t, 2> shardOf(std::array<std::int64_t, 2> physical, const Layout& layout) {
    const auto [height, width] = physical;
    if (layout.isSharded()) return {ceilDiv(height, layout.grid.rows), ceilDiv(width, layout.grid.cols)};
    if (!layout.mem || !(layout.isInL1() || layout.buffer == BufferType::L1Small)) return physical;
    const std::int64_t cores = layout.grid.volume();
    if (layout.isTiled()) return {kTile, kTile * ceilDiv(ceilDiv(height, kTile) * ceilDiv(width, kTile), cores)};
    return {1, ceilDiv(height * width, cores)};
}

}  // namespace

bool haveSameElements(std::span<const std::int64_t> a, std::span<const std::int64_t> b) {
    // Of shapes that no device holds, too: the product as a real number.
    const auto elements = [](std::span<const std::int64_t> shape) {
        return std::accumulate(shape.begin(), shape.end(), 1.0, std::multiplies<>());
    };
    return elements(a) == elements(b);
}

std::array<std::int64_t, 2> physicalShape(std::span<const std::int64_t> shape, PageLayout page) {
    if (shape.empty()) return {1, page == PageLayout::Tile ? kTile : 1};
    std::int64_t height = 1;
    for (std::size_t i = 0; i + 1 < shape.size(); ++i)
        height *= paddedDim(shape, i, page);
    return {height, paddedDim(shape, shape.size() - 1, page)};
}

std::array<std::int64_t, 2> tiledShape(std::span<const std::int64_t> shape) {
    const auto [height, width] = physicalShape(shape, PageLayout::Tile);
    return {ceilDiv(height, kTile), ceilDiv(width, kTile)};
}

std::string linearMap(std::span<const std::int64_t> shape, PageLayout page) {
    const std::size_t rank = shape.size();
    std::string dims, rows;
    std::vector<std::int64_t> strides(rank, 1);
    for (std::size_t i = rank; i-- > 2;)
        strides[i - 2] = strides[i - 1] * paddedDim(shape, i - 1, page);
    for (std::size_t i = 0; i < rank; ++i) {
        const std::string dim = "d" + std::to_string(i);
        dims += (i == 0 ? "" : ", ") + dim;
        if (i + 1 == rank) break;
        rows += (i == 0 ? "" : " + ") + dim;
        if (strides[i] != 1) rows += " * " + std::to_string(strides[i]);
    }
    const std::string width = rank == 0 ? "0" : "d" + std::to_string(rank - 1);
    return "(" + dims + ") -> (" + (rows.empty() ? "0" : rows) + ", " + width + ")";
}

Layout makeLayout(std::span<const std::int64_t> shape, const LayoutChoice& choice, const Device& device) {
    Layout layout;
    layout.buffer = choice.buffer;
    layout.mem = choice.buffer == BufferType::SystemMemory ? std::nullopt : choice.mem;
    layout.page = choice.page;
    layout.dtype = choice.dtype;
    const bool isOne = !layout.mem || (layout.isInDram() && layout.isInterleaved());
    layout.grid = isOne ? Grid{} : choice.grid;
    const std::array<std::int64_t, 2> scalars = shardOf(physicalShape(shape, choice.page), layout);
    layout.shard = layout.isTiled() ? std::array{ceilDiv(scalars[0], kTile), ceilDiv(scalars[1], kTile)} : scalars;
    if (!layout.isSharded()) return layout;
    Result<CoreRanges> cores =
        layout.isInDram() ? bankPlacement(layout.grid, device) : canonicalPlacement(*layout.mem, layout.grid, device);
    if (cores) layout.cores = std::move(cores).value();
    return layout;
}

std::array<std::int64_t, 2> scalarShard(const Layout& layout) {
    const std::int64_t unit = layout.isTiled() ? kTile : 1;
    return {layout.shard[0] * unit, layout.shard[1] * unit};
}

Result<CoreRanges> canonicalPlacement(MemLayout mem, Grid grid, const Device& device) {
    const Grid workers = device.workers;
    if (mem == MemLayout::BlockSharded) {
        if (grid.rows > workers.rows || grid.cols > workers.cols)
            return tooLarge(mem, grid, text(workers) + " worker grid");
        CoreRanges ranges;
        ranges.add({{0, 0}, {grid.cols - 1, grid.rows - 1}});
        return ranges;
    }
    if (mem != MemLayout::HeightSharded && mem != MemLayout::WidthSharded)
        return makeError("TT-021", "",
                         "bad_grid_shape: a layout that is " + std::string(wordOf(mem)) + " has no placement");
    const bool isHeight = mem == MemLayout::HeightSharded;
    if ((isHeight ? grid.cols : grid.rows) != 1)
        return makeError("TT-021", "",
                         "bad_grid_shape: a " + std::string(wordOf(mem)) + " grid is " + (isHeight ? "Nx1" : "1xN") +
                             ", not " + text(grid));
    if (grid.volume() > workers.volume())
        return tooLarge(mem, grid, std::to_string(workers.volume()) + " worker cores");
    return rowByRow(isHeight ? grid.rows : grid.cols, workers.cols);
}

Result<CoreRanges> bankPlacement(Grid grid, const Device& device) {
    if (grid.rows != 1 && grid.cols != 1)
        return makeError("TT-021", "", "bad_grid_shape: a DRAM sharded grid is Nx1 or 1xN, not " + text(grid));
    const std::int64_t banks = device.dramGrid.volume();
    if (grid.volume() > banks)
        return makeError("TT-022", "",
                         "grid_too_large: a grid of " + text(grid) + " needs more than the " + std::to_string(banks) +
                             " DRAM banks");
    CoreRanges ranges;
    ranges.add({{0, 0}, {static_cast<std::int32_t>(grid.volume()) - 1, 0}});
    return ranges;
}

std::array<std::int32_t, 2> boundingGrid(const CoreRanges& cores) {
    std::array<std::int32_t, 2> box{0, 0};
    for (std::size_t i = 0; i < cores.size(); ++i)
        box = {std::max(box[0], cores[i].last.x + 1), std::max(box[1], cores[i].last.y + 1)};
    return box;
}

std::string_view brokenRule(const Layout& layout) {
    const bool isOne = layout.grid == Grid{};
    if (layout.buffer == BufferType::SystemMemory) {
        if (layout.mem) return "mem_layout_forbidden";
        if (!isOne) return "grid_must_be_1x1";
    } else if (!layout.mem) {
        return "mem_layout_required";
    }
    if (layout.isInDram() && layout.isInterleaved() && !isOne) return "grid_must_be_1x1";
    if (layout.isInDram() && layout.mem == MemLayout::BlockSharded) return "dram_block_sharded";
    const bool isOpaque = layout.ignorePhysicalLayout || layout.mem == MemLayout::NdSharded;
    if (layout.isSharded() && !layout.cores && !isOpaque) return "core_ranges_required";
    if (!layout.isSharded() && layout.cores) return "core_ranges_forbidden";
    return {};
}

Layout dramInterleaved(std::span<const std::int64_t> shape, const Layout& like, const Device& device) {
    return makeLayout(shape, {like.dtype, like.page, BufferType::Dram, MemLayout::Interleaved, {}}, device);
}

Layout l1Interleaved(std::span<const std::int64_t> shape, const Layout& like, const Device& device) {
    return makeLayout(shape, {like.dtype, like.page, BufferType::L1, MemLayout::Interleaved, device.workers}, device);
}

}  // namespace memplan::ttnn

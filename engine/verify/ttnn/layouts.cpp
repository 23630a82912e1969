// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/ttnn/layouts.h"

#include "engine/base/text.h"

#include <vector>

namespace memplan::verify::ttnn {
namespace {

using memplan::ttnn::BufferType;
using memplan::ttnn::CoreRange;
using memplan::ttnn::Grid;
using memplan::ttnn::MemLayout;
using memplan::ttnn::PageLayout;

constexpr std::int64_t kSide = 32;  ///< of a tile

std::int64_t parts(std::int64_t whole, std::int64_t part) {
    return whole / part + (whole % part != 0 ? 1 : 0);
}

/// The tensor as rows and columns of elements; each slice of a tiled tensor begins with a row of tiles of its own.
std::array<std::int64_t, 2> matrixOf(ShapeSpan shape, bool isTiled) {
    std::array<std::int64_t, 2> matrix{1, 1};
    for (std::size_t d = 0; d < shape.size(); ++d) {
        const bool isLast = d + 1 == shape.size();
        const bool isPadded = isTiled && d + 2 >= shape.size();
        const std::int64_t extent = isPadded ? parts(shape[d], kSide) * kSide : shape[d];
        (isLast ? matrix[1] : matrix[0]) *= extent;
    }
    // A scalar is one element; a tile of it is whole.
    if (shape.empty() && isTiled) matrix = {kSide, kSide};
    if (shape.size() == 1 && isTiled) matrix[0] = 1;
    return matrix;
}

std::string gridWords(Grid grid) {
    return std::to_string(grid.rows) + "x" + std::to_string(grid.cols);
}

bool isOneLine(MemLayout mem, Grid grid) {
    if (mem == MemLayout::HeightSharded) return grid.cols == 1;
    if (mem == MemLayout::WidthSharded) return grid.rows == 1;
    return true;
}

/// The rectangles of the virtual grid: row after row of cores.
std::vector<CoreRange> placeOf(const Layout& layout, const Device& device) {
    const Grid grid = layout.grid;
    if (layout.isInDram()) return {{{0, 0}, {static_cast<std::int32_t>(grid.volume()) - 1, 0}}};
    if (layout.mem == MemLayout::BlockSharded) return {{{0, 0}, {grid.cols - 1, grid.rows - 1}}};
    const auto count = static_cast<std::int32_t>(grid.volume());
    const std::int32_t full = count / device.workers.cols, rest = count % device.workers.cols;
    std::vector<CoreRange> ranges;
    if (full > 0) ranges.push_back({{0, 0}, {device.workers.cols - 1, full - 1}});
    if (rest > 0) ranges.push_back({{0, full}, {rest - 1, full}});
    return ranges;
}

std::string gridFault(const Layout& layout, const Device& device) {
    const Grid grid = layout.grid;
    if (grid.rows < 1 || grid.cols < 1) return "a grid of " + gridWords(grid) + " has no cores";
    if (!layout.isSharded()) return {};
    if (!isOneLine(*layout.mem, grid))
        return std::string(wordOf(*layout.mem)) + " has a grid of one line, not " + gridWords(grid);
    if (layout.isInDram()) {
        const bool isTooLarge = grid.volume() > device.dramGrid.volume();
        return isTooLarge ? gridWords(grid) + " are more banks than the DRAM has" : std::string();
    }
    const bool isBlock = layout.mem == MemLayout::BlockSharded;
    const bool fits = isBlock ? grid.rows <= device.workers.rows && grid.cols <= device.workers.cols
                              : grid.volume() <= device.workers.volume();
    return fits ? std::string() : gridWords(grid) + " is larger than the worker grid " + gridWords(device.workers);
}

/// Rules 1 to 3 of ttnn-optimizer 1.2.
std::string ruleFault(const Layout& layout) {
    const bool isOne = layout.grid == Grid{1, 1};
    if (layout.buffer == BufferType::SystemMemory) {
        if (layout.mem) return "a host tensor has no memory layout";
        return isOne ? std::string() : "a host tensor has a grid of 1x1";
    }
    if (!layout.mem) return "a device tensor needs a memory layout";
    if (layout.isInDram() && layout.isInterleaved() && !isOne) return "interleaved DRAM has a grid of 1x1";
    if (layout.isInDram() && layout.mem == MemLayout::BlockSharded) return "DRAM cannot be block sharded";
    if (layout.isSharded() && !layout.cores && !layout.ignorePhysicalLayout) return "a sharded tensor has core ranges";
    if (!layout.isSharded() && layout.cores) return "an interleaved tensor has no core ranges";
    return {};
}

std::string placeFault(const Layout& layout, const Device& device) {
    if (!layout.isSharded() || !layout.cores) return {};
    const std::vector<CoreRange> expected = placeOf(layout, device);
    bool isSame = expected.size() == layout.cores->size();
    for (std::size_t i = 0; isSame && i < expected.size(); ++i)
        isSame = expected[i] == (*layout.cores)[i];
    return isSame ? std::string() : "its core ranges are not those of a grid of " + gridWords(layout.grid);
}

}  // namespace

std::string layoutFault(const Layout& layout, ShapeSpan shape, const Device& device) {
    // Read and kept, not interpreted.
    if (layout.mem == MemLayout::NdSharded) return {};
    std::string fault = ruleFault(layout);
    if (fault.empty()) fault = gridFault(layout, device);
    if (fault.empty()) fault = placeFault(layout, device);
    if (!fault.empty() || layout.ignorePhysicalLayout) return fault;
    const std::array<std::int64_t, 2> real = shardOf(layout, shape);
    if (real == layout.shard) return {};
    return "a shard of " + std::to_string(layout.shard[0]) + "x" + std::to_string(layout.shard[1]) +
           " is stated, the shape gives " + std::to_string(real[0]) + "x" + std::to_string(real[1]);
}

std::array<std::int64_t, 2> shardOf(const Layout& layout, ShapeSpan shape) {
    const std::array<std::int64_t, 2> matrix = matrixOf(shape, layout.isTiled());
    std::array<std::int64_t, 2> shard = matrix;
    const std::int64_t cores = layout.grid.volume();
    if (layout.isSharded()) {
        shard = {parts(matrix[0], layout.grid.rows), parts(matrix[1], layout.grid.cols)};
    } else if (layout.isInL1() && layout.isTiled()) {
        const std::int64_t tiles = parts(matrix[0], kSide) * parts(matrix[1], kSide);
        return {1, parts(tiles, cores)};
    } else if (layout.isInL1()) {
        shard = {1, parts(matrix[0] * matrix[1], cores)};
    }
    if (!layout.isTiled()) return shard;
    return {parts(shard[0], kSide), parts(shard[1], kSide)};
}

std::array<std::int64_t, 2> tilesOf(ShapeSpan shape) {
    const std::array<std::int64_t, 2> matrix = matrixOf(shape, true);
    return {parts(matrix[0], kSide), parts(matrix[1], kSide)};
}

Bytes deviceBytes(const Layout& layout, ShapeSpan shape) {
    if (layout.isTiled()) {
        const std::array<std::int64_t, 2> tiles = tilesOf(shape);
        return tiles[0] * tiles[1] * tileBytes(layout.dtype);
    }
    const std::array<std::int64_t, 2> matrix = matrixOf(shape, false);
    return matrix[0] * matrix[1] * elementBytes(layout.dtype);
}

std::string layoutWords(const Layout& layout) {
    std::string words(wordOf(layout.buffer));
    if (layout.mem) words += " " + std::string(wordOf(*layout.mem));
    if (!layout.isInDram() || layout.isSharded()) words += " " + gridWords(layout.grid);
    return words + " " + std::string(wordOf(layout.page)) + " " + std::string(wordOf(layout.dtype));
}

}  // namespace memplan::verify::ttnn

// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/search/matmul_program.h"

#include "engine/ttnn/layout/arithmetic.h"

#include <algorithm>

namespace memplan::ttnn {
namespace {

/// Tiles that the destination registers hold.
std::int64_t registerTiles(const ComputeConfig& compute) {
    std::int64_t tiles = 8;
    if (compute.dstFullSyncEn == true) tiles *= 2;
    if (compute.fp32DestAccEn == true) tiles /= 2;
    return tiles;
}

struct Tiles {
    std::int64_t m, n, k;
};

void fill2d(MatmulProgram& program, const Tiles& tiles) {
    program.kind = MatmulProgram::Kind::Multicast2d;
    program.perCoreM = ceilDiv(tiles.m, program.gridY);
    program.perCoreN = ceilDiv(tiles.n, program.gridX);
    program.in0BlockW = tiles.k % 2 == 0 ? 2 : 1;
}

/// Operand A goes to all cores, each has some columns of the output.
void fillWidth(MatmulProgram& program, const Tiles& tiles) {
    program.mcastIn0 = true;
    program.perCoreM = tiles.m;
    program.perCoreN = ceilDiv(tiles.n, std::int64_t{program.gridX} * program.gridY);
    program.in0BlockW = 1;
    for (const std::int64_t width : {8, 4, 2}) {
        const bool isTooWide = tiles.n > 128 && width > 2;
        if (!isTooWide && tiles.k % width == 0) {
            program.in0BlockW = width;
            return;
        }
    }
}

/// Operand B goes to all cores, each has some rows of the output.
void fillHeight(MatmulProgram& program, const Tiles& tiles) {
    program.mcastIn0 = false;
    program.perCoreM = ceilDiv(tiles.m, std::int64_t{program.gridX} * program.gridY);
    program.perCoreN = tiles.n;
    program.in0BlockW = tiles.k;
}

}  // namespace

std::int64_t largestDivisor(std::int64_t value, std::int64_t most) {
    for (std::int64_t divisor = std::min(value, most); divisor > 1; --divisor)
        if (value % divisor == 0) return divisor;
    return 1;
}

std::optional<MatmulProgram> matmulProgram(const MatmulSizes& sizes, const Layout& output,
                                           const ComputeConfig& compute) {
    if (!sizes.isBatchFused || !output.isL1Sharded() || !output.cores) return std::nullopt;
    const Tiles tiles{ceilDiv(sizes.m, kTile), ceilDiv(sizes.n, kTile), ceilDiv(sizes.k, kTile)};
    const auto [x, y] = boundingGrid(*output.cores);
    MatmulProgram program;
    program.gridX = x;
    program.gridY = y;
    program.kind = MatmulProgram::Kind::Multicast1d;
    const bool isBlock = output.mem == MemLayout::BlockSharded;
    if (isBlock && x > 1 && y > 1)
        fill2d(program, tiles);
    else if (output.mem == MemLayout::WidthSharded || (isBlock && y == 1))
        fillWidth(program, tiles);
    else
        fillHeight(program, tiles);
    program.outBlockH = program.perCoreM;
    program.outBlockW = program.perCoreN;
    program.outSubblockH = 1;
    program.outSubblockW = largestDivisor(program.perCoreN, registerTiles(compute));
    return program;
}

}  // namespace memplan::ttnn

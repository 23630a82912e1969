// SPDX-License-Identifier: Apache-2.0
// The figures of the operation model (ttnn-optimizer 9.4, 9.5): built in from figures.json, and a file of the same form
// takes their place where somebody has measured better ones.
#pragma once

#include "engine/base/result.h"

#include <string>
#include <string_view>

namespace memplan::ttnn {

/// Tiles are those of the tensor in question (9.3); a figure without a value here stands in figures.json.
struct ModelFigures {
    // Circular buffers of one core.
    double eltwiseTilesPerTensor = 0, logicalExtraTiles = 0;
    double matmulSemaphoreBytes = 0;
    double matmulBlockMaxTiles = 0;         ///< of in0_block_w where a program is derived
    double matmulPartialsBytesPerTile = 0;  ///< of sums kept in f32
    double convStagingTiles = 0;
    double convHeightMaxChannels = 0;  ///< more channels: no height sharding
    double convWidthMaxRows = 0;       ///< more output rows: no width sharding
    double convHeightRatio = 0;        ///< so many row tiles per channel tile: height sharded
    double softmaxTilesPerColumn = 0, softmaxTiles = 0, softmaxShardedTiles = 0;
    double normTilesPerColumn = 0, normTiles = 0, normMaxTiles = 0;
    double reductionScratchBytes = 0;
    double reshapeTiles = 0, sliceTiles = 0, padTiles = 0, concatTiles = 0, rotaryTiles = 0;
    double lookupTiles = 0;  ///< embedding and pooling
    double repeatBytes = 0;
    double tilizeTiles = 0;  ///< to tiles or back
    // Time.
    double launchNs = 0;
    double dramUtilisation = 0;                                                    ///< share of the peak bandwidth
    double nocBytesPerCycle = 0;                                                   ///< of one core
    double productLofi = 0, productHifi2 = 0, productHifi3 = 0, productHifi4 = 0;  ///< cycles of 32 x 32 x 32
    double cyclesTile = 0, cyclesTileTranscendental = 0;                           ///< of one output tile
    double passesNormalisation = 0;                                                ///< softmax and norms
    friend bool operator==(const ModelFigures&, const ModelFigures&) = default;
};

[[nodiscard]] const ModelFigures& builtInFigures();
[[nodiscard]] std::string_view builtInFiguresText();

/// Figures that the file leaves out are the built-in ones. CAL-001 with a JSON pointer: not JSON, other format or
/// version, unknown key, a value that is negative or no number; or 0 for a rate.
[[nodiscard]] Result<ModelFigures> readFigures(std::string_view json);
/// A file with all figures.
[[nodiscard]] std::string writeFigures(const ModelFigures& figures, std::string_view name);

}  // namespace memplan::ttnn

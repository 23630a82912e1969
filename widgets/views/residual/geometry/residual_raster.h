// SPDX-License-Identifier: GPL-3.0-or-later
// The map as pixels: each pixel shows who owns most of its columns, with a dark mark where others own some too
// (user-experience 9.1, A.8). One scan line for each half row in sight; nothing is allocated for an owner.
#pragma once

#include "widgets/canvas/state/axis.h"
#include "widgets/views/residual/data/residual_data.h"

#include <QImage>
#include <QSize>

#include <vector>

namespace memplan::ui {

struct ResidualInk {
    std::vector<QRgb> colours;  ///< by holding
    std::vector<int> classes;   ///< by holding: what counts as one owner; the smallest wins a tie
    int classCount = 0;
    QRgb free = 0;  ///< nobody's columns
    QRgb mark = 0;  ///< mixed owners
    QRgb line = 0;  ///< between layers
};

struct RasterQuestion {
    Axis x, y;         ///< columns; layers
    QSize size;        ///< px of the map at ratio 1
    double ratio = 1;  ///< device pixels to one of the view
};

/// What owns a range of columns in a half row.
struct PixelOwner {
    int holding = -1;  ///< the one with the most columns of the class that wins; -1: free
    bool isMixed = false;
    friend bool operator==(const PixelOwner&, const PixelOwner&) = default;
};
/// Columns [first, end): most frequent class, ties to the smaller one, free columns count as the last class.
[[nodiscard]] PixelOwner ownerOf(std::span<const ResidualRun> runs, int first, int end, const ResidualInk& ink);

[[nodiscard]] QImage residualRaster(const ResidualData& data, const RasterQuestion& question, const ResidualInk& ink);

}  // namespace memplan::ui

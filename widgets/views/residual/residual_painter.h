// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the residual view for screen, PNG, SVG and PDF (architecture 8.1).
#pragma once

#include "widgets/kit/theme/text_cache.h"
#include "widgets/views/residual/residual_ink.h"

#include <QImage>

namespace memplan::ui {

/// The map as it was painted last, and what it was painted of.
struct ResidualCache {
    QImage image;
    ResidualDataPtr data;
    Viewport viewport;
    QSize size;
    double ratio = 0;
    quint64 theme = 0;
    ResidualColour colour = ResidualColour::Annotation;
    ResidualInk ink;
    ResidualDataPtr inkOf;
    quint64 inkTheme = 0;
    ResidualColour inkBy = ResidualColour::Annotation;
};

struct ResidualTools {
    const Theme& theme;
    TextCache& texts;
    ResidualCache& cache;
    bool keepsAllShapes = false;  ///< a vector picture holds every holding as a shape of its own
};

void paintResidual(QPainter& painter, const ResidualViewState& state, QSizeF size, const ResidualTools& tools);

/// Stack, longest path and the table of shares; part of paintResidual().
void paintResidualBands(QPainter& painter, const ResidualViewState& state, const ResidualLayout& layout,
                        const ResidualTools& tools);

}  // namespace memplan::ui

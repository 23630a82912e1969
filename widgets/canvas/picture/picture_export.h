// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of views as PNG, SVG and PDF (user-experience 17.1-17.4). The same input gives the same
// bytes: no dates, no random ids.
#pragma once

#include "engine/base/result.h"
#include "widgets/canvas/picture/picture_source.h"

#include <QByteArray>
#include <QImage>
#include <QString>

namespace memplan::ui {

struct PictureRequest {
    QSize size;                    ///< logical px of the picture itself
    double scale = 1.0;            ///< 0.25..8, images only
    double widthMm = 0;            ///< width on paper of the whole picture; 0: a logical px is 1/96 inch
    const Theme* theme = nullptr;  ///< nullptr: light, for paper
    bool title = false;            ///< view name and scope above
    bool legend = false;           ///< legend row above
    QString footer;                ///< one line below, empty = none
};

/// The light one at 100 %: what a file has unless it is to look as the screen, and what pictures are laid out with.
[[nodiscard]] const Theme& paperTheme();

/// What one rectangle of a vector picture takes in a file, measured on memory maps of 100 000 buffers (17.2).
inline constexpr double kSvgShapeBytes = 210, kPdfShapeBytes = 5;

/// Size with title, legend and footer.
[[nodiscard]] QSize fullPictureSize(const PictureSource& source, const PictureRequest& request);
void paintWithFrame(QPainter& painter, const PictureSource& source, const PictureRequest& request);
[[nodiscard]] QImage pictureImage(const PictureSource& source, const PictureRequest& request);
[[nodiscard]] QByteArray picturePng(const PictureSource& source, const PictureRequest& request);
[[nodiscard]] QByteArray pictureSvg(const PictureSource& source, const PictureRequest& request);
[[nodiscard]] QByteArray picturePdf(const PictureSource& source, const PictureRequest& request);
/// Writes by the file's ending: .png, .svg, .pdf. Fails with OUT-... style code for an unknown
/// ending or an unwritable file; nothing half-written stays behind.
[[nodiscard]] Result<void> exportPicture(const PictureSource& source, const PictureRequest& request,
                                         const QString& path);
/// Row of swatches and words; returns its width.
double drawLegend(QPainter& painter, QPointF topLeft, const std::vector<LegendEntry>& entries, const Theme& theme);
[[nodiscard]] double legendWidth(const std::vector<LegendEntry>& entries, const Theme& theme);

/// Whether a picture may be so large: 100 to 8000 pixels on both sides.
[[nodiscard]] bool isPictureSize(QSize size);

}  // namespace memplan::ui

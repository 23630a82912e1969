// SPDX-License-Identifier: GPL-3.0-or-later
// Drawings of help pages: SVG in the colours of a light page, which are those of the theme where they are shown.
#pragma once

#include "widgets/kit/theme/theme.h"

#include <QImage>
#include <QTextBrowser>

namespace memplan::app {

/// The drawing at the theme's size, `ratio` device pixels to one; null for a text that is no drawing.
[[nodiscard]] QImage helpDrawing(const QByteArray& svg, const ui::Theme& theme, qreal ratio);

/// A page that finds its drawings among the help pages ("tile.svg").
class HelpPage final : public QTextBrowser {
    Q_OBJECT
public:
    using QTextBrowser::QTextBrowser;

protected:
    QVariant loadResource(int type, const QUrl& name) override;
};

}  // namespace memplan::app

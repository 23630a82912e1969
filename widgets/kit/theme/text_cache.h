// SPDX-License-Identifier: GPL-3.0-or-later
// Prepared text for views that draw the same labels every frame (user-experience 20.2), with tabular
// figures (design-system 3.4), and the plate that a label needs on a pattern (design-system 2.4).
#pragma once

#include "widgets/kit/theme/theme.h"

#include <QGlyphRun>
#include <QHash>
#include <QPainter>
#include <QStaticText>
#include <QString>

namespace memplan::ui {

class TextCache {
public:
    /// Draws with the baseline's left end at `at`; prepared on raster devices, plain text on vector ones.
    void draw(QPainter& painter, QPointF at, const QString& text, TextStyle style, const Theme& theme);
    [[nodiscard]] double width(const QString& text, TextStyle style, const Theme& theme);
    /// Elided in the middle to fit `width`; empty when not even two letters fit before the ellipsis.
    [[nodiscard]] QString elided(const QString& text, TextStyle style, const Theme& theme, double width);
    void clear() { entries_.clear(); }
    [[nodiscard]] qsizetype size() const { return entries_.size(); }

private:
    struct Entry {
        QStaticText text;
        QGlyphRun glyphs;  ///< digits on the width of "0"; empty for text without digits
        bool tabular = false;
        double width = 0;
        double ascent = 0;
    };
    [[nodiscard]] static bool makeTabular(Entry& entry, const QString& text, const QFont& font);
    Entry& entry(const QString& text, TextStyle style, const Theme& theme);

    QHash<std::pair<QString, int>, Entry> entries_;
    quint64 revision_ = 0;
};

/// Ground of a label on a pattern: canvas at 86 %, radius 2.
void drawPlate(QPainter& painter, const QRectF& rect, const Theme& theme, double opacity = 0.86);
/// Text on its own plate; returns the plate. `at` is the baseline's left end.
QRectF drawPlatedText(QPainter& painter, QPointF at, const QString& text, const QColor& color, const Theme& theme);

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// What the painters of one picture of the Gantt share: painter, geometry, words that have their place already, and how
// text is written. Each painter is a part of the picture (architecture 8.1).
#pragma once

#include "widgets/kit/theme/text_cache.h"
#include "widgets/views/gantt/look/gantt_look.h"

#include <QImage>
#include <QPainter>

#include <cmath>

namespace memplan::ui {

/// A finished raster of the rectangles and the part of the plot it stands for.
struct GanttRasterImage {
    QImage image;
    QRectF steps;  ///< x: steps, y: addresses (top-left = lowest step, lowest address)
};

struct GanttScene {
    const GanttData& data;
    const GanttState& state;
    const GanttLook& look;
    TextCache& text;
    const GanttRasterImage* raster = nullptr;  ///< instead of rectangles when set
    std::optional<EmptyText> empty = {};       ///< said in the plot of a picture; on screen a block does
    /// Bars of the lane whose pixels are all taken by others are left out: those in a row, those without a row.
    bool mergesBars = false, mergesRest = true;
};

struct GanttShown {
    const GanttItem* item;
    QRectF rect;  ///< clipped to the plot plus 2 px
};

/// One picture while it is painted; what a part finds out for those after it stands at the end.
struct GanttPicture {
    QPainter& painter;
    const GanttScene& scene;
    const Theme& theme;
    QSizeF size;
    GanttLayout layout;
    bool isSvg = false;                    ///< items get ids
    std::optional<GhostPlace> ghost = {};  ///< where the selected refused buffer would be
    std::vector<GanttShown> shown = {};    ///< rectangles in sight; none where a raster stands for them
    std::vector<QRectF> bandWords = {};    ///< taken by what is said in the reserved band and in the fold
    QRectF limitWords = {};                ///< taken by the words of the usable limit
};

class GanttPart {
protected:
    explicit GanttPart(GanttPicture& picture);

    [[nodiscard]] QColor color(Token t) const { return theme_.color(t); }
    void textAt(QPointF at, const QString& text, TextStyle style, Token token);
    void textRight(QPointF at, const QString& text, TextStyle style, Token token);
    void textCentred(QPointF at, const QString& text, TextStyle style, Token token);
    [[nodiscard]] double width(const QString& text, TextStyle style) { return scene_.text.width(text, style, theme_); }
    void plateText(QPointF at, const QString& text, TextStyle style, const QColor& ink);
    [[nodiscard]] QString fitting(const QStringList& forms, TextStyle style, double room);
    void fillShape(const QRectF& r, Detail detail, const PatternInk& ink, const QColor& edge);
    [[nodiscard]] bool hasNote(BufferId id) const;
    /// Calls `visit` with each item whose steps are in sight.
    template <class Visit> void forItemsInSight(Visit visit) const {
        for (const GanttItem& item : d_.longItems)
            visit(item);
        const auto [first, last] = visibleItems(d_, layout_.x.visibleBegin(), layout_.x.visibleEnd());
        for (std::size_t i = first; i < last; ++i)
            visit(d_.items[i]);
    }
    [[nodiscard]] static double crisp(double v) { return std::round(v) + 0.5; }

    GanttPicture& picture_;
    QPainter& p_;
    const GanttScene& scene_;
    const GanttData& d_;
    const Theme& theme_;
    const GanttLayout& layout_;
};

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// Draws the Gantt; screen, PNG, SVG and PDF use it alike (architecture 8.1). Order of painting:
// design-system 11.1.
#pragma once

#include "widgets/kit/theme/text_cache.h"
#include "widgets/views/gantt/gantt_look.h"

#include <QImage>
#include <QPainter>

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

class GanttPainter {
public:
    GanttPainter(QPainter& painter, const GanttScene& scene, const Theme& theme, QSizeF size);
    void paint();

    [[nodiscard]] const GanttLayout& layout() const { return layout_; }
    /// Rectangles that would be drawn; the view changes to a raster above a limit.
    [[nodiscard]] static std::size_t visibleCount(const GanttData& data, const GanttLayout& layout);
    /// The same for bars of the off-chip lane.
    [[nodiscard]] static std::size_t visibleBars(const GanttData& data, const GanttLayout& layout);

private:
    struct Shown {
        const GanttItem* item;
        QRectF rect;  ///< clipped to the plot plus 2 px
    };

    // gantt_painter_frame.cpp
    void grid();
    void stickGrid();
    void foldMark();
    void foldWords(double top, double bottom);
    void reserved();
    void strip();
    void stripCurve();
    void peakMarker();
    void histogram();
    void limits();
    void emptyWords();
    void axes();
    void stepLabels();
    void groupLabels();
    void loopBands();
    void loopMark(const QRectF& r, int loop);
    void limitLine(Bytes at, const QStringList& forms, const QColor& color, bool labelBelow);
    void placeLimitWords();
    [[nodiscard]] bool limitWordsAreBelow() const;
    [[nodiscard]] QStringList limitForms() const;
    [[nodiscard]] QString fitting(const QStringList& forms, TextStyle style, double room);
    // gantt_painter.cpp
    void collect();
    void items();
    void drawItem(const Shown& shown);
    void fillShape(const QRectF& r, Detail detail, const PatternInk& ink, const QColor& edge);
    void rasterItems();
    void seams();
    void discs();
    void labels();
    void label(const Shown& shown, LabelFit fit);
    void leaders();
    void blockerHatches();
    void overlapHatches();
    [[nodiscard]] bool isHatched(BufferId id) const;
    // gantt_painter_overlay.cpp
    void selection();
    void outlineItem(const QRectF& rect, ItemId id);
    [[nodiscard]] QRectF ghostRect() const;
    void ghostPlace();
    void ghostWords();
    void ghostName(const QRectF& rect, const QRectF& callout);
    [[nodiscard]] QRectF ghostCallout(const GhostPlace& ghost, const QRectF& rect);
    [[nodiscard]] QRectF clearOfWords(QRectF box, double lowest) const;
    [[nodiscard]] double roofOver(const QRectF& box) const;
    void blockerLeaders(const GhostPlace& ghost);
    void range();
    void timeCursor();
    // gantt_painter_notes.cpp
    void notes();
    void itemNotes();
    void laneNotes();
    void rangeNotes();
    [[nodiscard]] bool hasNote(BufferId id) const;
    // gantt_painter_drag.cpp
    void drag();
    void hintMarks();
    void dragCallout(const GanttDrag& drag, const QRectF& rect);
    // gantt_painter_compare.cpp
    void otherOutlines();
    void moveArrows();
    void changeSigns();
    // gantt_painter_lane.cpp
    void lane();
    struct LaneRest {
        QString words;  ///< "+12 more", empty when every item has a row
        QRectF box;
    };
    [[nodiscard]] std::optional<QRectF> laneBarRect(std::size_t index) const;
    [[nodiscard]] bool isMarked(std::size_t offChip) const;
    [[nodiscard]] bool isDimmed(std::size_t offChip) const;
    [[nodiscard]] LaneRest laneRest();
    void laneBar(std::size_t index, const QRectF& bar, bool isMerged);
    void reasonMark(const PlanBuffer& buffer, const QRectF& bar);
    void laneLabels(const std::vector<QRectF>& bars, const LaneRest& rest);

    [[nodiscard]] QString laneReason(const OffChipItem& item, bool full) const;
    [[nodiscard]] QColor color(Token t) const { return theme_.color(t); }
    void textAt(QPointF at, const QString& text, TextStyle style, Token token);
    void textRight(QPointF at, const QString& text, TextStyle style, Token token);
    void textCentred(QPointF at, const QString& text, TextStyle style, Token token);
    [[nodiscard]] double width(const QString& text, TextStyle style) { return scene_.text.width(text, style, theme_); }
    void plateText(QPointF at, const QString& text, TextStyle style, const QColor& ink);

    QPainter& p_;
    const GanttScene& scene_;
    const GanttData& d_;
    const Theme& theme_;
    QSizeF size_;
    GanttLayout layout_;
    std::vector<Shown> shown_;
    std::optional<GhostPlace> ghost_;
    std::vector<QRectF> bandWords_;    ///< taken by what is said in the reserved band and in the fold
    std::vector<QRectF> leaderWords_;  ///< taken by the names of what blocks the ghost
    QRectF limitWords_;                ///< taken by the words of the usable limit
    bool svg_ = false;                 ///< items get ids
};

}  // namespace memplan::ui

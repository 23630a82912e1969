// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/gantt/paint/parts/gantt_note_painter.h"

#include "widgets/kit/vector/svg_device.h"
#include "widgets/plan/marks/note_flag.h"

#include <algorithm>
#include <cmath>

namespace memplan::ui {

namespace {

constexpr double kSmallFlag = 10;  ///< where the full one is larger than its item
constexpr double kPin = 20;        ///< room that the pin of a hint takes in the same corner

QString markText(const QString& words) {
    return QStringLiteral("Note: %1").arg(words);
}

}  // namespace

void GanttNotePainter::notes() {
    if (scene_.state.notes->isEmpty() || !d_.plan) return;
    itemNotes();
    laneNotes();
    rangeNotes();
}

/// In the upper right corner; also where a raster stands for the rectangles, so that no note is lost in a large plan.
void GanttNotePainter::itemNotes() {
    const auto& items = scene_.state.notes->items;
    if (items.empty()) return;
    const auto visit = [&](const GanttItem& item) {
        const auto note = items.find(ItemId::of(item.buffer));
        if (note == items.end()) return;
        const QRectF r = layout_.itemRect(item).intersected(layout_.plot);
        if (r.isEmpty() && !layout_.plot.contains(r.center())) return;
        const bool large = r.width() >= 26 && r.height() >= 18;
        const bool hasPin = large && std::ranges::binary_search(scene_.state.hinted, item.buffer);
        const double height = large ? kNoteFlagHeight : kSmallFlag;
        const double x = r.right() - noteFlagWidth(height) - (large ? 4 : 1) - (hasPin ? kPin : 0);
        const double y = std::max(r.top(), layout_.plot.top()) + height + (large ? 3 : 0);
        const ItemMark mark(p_, QStringLiteral("note-") + fromStd(d_.plan->buffer(item.buffer).name),
                            markText(note->second));
        drawNoteFlag(p_, QPointF(std::round(std::max(x, layout_.plot.left() + 1)), std::round(y)), height, theme_);
    };
    p_.save();
    p_.setClipRect(layout_.plot.adjusted(-2, -2, 4, 2));
    forItemsInSight(visit);
    p_.restore();
}

void GanttNotePainter::laneNotes() {
    if (layout_.lane.isEmpty()) return;
    p_.save();
    p_.setClipRect(layout_.lane.adjusted(-10, -4, 10, 2));
    for (std::size_t i = 0; i < d_.offChip.size(); ++i) {
        if (!hasNote(d_.offChip[i].buffer)) continue;
        OffChipItem item = d_.offChip[i];
        item.row = laneRowOf(d_, i, layout_.laneRows);
        const QRectF bar = layout_.laneRect(item).intersected(layout_.lane.adjusted(-1, 0, 1, 0));
        if (bar.isEmpty()) continue;
        const ItemMark mark(p_, QStringLiteral("note-") + fromStd(d_.plan->buffer(item.buffer).name),
                            markText(scene_.state.notes->items.at(ItemId::of(item.buffer))));
        const double x = std::max(bar.left() + 1, bar.right() - noteFlagWidth(kSmallFlag) - 3);
        drawNoteFlag(p_, QPointF(std::round(x), bar.bottom() - 1), kSmallFlag, theme_);
    }
    p_.restore();
}

/// A bar along the axis under the steps and a flag where they begin.
void GanttNotePainter::rangeNotes() {
    for (const NoteFlags::OnSteps& note : scene_.state.notes->ranges) {
        const QRectF flag = noteFlagRect(layout_, note.steps);
        if (flag.isEmpty()) continue;
        const double right = std::min(layout_.xOf(note.steps.end), layout_.plot.right());
        const ItemMark mark(p_, QStringLiteral("note-steps-%1-%2").arg(note.steps.begin).arg(note.steps.end - 1),
                            markText(note.words));
        p_.fillRect(QRectF(flag.left(), layout_.plot.bottom() - 1, std::max(3.0, right - flag.left()), 3),
                    color(Token::Accent));
        drawNoteFlag(p_, QPointF(std::round(flag.left()) + 1, layout_.plot.bottom() - 1), kNoteFlagHeight, theme_);
    }
}

}  // namespace memplan::ui

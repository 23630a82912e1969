// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/gantt/look/gantt_part.h"

namespace memplan::ui {

GanttPart::GanttPart(GanttPicture& picture)
    : picture_(picture), p_(picture.painter), scene_(picture.scene), d_(picture.scene.data), theme_(picture.theme),
      layout_(picture.layout) {}

void GanttPart::textAt(QPointF at, const QString& text, TextStyle style, Token token) {
    p_.setPen(color(token));
    scene_.text.draw(p_, at, text, style, theme_);
}

void GanttPart::textRight(QPointF at, const QString& text, TextStyle style, Token token) {
    textAt(QPointF(at.x() - width(text, style), at.y()), text, style, token);
}

void GanttPart::textCentred(QPointF at, const QString& text, TextStyle style, Token token) {
    textAt(QPointF(at.x() - width(text, style) / 2, at.y()), text, style, token);
}

void GanttPart::plateText(QPointF at, const QString& text, TextStyle style, const QColor& ink) {
    drawPlate(p_, QRectF(at.x() - 5, at.y() - 11, width(text, style) + 10, 15), theme_, 1.0);
    p_.setPen(ink);
    scene_.text.draw(p_, at, text, style, theme_);
}

/// The first form that fits the room; empty when none does.
QString GanttPart::fitting(const QStringList& forms, TextStyle style, double room) {
    for (const QString& form : forms)
        if (width(form, style) <= room) return form;
    return {};
}

void GanttPart::fillShape(const QRectF& r, Detail detail, const PatternInk& ink, const QColor& edge) {
    if (detail < Detail::Outlined) return p_.fillRect(r, edge);
    const double line = theme_.kind() == ThemeKind::HighContrast ? 2 : 1;
    if (detail == Detail::Outlined) {  // two fills take a quarter of the time of an outline
        p_.fillRect(r, edge);
        return p_.fillRect(r.adjusted(line, line, -line, -line), ink.ground);
    }
    fillPattern(p_, r, ink);
    p_.setPen(QPen(edge, line, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
    p_.setBrush(Qt::NoBrush);
    p_.drawRect(r.adjusted(0.5, 0.5, -0.5, -0.5));
}

bool GanttPart::hasNote(BufferId id) const {
    const auto& items = scene_.state.notes->items;
    return !items.empty() && items.contains(ItemId::of(id));
}

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/marks/note_flag.h"

#include <QPainter>
#include <QPolygonF>
#include <QRegularExpression>

#include <algorithm>

namespace memplan::ui {

namespace {

constexpr double kPennantShare = 0.72, kPennantHeight = 0.58, kNotch = 0.24;

QString withoutMarks(QString line) {
    static const QRegularExpression kList(QStringLiteral("^\\s*(?:[-*+]|\\d+[.)])\\s+"));
    static const QRegularExpression kHeading(QStringLiteral("^\\s*#+\\s*"));
    static const QRegularExpression kLink(QStringLiteral("\\[([^\\]]*)\\]\\([^)]*\\)"));
    line.remove(kList).remove(kHeading).replace(kLink, QStringLiteral("\\1"));
    line.remove(QStringLiteral("**")).remove(u'`');
    return line.simplified();
}

}  // namespace

double noteFlagWidth(double height) {
    return height * kPennantShare;
}

void drawNoteFlag(QPainter& painter, QPointF foot, double height, const Theme& theme) {
    const double line = std::max(height / 10, 0.5);
    const QPointF top(foot.x(), foot.y() - height);
    const double right = foot.x() + noteFlagWidth(height), low = top.y() + height * kPennantHeight;
    const QPolygonF pennant{
        top, {right, top.y()}, {right - height * kNotch, (top.y() + low) / 2}, {right, low}, {foot.x(), low}};
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    QPen rim(theme.color(Token::BgCanvas), line * 3.2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin);
    painter.setPen(rim);
    painter.setBrush(theme.color(Token::BgCanvas));
    painter.drawPolygon(pennant);
    painter.drawLine(foot, top);
    painter.setPen(QPen(theme.color(Token::Text1), line * 1.2, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
    painter.drawLine(foot, top);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.color(Token::Accent));
    painter.drawPolygon(pennant);
    painter.restore();
}

QString firstWords(const QString& markdown, int most) {
    for (const QString& raw : markdown.split(u'\n')) {
        const QString line = withoutMarks(raw);
        if (line.isEmpty()) continue;
        if (line.size() <= most) return line;
        const qsizetype space = line.lastIndexOf(u' ', most);
        return line.left(space > most / 2 ? space : most).trimmed() + QChar(0x2026);
    }
    return {};
}

}  // namespace memplan::ui

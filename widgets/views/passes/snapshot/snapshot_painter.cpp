// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/passes/snapshot/snapshot_painter.h"

#include "widgets/plan/units.h"

#include <QFontMetricsF>
#include <QObject>
#include <QPainter>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace memplan::ui {
namespace {

using Mark = SnapshotRow::Mark;

void paintGround(QPainter& p, const QRectF& line, Mark mark, const Theme& theme) {
    if (mark == Mark::None) return;
    p.fillRect(line, theme.color(mark == Mark::Added     ? Token::GoodBg
                                 : mark == Mark::Removed ? Token::RemovedBg
                                                         : Token::BgPanel));
}

/// Number and sign; returns where the text begins.
double paintGutter(QPainter& p, const QRectF& line, const SnapshotRow& row, int digits, const Theme& theme) {
    const double letter = QFontMetricsF(p.font()).horizontalAdvance(u'0');
    const QRectF number(line.left(), line.top(), letter * digits + 4, line.height());
    const QRectF sign(number.right() + 2, line.top(), letter + 6, line.height());
    p.setPen(theme.color(Token::Text3));
    if (row.number >= 0) p.drawText(number, Qt::AlignRight | Qt::AlignVCenter, QString::number(row.number + 1));
    const bool isAdded = row.mark == Mark::Added;
    p.setPen(theme.color(isAdded ? Token::Good : Token::Text2));
    if (isAdded || row.mark == Mark::Removed)
        p.drawText(sign, Qt::AlignCenter, isAdded ? QStringLiteral("+") : QStringLiteral("\u2212"));
    return sign.right() + 4;
}

/// Stretches of one colour, one after the other.
void paintText(QPainter& p, const QRectF& room, const SnapshotRow& row, bool marksWords, const Theme& theme) {
    const QFontMetricsF metrics(p.font());
    const QString shown = metrics.elidedText(row.text, Qt::ElideRight, room.width());
    std::vector<Token> colors(static_cast<std::size_t>(shown.size()), Token::Text1);
    const auto end = [&](int at) { return std::min(at, static_cast<int>(shown.size())); };
    for (const ColouredWord& word : colouredWords(row.text))
        for (int i = word.begin; i < end(word.begin + word.length); ++i)
            colors[static_cast<std::size_t>(i)] = word.color;
    if (row.mark == Mark::Gap) std::ranges::fill(colors, Token::Text3);
    const auto at = [&](int position) { return room.left() + metrics.horizontalAdvance(shown.left(position)); };
    for (const WordRange& word : marksWords ? row.words : std::vector<WordRange>{}) {
        if (word.begin >= shown.size()) continue;
        const double from = at(word.begin);
        p.fillRect(QRectF(from, room.top(), at(end(word.begin + word.length)) - from, room.height()),
                   theme.color(row.mark == Mark::Added ? Token::AddedWord : Token::RemovedWord));
    }
    const double baseline = room.top() + (room.height() + metrics.ascent() - metrics.descent()) / 2;
    for (int from = 0; from < shown.size();) {
        int to = from;
        while (to < shown.size() && colors[static_cast<std::size_t>(to)] == colors[static_cast<std::size_t>(from)])
            ++to;
        p.setPen(theme.color(colors[static_cast<std::size_t>(from)]));
        const QString stretch = shown.mid(from, to - from);
        if (!stretch.trimmed().isEmpty()) p.drawText(QPointF(at(from), baseline), stretch);
        from = to;
    }
}

}  // namespace

std::vector<ColouredWord> colouredWords(const QString& line) {
    static const QRegularExpression kKey(QStringLiteral("^\\s+([A-Za-z_]+)\\b"));
    static const QRegularExpression kKind(QStringLiteral("= ([\\w.]+)(\\[\\w+\\])?"));
    static const QRegularExpression kWord(QStringLiteral("\\bover\\b"));
    static const QRegularExpression kString(QStringLiteral("\"[^\"]*\""));
    static const QRegularExpression kComment(QStringLiteral("//.*$"));
    std::vector<ColouredWord> words;
    const auto find = [&](const QRegularExpression& what, int group, Token color) {
        for (auto it = what.globalMatch(line); it.hasNext();) {
            const auto m = it.next();
            words.push_back(
                {static_cast<int>(m.capturedStart(group)), static_cast<int>(m.capturedLength(group)), color});
        }
    };
    find(kKey, 1, Token::Accent);
    find(kKind, 1, Token::SyntaxKind);
    find(kWord, 0, Token::Text3);
    find(kString, 0, Token::Good);
    find(kComment, 0, Token::Text3);
    return words;
}

double snapshotRowHeight(const Theme& theme) {
    return std::ceil(QFontMetricsF(theme.font(TextStyle::Fixed)).height()) + 2;
}

void paintSnapshotRows(QPainter& painter, const QRectF& area, const std::vector<SnapshotRow>& rows, bool marksWords,
                       const Theme& theme) {
    painter.setFont(theme.font(TextStyle::Fixed));
    const double high = snapshotRowHeight(theme);
    const auto room = static_cast<std::size_t>(std::max(1.0, std::floor(area.height() / high)));
    const std::size_t shown = rows.size() <= room ? rows.size() : room - 1;
    int most = 0;
    for (const SnapshotRow& row : rows)
        most = std::max(most, row.number + 1);
    const auto digits = static_cast<int>(QString::number(most).size());
    for (std::size_t i = 0; i < shown; ++i) {
        const QRectF line(area.left(), area.top() + high * static_cast<double>(i), area.width(), high);
        paintGround(painter, line, rows[i].mark, theme);
        const double from = paintGutter(painter, line, rows[i], digits, theme);
        paintText(painter, QRectF(QPointF(from, line.top()), line.bottomRight()), rows[i], marksWords, theme);
    }
    if (shown == rows.size()) return;
    painter.setFont(theme.font(TextStyle::Body));
    painter.setPen(theme.color(Token::Text2));
    const QRectF rest(area.left(), area.top() + high * static_cast<double>(shown), area.width(), high);
    painter.drawText(rest, Qt::AlignLeft | Qt::AlignVCenter,
                     QObject::tr("and %1 more lines").arg(groupedText(static_cast<qint64>(rows.size() - shown))));
}

}  // namespace memplan::ui

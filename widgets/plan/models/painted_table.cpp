// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/models/painted_table.h"

#include "widgets/plan/marks/badge.h"
#include "widgets/plan/units.h"

#include <QAbstractItemModel>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <numeric>

namespace memplan::ui {

namespace {

constexpr int kLine = 22, kPad = 8, kBadge = 16, kWidest = 240, kLeastWrapped = 96, kIndent = 16;
constexpr std::size_t kMeasured = 400;  ///< rows that say how wide a column is

QFont fontOf(const QModelIndex& cell, const Theme& theme) {
    if (cell.data(FixedRole).toBool()) return theme.font(TextStyle::Fixed);
    return theme.font(cell.data(StrongRole).toBool() ? TextStyle::BodyStrong : TextStyle::Body);
}

Token colorOf(const QModelIndex& cell) {
    const QVariant color = cell.data(ColorRole);
    return color.isValid() ? static_cast<Token>(color.toInt()) : Token::Text1;
}

Qt::AlignmentFlag sideOf(const QModelIndex& cell) {
    return cell.data(NumericRole).toBool() ? Qt::AlignRight : Qt::AlignLeft;
}

double indentOf(const QModelIndex& cell, const Theme& theme) {
    return cell.data(kIndentRole).toInt() * theme.px(kIndent);
}

bool hasBadge(const QModelIndex& cell) {
    return cell.data(BadgeRole).canConvert<BadgeText>();
}

}  // namespace

TableShape wholeTable(const QAbstractItemModel& model, std::vector<int> wrapped) {
    TableShape shape;
    shape.columns.resize(static_cast<std::size_t>(model.columnCount()));
    shape.rows.resize(static_cast<std::size_t>(model.rowCount()));
    std::iota(shape.columns.begin(), shape.columns.end(), 0);
    std::iota(shape.rows.begin(), shape.rows.end(), 0);
    shape.wrapped = std::move(wrapped);
    return shape;
}

PaintedTable::PaintedTable(const QAbstractItemModel& model, TableShape shape)
    : model_(model), shape_(std::move(shape)) {}

bool PaintedTable::isWrapped(int column) const {
    return std::ranges::find(shape_.wrapped, column) != shape_.wrapped.end();
}

/// Each column as wide as its words, up to a limit; the wrapped ones share what is left.
std::vector<double> PaintedTable::widths(double width, const Theme& theme) const {
    std::vector<double> list;
    double left = width;
    double wrapped = 0;
    for (const int column : shape_.columns) {
        const QString head = model_.headerData(column, Qt::Horizontal).toString();
        double most = QFontMetricsF(theme.font(TextStyle::SmallStrong)).horizontalAdvance(head);
        for (std::size_t i = 0; i < std::min(kMeasured, shape_.rows.size()) && !isWrapped(column); ++i) {
            const QModelIndex cell = model_.index(shape_.rows[i], column);
            const double before = (hasBadge(cell) ? theme.px(kBadge) : 0) + indentOf(cell, theme);
            most =
                std::max(most, QFontMetricsF(fontOf(cell, theme)).horizontalAdvance(cell.data().toString()) + before);
        }
        const double own =
            isWrapped(column) ? 0 : std::min<double>(std::ceil(most), theme.px(kWidest)) + theme.px(kPad) * 2;
        list.push_back(own);
        left -= own;
        wrapped += isWrapped(column) ? 1 : 0;
    }
    for (std::size_t i = 0; i < list.size(); ++i)
        if (isWrapped(shape_.columns[i])) list[i] = std::max<double>(theme.px(kLeastWrapped), left / wrapped);
    // Where that is still too wide the last columns are left out: they would stand over what is beside the table.
    double total = std::accumulate(list.begin(), list.end(), 0.0);
    for (std::size_t i = list.size(); i-- > 1 && total > width + 1;) {
        total -= list[i];
        list[i] = 0;
    }
    return list;
}

double PaintedTable::rowHeight(int row, const std::vector<double>& widths, const Theme& theme) const {
    double height = theme.px(kLine);
    for (std::size_t i = 0; i < widths.size(); ++i) {
        if (widths[i] <= 0) continue;
        const int column = shape_.columns[i];
        if (!isWrapped(column)) continue;
        const QModelIndex cell = model_.index(row, column);
        const QRectF room(0, 0, widths[i] - theme.px(kPad) * 2 - indentOf(cell, theme), 1e5);
        const QRectF words =
            QFontMetricsF(fontOf(cell, theme)).boundingRect(room, Qt::TextWordWrap, cell.data().toString());
        height = std::max(height, std::ceil(words.height()) + theme.px(6));
    }
    return height + 1;  // the line below
}

double PaintedTable::height(double width, const Theme& theme) const {
    return height(width, theme, shape_.rows.size());
}

double PaintedTable::height(double width, const Theme& theme, std::size_t most) const {
    const std::vector<double> columns = widths(width, theme);
    double sum = theme.px(kLine) + 1;
    for (std::size_t i = 0; i < std::min(most, shape_.rows.size()); ++i)
        sum += rowHeight(shape_.rows[i], columns, theme);
    return sum + (shape_.rows.size() > most ? theme.px(kLine) : 0);
}

void PaintedTable::paintHead(QPainter& painter, const QRectF& line, const std::vector<double>& widths,
                             const Theme& theme) const {
    painter.fillRect(line, theme.color(Token::BgPanel));
    painter.setFont(theme.font(TextStyle::SmallStrong));
    painter.setPen(theme.color(Token::Text2));
    double x = line.left();
    for (std::size_t i = 0; i < widths.size(); ++i) {
        if (widths[i] <= 0) continue;
        const int column = shape_.columns[i];
        const QModelIndex first = model_.index(shape_.rows.empty() ? 0 : shape_.rows.front(), column);
        const QRectF cell(x + theme.px(kPad), line.top(), widths[i] - theme.px(kPad) * 2, line.height());
        painter.drawText(cell, static_cast<int>(sideOf(first) | Qt::AlignVCenter),
                         model_.headerData(column, Qt::Horizontal).toString());
        x += widths[i];
    }
}

void PaintedTable::paintRow(QPainter& painter, const QRectF& line, int row, const std::vector<double>& widths,
                            const Theme& theme) const {
    if (std::ranges::find(shape_.chosen, row) != shape_.chosen.end())
        painter.fillRect(line, theme.color(Token::BgSelected));
    double x = line.left();
    for (std::size_t i = 0; i < widths.size(); ++i) {
        if (widths[i] <= 0) continue;
        const QModelIndex index = model_.index(row, shape_.columns[i]);
        QRectF cell(x + theme.px(kPad), line.top(), widths[i] - theme.px(kPad) * 2, line.height());
        cell.setLeft(cell.left() + indentOf(index, theme));
        x += widths[i];
        if (hasBadge(index)) {
            const QRectF box(cell.left(), line.top() + (theme.px(kLine) - theme.px(kBadge)) / 2.0, theme.px(kBadge),
                             theme.px(kBadge));
            drawBadge(painter, box, badgeColors(theme, index.data(BadgeRole).value<BadgeText>()));
            cell.setLeft(box.right() + theme.px(4));
        }
        painter.setFont(fontOf(index, theme));
        painter.setPen(theme.color(colorOf(index)));
        const QString words = index.data().toString();
        if (words.isEmpty()) continue;
        if (isWrapped(shape_.columns[i])) {
            painter.drawText(cell.adjusted(0, theme.px(3), 0, 0), static_cast<int>(Qt::AlignLeft | Qt::TextWordWrap),
                             words);
            continue;
        }
        cell.setHeight(theme.px(kLine));
        painter.drawText(cell, static_cast<int>(sideOf(index) | Qt::AlignVCenter),
                         QFontMetricsF(painter.font()).elidedText(words, Qt::ElideRight, cell.width()));
    }
    painter.fillRect(QRectF(line.left(), line.bottom() - 1, line.width(), 1), theme.color(Token::Line2));
}

double PaintedTable::paint(QPainter& painter, const QRectF& area, const Theme& theme) const {
    const std::vector<double> columns = widths(area.width(), theme);
    QRectF line(area.left(), area.top(), area.width(), theme.px(kLine) + 1);
    paintHead(painter, line, columns, theme);
    for (std::size_t i = 0; i < shape_.rows.size(); ++i) {
        const bool isLast = i + 1 == shape_.rows.size();
        const double next = rowHeight(shape_.rows[i], columns, theme);
        const double needed = next + (isLast ? 0 : theme.px(kLine));
        if (line.bottom() + needed > area.bottom() + 0.5) {
            const auto left = static_cast<qint64>(shape_.rows.size() - i);
            painter.setFont(theme.font(TextStyle::Body));
            painter.setPen(theme.color(Token::Text2));
            painter.drawText(QRectF(line.left() + theme.px(kPad), line.bottom(), line.width(), theme.px(kLine)),
                             Qt::AlignLeft | Qt::AlignVCenter, QObject::tr("and %1 more").arg(groupedText(left)));
            return line.bottom() + theme.px(kLine);
        }
        line = QRectF(line.left(), line.bottom(), line.width(), next);
        paintRow(painter, line, shape_.rows[i], columns, theme);
    }
    return line.bottom();
}

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/picture/table_picture.h"

#include "widgets/canvas/picture/picture_export.h"

#include <QPainter>

#include <cmath>

namespace memplan::ui {

namespace {

constexpr int kInset = 10, kLeast = 160;

}  // namespace

TablePicture::TablePicture(const QAbstractItemModel& model, TableShape shape, Words words)
    : table_(model, shape), rows_(shape.rows.size()),
      height_(table_.height(kWidth - 2 * kInset, paperTheme(), kMostRows)), words_(std::move(words)) {}

QSize TablePicture::pictureSize() const {
    return {kWidth, std::max(kLeast, static_cast<int>(std::ceil(height_)) + 2 * kInset)};
}

void TablePicture::paintPicture(QPainter& painter, QSize size, const Theme& theme) const {
    const QRectF area = QRectF(QPointF(0, 0), QSizeF(size)).adjusted(kInset, kInset / 2.0, -kInset, -kInset / 2.0);
    painter.fillRect(QRectF(QPointF(0, 0), QSizeF(size)), theme.color(Token::BgCanvas));
    if (rows_ > 0) {
        table_.paint(painter, area, theme);
        return;
    }
    painter.setFont(theme.font(TextStyle::Body));
    painter.setPen(theme.color(Token::Text2));
    painter.drawText(area, Qt::AlignCenter, words_.empty);
}

}  // namespace memplan::ui

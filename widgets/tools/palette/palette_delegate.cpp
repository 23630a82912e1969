// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tools/palette/palette_delegate.h"

#include "widgets/kit/theme/icons.h"
#include "widgets/kit/theme/theme.h"
#include "widgets/tools/palette/palette_model.h"

#include <QPainter>

namespace memplan::ui {
namespace {

/// Draws `text` with the letters at `matched` strong and in the accent; elided at the right.
void drawMatched(QPainter& p, const QRect& box, const QString& text, const std::vector<int>& matched,
                 const Theme& theme, bool enabled) {
    const QFont plain = theme.font(TextStyle::Body);
    const QFont strong = theme.font(TextStyle::BodyStrong);
    const QColor ink = theme.color(enabled ? Token::Text1 : Token::TextDisabled);
    const QString shown = QFontMetrics(strong).elidedText(text, Qt::ElideRight, box.width());
    int x = box.left();
    std::size_t next = 0;
    for (qsizetype i = 0; i < shown.size();) {
        while (next < matched.size() && matched[next] < i)
            ++next;
        const bool mark = next < matched.size() && matched[next] == i;
        qsizetype end = i + 1;
        std::size_t ahead = next + (mark ? 1 : 0);
        while (end < shown.size()) {
            const bool alsoMarked = ahead < matched.size() && matched[ahead] == end;
            if (alsoMarked != mark) break;
            if (alsoMarked) ++ahead;
            ++end;
        }
        const QString run = shown.mid(i, end - i);
        p.setFont(mark ? strong : plain);
        p.setPen(mark && enabled ? theme.color(Token::Accent) : ink);
        p.drawText(QRect(x, box.top(), box.right() - x + 1, box.height()), Qt::AlignVCenter | Qt::TextSingleLine, run);
        x += p.fontMetrics().horizontalAdvance(run);
        i = end;
    }
}

}  // namespace

int drawKeyCap(QPainter& painter, const QPoint& rightCentre, const QString& key) {
    const Theme& theme = themeOf();
    painter.setFont(theme.font(TextStyle::Small));
    const int width = painter.fontMetrics().horizontalAdvance(key) + theme.px(10);
    const int height = theme.px(18);
    const QRect cap(rightCentre.x() - width, rightCentre.y() - height / 2, width, height);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(theme.color(Token::Line1));
    painter.setBrush(theme.color(Token::BgPanel));
    painter.drawRoundedRect(QRectF(cap).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    painter.restore();
    painter.setPen(theme.color(Token::Text2));
    painter.drawText(cap, Qt::AlignCenter, key);
    return width;
}

QSize PaletteDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const {
    return {100, themeOf().px(40)};
}

void PaletteDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const auto* model = qobject_cast<const PaletteModel*>(index.model());
    if (model == nullptr) return;
    const PaletteRow& row = model->row(index.row());
    const Theme& theme = themeOf(option.widget);
    const bool current = option.state.testFlag(QStyle::State_Selected);
    const QRect r = option.rect.adjusted(theme.px(6), 0, -theme.px(6), 0);
    painter->save();
    if (current || option.state.testFlag(QStyle::State_MouseOver)) {
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        painter->setBrush(theme.color(current ? Token::BgSelected : Token::BgHover));
        painter->drawRoundedRect(r, 4, 4);
        painter->setRenderHint(QPainter::Antialiasing, false);
    }
    const int middle = r.center().y();
    const int icon = theme.px(16);
    drawIcon(*painter, QRectF(r.left() + theme.px(10), middle - icon / 2.0, icon, icon), row.icon,
             theme.color(Token::Text2));
    const bool isCommand = row.kind == PaletteKind::Command;
    int left = r.left() + theme.px(36);
    if (!isCommand) {
        painter->setFont(theme.font(TextStyle::Body));
        painter->setPen(theme.color(Token::Text2));
        painter->drawText(QRect(left, r.top(), theme.px(62), r.height()), Qt::AlignVCenter, paletteWord(row.kind));
        left += theme.px(66);
    }
    int right = r.right() - theme.px(10);
    if (isCommand) {
        const QStringList keys = row.value.split(QStringLiteral(", "), Qt::SkipEmptyParts);
        for (auto key = keys.rbegin(); key != keys.rend(); ++key)
            right -= drawKeyCap(*painter, {right, middle}, *key) + theme.px(6);
    } else {
        if (current) right -= drawKeyCap(*painter, {right, middle}, tr("Enter")) + theme.px(8);
        painter->setFont(theme.font(TextStyle::Body));
        const int width = painter->fontMetrics().horizontalAdvance(row.value);
        painter->setPen(theme.color(Token::Text1));
        painter->drawText(QRect(right - width, r.top(), width, r.height()), Qt::AlignVCenter, row.value);
        right -= width + theme.px(8);
        if (row.badge) {
            const int side = theme.px(16);
            drawBadge(*painter, QRectF(right - side, middle - side / 2.0, side, side), badgeColors(theme, *row.badge));
            right -= side + theme.px(8);
        }
    }
    const bool twoLines = !row.context.isEmpty();
    const QRect name(left, r.top() + (twoLines ? theme.px(4) : 0), right - left, twoLines ? theme.px(17) : r.height());
    drawMatched(*painter, name, row.name, row.matched, theme, row.enabled);
    if (twoLines) {
        painter->setFont(theme.font(TextStyle::Small));
        painter->setPen(theme.color(row.enabled ? Token::Text3 : Token::TextDisabled));
        const QRect line(left, name.bottom() + 1, right - left, theme.px(16));
        painter->drawText(line, Qt::AlignVCenter,
                          painter->fontMetrics().elidedText(row.context, Qt::ElideRight, line.width()));
    }
    painter->restore();
}

}  // namespace memplan::ui

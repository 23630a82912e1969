// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/marks/badge.h"

#include "widgets/kit/theme/as_written.h"
#include "widgets/plan/marks/note_flag.h"
#include "widgets/plan/plan_look.h"
#include "widgets/plan/units.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <QTreeView>

#include <cmath>

namespace memplan::ui {

BadgeText badgeOf(Residency r) {
    return {QString(residencyLetter(r)), residencyName(r), BadgeText::Kind::Residency, r};
}

BadgeText badgeOf(Severity s) {
    switch (s) {
    case Severity::Error:
        return {QStringLiteral("x"), QStringLiteral("error"), BadgeText::Kind::Error};
    case Severity::Warning:
        return {QStringLiteral("!"), QStringLiteral("warning"), BadgeText::Kind::Warning};
    case Severity::Note:
        break;
    }
    return {QStringLiteral("i"), QStringLiteral("note"), BadgeText::Kind::Note};
}

BadgeColors residencyBadge(const Theme& theme, const QString& letter, Residency r) {
    return {letter, theme.residency(r, Tone::Badge), theme.residency(r, Tone::Edge), theme.color(Token::Text1)};
}

BadgeColors badgeColors(const Theme& theme, const BadgeText& badge) {
    const auto state = [&](Token edge, Token ground) {
        return BadgeColors{badge.letter, theme.color(ground), theme.color(edge), theme.color(edge)};
    };
    switch (badge.kind) {
    case BadgeText::Kind::Residency:
        return residencyBadge(theme, badge.letter, badge.residency);
    case BadgeText::Kind::Error:
        return state(Token::Error, Token::ErrorBg);
    case BadgeText::Kind::Warning:
        return state(Token::Warning, Token::WarningBg);
    case BadgeText::Kind::Good:
        return state(Token::Good, Token::GoodBg);
    case BadgeText::Kind::Note:
    case BadgeText::Kind::Plain:
        break;
    }
    return {badge.letter, theme.color(Token::BgCanvas), theme.color(Token::LineControl), theme.color(Token::Text2)};
}

void drawBadge(QPainter& painter, const QRectF& rect, const BadgeColors& badge) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(badge.edge, 1));
    painter.setBrush(badge.ground);
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    QFont font = themeOf().font(TextStyle::TinyStrong);
    font.setPixelSize(std::max(5, static_cast<int>(std::lround(rect.height() * 10 / 16))));
    painter.setFont(font);
    painter.setPen(badge.text);
    painter.drawText(rect, Qt::AlignCenter, badge.letter);
    painter.restore();
}

Badge::Badge(BadgeText badge, QWidget* parent) : QWidget(parent) {
    setBadge(std::move(badge));
}

void Badge::setBadge(BadgeText badge) {
    badge_ = std::move(badge);
    setToolTip(badge_.meaning);
    setAccessibleName(badge_.meaning);
    setFixedSize(sizeHint());
    update();
}

QSize Badge::sizeHint() const {
    const Theme& theme = themeOf(this);
    const int width = QFontMetrics(theme.font(TextStyle::TinyStrong)).horizontalAdvance(badge_.letter) + 8;
    return {std::max(theme.px(16), width), theme.px(16)};
}

void Badge::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    drawBadge(painter, rect(), badgeColors(themeOf(this), badge_));
}

QSize CellDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    QSize size = QStyledItemDelegate::sizeHint(option, index);
    size.setHeight(std::max(themeOf(option.widget).px(24), size.height()));
    if (index.data(NumericRole).toBool())
        size.setWidth(static_cast<int>(tabularWidth(QFontMetricsF(option.font), index.data().toString())) +
                      themeOf(option.widget).px(18));
    return size;
}

void CellDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    QStyleOptionViewItem opt = option;
    initStyleOption(&opt, index);
    const Theme& theme = themeOf(opt.widget);
    const QStyle* style = opt.widget ? opt.widget->style() : QApplication::style();
    style->drawPrimitive(QStyle::PE_PanelItemViewItem, &opt, painter, opt.widget);
    // Rows of a tree are distinguished by their indentation; lines would begin anywhere.
    if (qobject_cast<const QTreeView*>(opt.widget) == nullptr)
        painter->fillRect(QRect(opt.rect.left(), opt.rect.bottom(), opt.rect.width(), 1), theme.color(Token::Line2));
    painter->save();
    QRect cell = opt.rect.adjusted(theme.px(8), 0, -theme.px(8), -1);
    if (opt.features.testFlag(QStyleOptionViewItem::HasCheckIndicator))
        cell.setLeft(paintCheck(*painter, opt, index) + theme.px(6));
    if (!opt.icon.isNull()) {
        const QRect box(cell.left(), cell.center().y() - theme.px(8) + 1, theme.px(16), theme.px(16));
        opt.icon.paint(painter, box);
        cell.setLeft(box.right() + theme.px(6));
    }
    const QVariant badge = index.data(BadgeRole);
    if (badge.canConvert<BadgeText>()) {
        const auto text = badge.value<BadgeText>();
        const bool right = !opt.text.isEmpty();
        const double side = theme.px(16);
        const QRectF box(right ? cell.right() - side : cell.left(), cell.center().y() - side / 2 + 0.5, side, side);
        drawBadge(*painter, box, badgeColors(theme, text));
        if (right) cell.setRight(static_cast<int>(box.left()) - theme.px(4));
    }
    if (!index.data(NoteRole).toString().isEmpty()) {
        const double height = theme.px(13);
        const double x = cell.right() - noteFlagWidth(height);
        drawNoteFlag(*painter, QPointF(std::round(x), std::round(cell.center().y() + height / 2)), height, theme);
        cell.setRight(static_cast<int>(x) - theme.px(4));
    }
    paintText(*painter, cell, opt, index);
    painter->restore();
    if (opt.state.testFlag(QStyle::State_HasFocus)) {
        QStyleOptionFocusRect ring;
        ring.rect = opt.rect.adjusted(0, 0, 0, -1);
        style->drawPrimitive(QStyle::PE_FrameFocusRect, &ring, painter, opt.widget);
    }
}

/// Where the box ends.
int CellDelegate::paintCheck(QPainter& painter, const QStyleOptionViewItem& opt, const QModelIndex& index) {
    const QStyle* style = opt.widget ? opt.widget->style() : QApplication::style();
    QStyleOptionViewItem check = opt;
    check.rect = style->subElementRect(QStyle::SE_ItemViewItemCheckIndicator, &opt, opt.widget);
    // A box that nobody can switch must not look as if one could.
    if (!index.flags().testFlag(Qt::ItemIsUserCheckable)) check.state.setFlag(QStyle::State_Enabled, false);
    check.state.setFlag(QStyle::State_On, opt.checkState == Qt::Checked);
    check.state.setFlag(QStyle::State_Off, opt.checkState == Qt::Unchecked);
    check.state.setFlag(QStyle::State_NoChange, opt.checkState == Qt::PartiallyChecked);
    style->drawPrimitive(QStyle::PE_IndicatorItemViewItemCheck, &check, &painter, opt.widget);
    return check.rect.right();
}

void CellDelegate::paintText(QPainter& painter, const QRect& cell, const QStyleOptionViewItem& opt,
                             const QModelIndex& index) {
    const Theme& theme = themeOf(opt.widget);
    const bool numeric = index.data(NumericRole).toBool(), link = index.data(LinkRole).isValid();
    const QVariant color = index.data(ColorRole);
    const bool enabled = opt.state.testFlag(QStyle::State_Enabled) && index.flags().testFlag(Qt::ItemIsEnabled);
    painter.setPen(theme.color(!enabled          ? Token::TextDisabled
                               : link            ? Token::Accent
                               : color.isValid() ? static_cast<Token>(color.toInt())
                                                 : Token::Text1));
    const TextStyle face = index.data(FixedRole).toBool() ? TextStyle::Fixed
                           : index.data(StrongRole).toBool() || opt.font.weight() >= QFont::DemiBold
                               ? TextStyle::BodyStrong
                               : TextStyle::Body;
    QFont font = theme.font(face);
    font.setStrikeOut(opt.font.strikeOut());
    painter.setFont(font);
    if (numeric)
        drawTabular(painter, cell, Qt::AlignRight, opt.text);
    else
        painter.drawText(cell, static_cast<int>(opt.displayAlignment | Qt::AlignVCenter) | Qt::TextSingleLine,
                         painter.fontMetrics().elidedText(asWritten(opt.text), opt.textElideMode, cell.width()));
}

bool CellDelegate::helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                             const QModelIndex& index) {
    const QVariant badge = index.data(BadgeRole);
    if (event->type() == QEvent::ToolTip && badge.canConvert<BadgeText>()) {
        QToolTip::showText(event->globalPos(), badge.value<BadgeText>().meaning, view);
        return true;
    }
    const QString note = index.data(NoteRole).toString();
    if (event->type() == QEvent::ToolTip && !note.isEmpty()) {
        const QString own = index.data(Qt::ToolTipRole).toString();
        const QString head = own.isEmpty() ? index.data().toString() : own;
        QToolTip::showText(event->globalPos(), head + u'\n' + tr("Note: %1").arg(note), view);
        return true;
    }
    const QString text = index.data().toString();
    const int width = option.fontMetrics.horizontalAdvance(text) + themeOf(view).px(16);
    if (event->type() == QEvent::ToolTip && !index.data(Qt::ToolTipRole).isValid() && width > option.rect.width()) {
        QToolTip::showText(event->globalPos(), text, view);  // elided text is never lost (22.4)
        return true;
    }
    return QStyledItemDelegate::helpEvent(event, view, option, index);
}

}  // namespace memplan::ui

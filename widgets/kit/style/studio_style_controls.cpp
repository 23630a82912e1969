// SPDX-License-Identifier: GPL-3.0-or-later
// Tabs, headers, menus, progress, scroll bars, sliders, fields (design-system 5, 6, 13.5).
#include "widgets/kit/style/studio_style.h"
#include "widgets/kit/theme/icons.h"
#include "widgets/kit/theme/scaled.h"

#include <QComboBox>
#include <QPainter>
#include <QStyleOption>
#include <QTabBar>

#include <algorithm>

namespace memplan::ui {

namespace {

bool has(const QStyleOption* option, QStyle::StateFlag flag) {
    return option->state.testFlag(flag);
}

/// Tab texts carry their count after U+2009; it is drawn in text.3 (design-system 14).
constexpr QChar kCountSeparator(0x2009);

void drawRun(QPainter* painter, QRect& rect, const QString& text, const QColor& color) {
    painter->setPen(color);
    painter->drawText(rect, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine | Qt::TextShowMnemonic, text);
    rect.setLeft(rect.left() + painter->fontMetrics().horizontalAdvance(text));
}

}  // namespace

void StudioStyle::drawTab(QPainter* painter, const QStyleOption* option) const {
    const QRect r = option->rect;
    const bool current = has(option, State_Selected);
    painter->fillRect(r, theme_.color(current                        ? Token::BgPanel
                                      : has(option, State_MouseOver) ? Token::BgHover
                                                                     : Token::BgWindow));
    if (current)
        painter->fillRect(QRect(r.left(), r.top(), r.width(), 2), theme_.color(Token::Accent));
    else
        painter->fillRect(QRect(r.left(), r.bottom(), r.width(), 1), theme_.color(Token::Line1));
}

void StudioStyle::drawTabLabel(QPainter* painter, const QStyleOption* option) const {
    const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option);
    if (!tab) return;
    painter->save();
    QRect r = option->rect.adjusted(theme_.px(11), 1, -theme_.px(4), 0);
    // The name ends before the button that closes the tab.
    if (!tab->rightButtonSize.isEmpty()) r.setRight(r.right() - theme_.px(7) - tab->rightButtonSize.width());
    const bool current = has(option, State_Selected);
    if (!tab->icon.isNull()) {
        const int side = theme_.px(16);
        tab->icon.paint(painter, QRect(r.left(), r.center().y() - side / 2, side, side), Qt::AlignCenter,
                        has(option, State_Enabled) ? QIcon::Normal : QIcon::Disabled, current ? QIcon::On : QIcon::Off);
        r.setLeft(r.left() + side + theme_.px(6));
    }
    painter->setFont(theme_.font(current ? TextStyle::BodyStrong : TextStyle::Body));
    const QStringList parts = tab->text.split(kCountSeparator);
    // A narrow tab loses its count before the name ends in an ellipsis.
    const int count = parts.size() > 1
                          ? theme_.px(8) + QFontMetrics(theme_.font(TextStyle::Body)).horizontalAdvance(parts.value(1))
                          : 0;
    const bool showsCount =
        count > 0 && painter->fontMetrics().horizontalAdvance(parts.value(0)) + count <= r.width() + 1;
    drawRun(painter, r,
            painter->fontMetrics().elidedText(parts.value(0), Qt::ElideRight, r.width() + 1, Qt::TextShowMnemonic),
            theme_.color(current ? Token::Text1 : Token::Text2));
    if (showsCount) {
        painter->setFont(theme_.font(TextStyle::Body));
        r.setLeft(r.left() + theme_.px(8));
        drawRun(painter, r, parts.value(1), theme_.color(Token::Text3));
    }
    painter->restore();
    if (has(option, State_HasFocus)) {
        QStyleOptionFocusRect ring;
        ring.rect = option->rect.adjusted(2, 3, -2, -2);
        drawPrimitive(PE_FrameFocusRect, &ring, painter, nullptr);
    }
}

void StudioStyle::drawHeader(QPainter* painter, const QStyleOption* option) const {
    const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option);
    if (!header) return;
    const QRect r = option->rect;
    painter->fillRect(r, theme_.color(Token::BgPanel));
    painter->fillRect(QRect(r.left(), r.bottom(), r.width(), 1), theme_.color(Token::Line1));
    painter->save();
    QFont font = theme_.font(TextStyle::Button);
    painter->setFont(font);
    painter->setPen(theme_.color(Token::Text3));
    QRect text = r.adjusted(theme_.px(8), 0, -theme_.px(8), 0);
    if (header->sortIndicator != QStyleOptionHeader::None) {
        const bool right = header->textAlignment & Qt::AlignRight;
        const QRect arrow(right ? text.left() - 4 : text.right() - 8, r.center().y() - 5, 12, 12);
        const bool up = header->sortIndicator == QStyleOptionHeader::SortUp;
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setBrush(theme_.color(Token::Text3));
        const double y = arrow.center().y(), x = arrow.center().x(), d = up ? 1 : -1;
        const QPen pen = painter->pen();
        painter->setPen(Qt::NoPen);
        painter->drawPolygon(QPolygonF{{x - 3.5, y - 2 * d}, {x + 3.5, y - 2 * d}, {x, y + 3 * d}});
        painter->setPen(pen);
        if (right)
            text.setLeft(text.left() + 10);
        else
            text.setRight(text.right() - 10);
    }
    QStringList lines = header->text.split(u'\n');
    for (QString& line : lines)
        line = painter->fontMetrics().elidedText(line, Qt::ElideRight, text.width());
    painter->drawText(text, static_cast<int>(header->textAlignment | Qt::AlignVCenter), lines.join(u'\n'));
    painter->restore();
}

void StudioStyle::drawMenuItem(QPainter* painter, const QStyleOption* option) const {
    const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option);
    if (!item) return;
    const QRect r = option->rect;
    painter->fillRect(r, theme_.color(Token::BgRaised));
    if (item->menuItemType == QStyleOptionMenuItem::Separator) {
        painter->fillRect(QRect(r.left() + 8, r.center().y(), r.width() - 16, 1), theme_.color(Token::Line1));
        return;
    }
    const bool enabled = has(option, State_Enabled);
    if (has(option, State_Selected) && enabled) painter->fillRect(r, theme_.color(Token::BgHover));
    const int side = theme_.px(16), gutter = theme_.px(8);
    const QRect mark(r.left() + gutter, r.center().y() - side / 2 + 1, side, side);
    if (item->checkType != QStyleOptionMenuItem::NotCheckable && item->checked)
        drawIcon(*painter, mark, QStringLiteral("check"), theme_.color(enabled ? Token::Accent : Token::TextDisabled));
    else if (!item->icon.isNull())
        item->icon.paint(painter, mark, Qt::AlignCenter, enabled ? QIcon::Normal : QIcon::Disabled);
    const QRect text = r.adjusted(gutter + theme_.px(24), 0, -theme_.px(20), 0);
    const QStringList parts = item->text.split(u'\t');
    painter->save();
    painter->setFont(item->font);
    painter->setPen(theme_.color(enabled ? Token::Text1 : Token::TextDisabled));
    painter->drawText(text, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine | Qt::TextShowMnemonic,
                      parts.value(0));
    painter->setPen(theme_.color(enabled ? Token::Text3 : Token::TextDisabled));
    if (parts.size() > 1)
        painter->drawText(text, Qt::AlignVCenter | Qt::AlignRight | Qt::TextSingleLine, parts.value(1));
    painter->restore();
    if (item->menuItemType == QStyleOptionMenuItem::SubMenu)
        drawIcon(*painter, QRectF(r.right() - side - 2, mark.top(), side, side), QStringLiteral("chevron-right"),
                 theme_.color(enabled ? Token::Text3 : Token::TextDisabled));
}

void StudioStyle::drawMenuBarItem(QPainter* painter, const QStyleOption* option) const {
    const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option);
    if (!item) return;
    painter->fillRect(option->rect, theme_.color(Token::BgWindow));
    const bool active = has(option, State_Selected) || has(option, State_Sunken);
    if (active) painter->fillRect(option->rect.adjusted(0, 2, 0, -2), theme_.color(Token::BgHover));
    painter->setPen(theme_.color(has(option, State_Enabled) ? Token::Text1 : Token::TextDisabled));
    painter->drawText(option->rect, Qt::AlignCenter | Qt::TextShowMnemonic | Qt::TextSingleLine, item->text);
}

void StudioStyle::drawProgress(QPainter* painter, const QStyleOption* option) const {
    const auto* bar = qstyleoption_cast<const QStyleOptionProgressBar*>(option);
    if (!bar) return;
    const QRect track(option->rect.left(), option->rect.center().y() - 3, option->rect.width(), 6);
    painter->fillRect(track, theme_.color(Token::Line1));
    const qint64 span = static_cast<qint64>(bar->maximum) - bar->minimum;
    const double share =
        span > 0 ? std::clamp((bar->progress - bar->minimum) / static_cast<double>(span), 0.0, 1.0) : 0.3;
    painter->fillRect(QRect(track.left(), track.top(), static_cast<int>(track.width() * share), track.height()),
                      theme_.color(Token::Accent));
}

namespace {

/// Icon and words from the left, keys at the right: the large buttons of the start page (design a).
void drawLeadingLabel(QPainter* painter, const QStyleOptionButton& button, const QString& keys) {
    const int inset = themeOf().px(12), gap = themeOf().px(10);
    QRect room = button.rect.adjusted(inset, 0, -inset, 0);
    if (!button.icon.isNull()) {
        const QSize side = button.iconSize;
        button.icon.paint(painter, QRect(QPoint(room.left(), room.center().y() - side.height() / 2), side));
        room.setLeft(room.left() + side.width() + gap);
    }
    painter->setPen(button.palette.color(QPalette::ButtonText));
    painter->drawText(room, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextShowMnemonic, button.text);
    painter->drawText(room, Qt::AlignVCenter | Qt::AlignRight, keys);
}

}  // namespace

void StudioStyle::drawSplitter(QPainter* painter, const QStyleOption* option) const {
    const QRect r = option->rect;
    painter->fillRect(r, theme_.color(Token::BgPanel));
    const bool upright = has(option, State_Horizontal);
    painter->fillRect(upright ? QRect(r.center().x(), r.top(), 1, r.height())
                              : QRect(r.left(), r.center().y(), r.width(), 1),
                      theme_.color(Token::Line1));
}

void StudioStyle::drawButtonLabel(QPainter* painter, const QStyleOption* option, const QWidget* widget) const {
    const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
    if (!button) return QProxyStyle::drawControl(CE_PushButtonLabel, option, painter, widget);
    QStyleOptionButton copy = *button;
    painter->save();
    if (!widget || !widget->testAttribute(Qt::WA_SetFont)) painter->setFont(theme_.font(TextStyle::Button));
    const bool primary = widget && widget->property("memplanPrimary").toBool() && has(option, State_Enabled);
    if (primary) copy.palette.setColor(QPalette::ButtonText, theme_.color(Token::AccentText));
    if (widget && widget->property("memplanKeys").isValid())
        drawLeadingLabel(painter, copy, widget->property("memplanKeys").toString());
    else
        QProxyStyle::drawControl(CE_PushButtonLabel, &copy, painter, widget);
    painter->restore();
}

/// Cut text looks broken; a tooltip of the box has the whole.
void StudioStyle::drawComboLabel(QPainter* painter, const QStyleOption* option, const QWidget* widget) const {
    const auto* box = qstyleoption_cast<const QStyleOptionComboBox*>(option);
    if (!box) return QProxyStyle::drawControl(CE_ComboBoxLabel, option, painter, widget);
    QStyleOptionComboBox copy = *box;
    const int room = subControlRect(CC_ComboBox, box, SC_ComboBoxEditField, widget).width() - 2;
    copy.currentText = box->fontMetrics.elidedText(box->currentText, Qt::ElideRight, room);
    QProxyStyle::drawControl(CE_ComboBoxLabel, &copy, painter, widget);
}

void StudioStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                              const QWidget* widget) const {
    switch (element) {
    case CE_TabBarTabShape:
        drawTab(painter, option);
        return;
    case CE_TabBarTabLabel:
        drawTabLabel(painter, option);
        return;
    case CE_Header:
    case CE_HeaderSection:
        drawHeader(painter, option);
        return;
    case CE_HeaderEmptyArea:
        painter->fillRect(option->rect, theme_.color(Token::BgPanel));
        painter->fillRect(QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1),
                          theme_.color(Token::Line1));
        return;
    case CE_HeaderLabel:
        return;
    case CE_ToolBar:
        painter->fillRect(option->rect, theme_.color(Token::BgPanel));
        painter->fillRect(QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1),
                          theme_.color(Token::Line1));
        return;
    case CE_MenuItem:
        drawMenuItem(painter, option);
        return;
    case CE_MenuBarItem:
        drawMenuBarItem(painter, option);
        return;
    case CE_MenuBarEmptyArea:
        painter->fillRect(option->rect, theme_.color(Token::BgWindow));
        return;
    case CE_ProgressBarGroove:
    case CE_ProgressBarLabel:
        return;
    case CE_ProgressBarContents:
        drawProgress(painter, option);
        return;
    case CE_Splitter:
        return drawSplitter(painter, option);
    case CE_PushButtonLabel:
        return drawButtonLabel(painter, option, widget);
    case CE_ComboBoxLabel:
        return drawComboLabel(painter, option, widget);
    case CE_FocusFrame:
        return;
    default:
        break;
    }
    QProxyStyle::drawControl(element, option, painter, widget);
}

void StudioStyle::drawScrollBar(QPainter* painter, const QStyleOptionComplex* option, const QWidget* widget) const {
    const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option);
    if (!bar) return;
    painter->fillRect(option->rect, theme_.color(Token::BgPanel));
    if (bar->maximum <= bar->minimum) return;
    const QRect thumb = subControlRect(CC_ScrollBar, option, SC_ScrollBarSlider, widget);
    const bool active = option->activeSubControls.testFlag(SC_ScrollBarSlider) || has(option, State_Sunken);
    const QRect flat = bar->orientation == Qt::Horizontal
                           ? QRect(thumb.left(), thumb.center().y() - 2, thumb.width(), 6)
                           : QRect(thumb.center().x() - 2, thumb.top(), 6, thumb.height());
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(Theme::withAlpha(theme_.color(Token::LineControl), active ? 1.0 : 0.6));
    painter->drawRoundedRect(flat, 3, 3);
    painter->restore();
}

void StudioStyle::drawSlider(QPainter* painter, const QStyleOptionComplex* option, const QWidget* widget) const {
    const QRect groove = option->rect;
    const QRect handle = subControlRect(CC_Slider, option, SC_SliderHandle, widget);
    const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(option);
    const bool flat = !slider || slider->orientation == Qt::Horizontal;
    const QColor on = theme_.color(has(option, State_Enabled) ? Token::Accent : Token::TextDisabled);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(theme_.color(Token::Line1));
    const QRectF track = flat ? QRectF(groove.left(), groove.center().y() - 1.5, groove.width(), 4)
                              : QRectF(groove.center().x() - 1.5, groove.top(), 4, groove.height());
    painter->drawRoundedRect(track, 2, 2);
    painter->setBrush(on);
    const QPointF middle = QRectF(handle).center();
    const QRectF done = flat ? QRectF(track.left(), track.top(), middle.x() - track.left(), 4)
                             : QRectF(track.left(), middle.y(), 4, track.bottom() - middle.y());
    painter->drawRoundedRect(done, 2, 2);
    painter->setPen(QPen(on, 2));
    painter->setBrush(theme_.color(Token::BgCanvas));
    painter->drawEllipse(middle, theme_.px(6), theme_.px(6));
    if (has(option, State_HasFocus)) {
        painter->setPen(QPen(theme_.color(Token::SelectOutline), 1));
        painter->setBrush(Qt::NoBrush);
        painter->drawEllipse(middle, theme_.px(9), theme_.px(9));
    }
    painter->restore();
}

void StudioStyle::drawSpin(QPainter* painter, const QStyleOptionComplex* option, const QWidget* widget) const {
    drawField(painter, option);
    const auto arrow = [&](SubControl sub, bool up) {
        const QRect r = subControlRect(CC_SpinBox, option, sub, widget);
        const bool hot = option->activeSubControls.testFlag(sub) && has(option, State_MouseOver);
        const QColor color = theme_.color(!has(option, State_Enabled) ? Token::TextDisabled
                                          : hot                       ? Token::Text1
                                                                      : Token::Text3);
        const QPointF c = QRectF(r).center();
        const double u = unitOf(theme_), d = up ? 1.5 * u : -1.5 * u;
        painter->setPen(QPen(color, 1.25 * u, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter->drawPolyline(QPolygonF{{c.x() - 3 * u, c.y() + d}, {c.x(), c.y() - d}, {c.x() + 3 * u, c.y() + d}});
    };
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    arrow(SC_SpinBoxUp, true);
    arrow(SC_SpinBoxDown, false);
    painter->restore();
}

void StudioStyle::drawCombo(QPainter* painter, const QStyleOptionComplex* option, const QWidget* widget) const {
    QStyleOption field = *option;
    if (const auto* box = qobject_cast<const QComboBox*>(widget);
        box && !box->isEditable() && has(option, State_MouseOver))
        field.state.setFlag(State_Raised);
    const bool flat = isFlat(widget);
    if (!flat || has(option, State_MouseOver) || has(option, State_HasFocus)) drawField(painter, &field);
    const QRect r = option->rect;
    const int side = theme_.px(16);
    drawIcon(*painter, QRectF(r.right() - side - theme_.px(5), r.center().y() - side / 2.0 + 0.5, side, side),
             QStringLiteral("chevron-down"),
             theme_.color(has(option, State_Enabled) ? Token::Text3 : Token::TextDisabled));
}

void StudioStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                                     const QWidget* widget) const {
    switch (control) {
    case CC_ScrollBar:
        drawScrollBar(painter, option, widget);
        return;
    case CC_Slider:
        drawSlider(painter, option, widget);
        return;
    case CC_SpinBox:
        drawSpin(painter, option, widget);
        return;
    case CC_ComboBox:
        drawCombo(painter, option, widget);
        return;
    case CC_ToolButton: {
        QStyleOption panel = *option;
        const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option);
        if (!button) return;
        drawPrimitive(PE_PanelButtonTool, &panel, painter, widget);
        QStyleOptionToolButton label = *button;
        if (button->features.testFlag(QStyleOptionToolButton::HasMenu) &&
            button->subControls.testFlag(SC_ToolButtonMenu))
            label.rect.setRight(label.rect.right() - theme_.px(14));
        QProxyStyle::drawControl(CE_ToolButtonLabel, &label, painter, widget);
        if (label.rect != button->rect)
            drawIcon(*painter,
                     QRectF(button->rect.right() - theme_.px(15), button->rect.center().y() - theme_.px(5),
                            theme_.px(12), theme_.px(12)),
                     QStringLiteral("chevron-down"), theme_.color(Token::Text3));
        if (has(option, State_HasFocus) && has(option, State_KeyboardFocusChange)) {
            QStyleOptionFocusRect ring;
            ring.rect = option->rect;
            drawPrimitive(PE_FrameFocusRect, &ring, painter, widget);
        }
        return;
    }
    default:
        QProxyStyle::drawComplexControl(control, option, painter, widget);
    }
}

QRect StudioStyle::subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl sub,
                                  const QWidget* widget) const {
    const QRect r = option->rect;
    if (control == CC_ComboBox && sub == SC_ComboBoxEditField) return r.adjusted(theme_.px(7), 1, -theme_.px(22), -1);
    if (control == CC_ComboBox && sub == SC_ComboBoxArrow)
        return QRect(r.right() - theme_.px(22), r.top(), theme_.px(22), r.height());
    if (control == CC_SpinBox && sub == SC_SpinBoxEditField) return r.adjusted(theme_.px(5), 1, -theme_.px(18), -1);
    if (control == CC_SpinBox && (sub == SC_SpinBoxUp || sub == SC_SpinBoxDown)) {
        const int half = r.height() / 2, left = r.right() - theme_.px(18);
        return QRect(left, sub == SC_SpinBoxUp ? r.top() : r.top() + half, theme_.px(18), half);
    }
    if (control == CC_ScrollBar) {
        // No arrow buttons: the track takes the whole length.
        if (sub == SC_ScrollBarAddLine || sub == SC_ScrollBarSubLine) return {};
        const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option);
        if (!bar) return {};
        const bool flat = bar->orientation == Qt::Horizontal;
        const int length = flat ? r.width() : r.height();
        if (sub == SC_ScrollBarGroove) return r;
        const qint64 span = static_cast<qint64>(bar->maximum) - bar->minimum;
        const int thumb = span <= 0 ? length
                                    : std::clamp(static_cast<int>(static_cast<qint64>(bar->pageStep) * length /
                                                                  std::max<qint64>(1, span + bar->pageStep)),
                                                 std::min(24, length), length);
        const int at =
            sliderPositionFromValue(bar->minimum, bar->maximum, bar->sliderPosition, length - thumb, bar->upsideDown);
        const auto piece = [&](int begin, int size) {
            return flat ? QRect(r.left() + begin, r.top(), size, r.height())
                        : QRect(r.left(), r.top() + begin, r.width(), size);
        };
        if (sub == SC_ScrollBarSlider) return piece(at, thumb);
        if (sub == SC_ScrollBarSubPage) return piece(0, at);
        if (sub == SC_ScrollBarAddPage) return piece(at + thumb, length - at - thumb);
    }
    return QProxyStyle::subControlRect(control, option, sub, widget);
}

QRect StudioStyle::subElementRect(SubElement element, const QStyleOption* option, const QWidget* widget) const {
    if (element == SE_PushButtonFocusRect) return option->rect.adjusted(1, 1, -1, -1);
    if (element == SE_TabBarTabText) return option->rect;
    if (element == SE_LineEditContents) return option->rect.adjusted(theme_.px(5), 1, -theme_.px(5), -1);
    const auto* item = qstyleoption_cast<const QStyleOptionViewItem*>(option);
    if (element == SE_ItemViewItemText && item != nullptr && !item->icon.isNull()) {
        // The inset counts at the edge of the view; between icon and words 8 px are enough.
        QRect text = QProxyStyle::subElementRect(element, option, widget);
        const int surplus = 2 * (pixelMetric(PM_FocusFrameHMargin, option, widget) + 1) - theme_.px(8);
        if (item->direction == Qt::LeftToRight && item->decorationPosition == QStyleOptionViewItem::Left)
            text.setLeft(text.left() - surplus);
        return text;
    }
    return QProxyStyle::subElementRect(element, option, widget);
}

}  // namespace memplan::ui

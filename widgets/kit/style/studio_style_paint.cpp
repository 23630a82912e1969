// SPDX-License-Identifier: GPL-3.0-or-later
// Primitives and simple controls: fills, 1 px lines, at most one rounded rectangle each (design-system 13.5).
#include "widgets/kit/style/studio_style.h"
#include "widgets/kit/theme/icons.h"

#include <QAbstractItemView>
#include <QDockWidget>
#include <QMainWindow>
#include <QMenuBar>
#include <QPainter>
#include <QPainterPath>
#include <QStyleOption>
#include <QTabBar>
#include <QToolButton>

namespace memplan::ui {

namespace {

bool has(const QStyleOption* option, QStyle::StateFlag flag) {
    return option->state.testFlag(flag);
}

void roundedBox(QPainter* painter, const QRectF& rect, double radius, const QPen& pen, const QBrush& brush) {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(pen);
    painter->setBrush(brush);
    painter->drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
    painter->restore();
}

bool isPrimary(const QWidget* widget) {
    return widget && widget->property("memplanPrimary").toBool();
}

bool paintsCurrentPlan(const QStyleOption* option) {
    return option->state.testFlag(QStyle::State_On) || option->state.testFlag(QStyle::State_Sunken);
}

}  // namespace

void StudioStyle::drawField(QPainter* painter, const QStyleOption* option, const QWidget* widget) const {
    if (widget != nullptr && widget->property("memplanInvalid").toBool()) {
        roundedBox(painter, option->rect, 4, QPen(theme_.color(Token::Error), 2), theme_.color(Token::ErrorBg));
        return;
    }
    const bool focus = has(option, State_HasFocus), enabled = has(option, State_Enabled);
    const QColor border = theme_.color(!enabled ? Token::Line1 : focus ? Token::SelectOutline : Token::LineControl);
    roundedBox(painter, option->rect, 4, QPen(border, 1), theme_.color(enabled ? Token::BgCanvas : Token::BgPanel));
    if (focus) roundedBox(painter, QRectF(option->rect).adjusted(1, 1, -1, -1), 3, QPen(border, 1), Qt::NoBrush);
}

void StudioStyle::drawButton(QPainter* painter, const QStyleOption* option, const QWidget* widget) const {
    const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
    const bool flat = button && button->features.testFlag(QStyleOptionButton::Flat);
    const bool enabled = has(option, State_Enabled), primary = isPrimary(widget) && enabled;
    QColor ground = theme_.color(Token::BgRaised), border = theme_.color(enabled ? Token::LineControl : Token::Line1);
    if (paintsCurrentPlan(option))
        ground = theme_.color(Token::BgSelected);
    else if (has(option, State_MouseOver) && enabled)
        ground = theme_.color(Token::BgHover);
    if (primary) ground = border = theme_.color(Token::Accent);
    if (primary && paintsCurrentPlan(option)) ground = Theme::mix(ground, theme_.color(Token::Text1), 0.85);
    if (flat && !has(option, State_MouseOver) && !paintsCurrentPlan(option)) return;
    roundedBox(painter, option->rect, 4, QPen(border, 1), ground);
}

void StudioStyle::drawCheck(QPainter* painter, const QStyleOption* option, bool radio) const {
    const bool on = has(option, State_On), some = has(option, State_NoChange), enabled = has(option, State_Enabled);
    const QColor border = theme_.color(!enabled     ? Token::TextDisabled
                                       : on || some ? Token::Accent
                                                    : Token::LineControl);
    const QColor ground = enabled && (on || some) ? theme_.color(Token::Accent) : theme_.color(Token::BgCanvas);
    const double radius = radio ? option->rect.width() / 2.0 : 3;
    roundedBox(painter, option->rect, radius, QPen(border, 1), ground);
    if (!on && !some) return;
    const QColor mark = enabled ? theme_.color(Token::AccentText) : theme_.color(Token::TextDisabled);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QRectF r = option->rect;
    if (radio) {
        painter->setPen(Qt::NoPen);
        painter->setBrush(mark);
        painter->drawEllipse(r.center(), r.width() * 0.2, r.width() * 0.2);
    } else {
        painter->setPen(QPen(mark, 1.75, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        const auto at = [&r](double x, double y) {
            return QPointF(r.left() + x * r.width(), r.top() + y * r.height());
        };
        if (some)
            painter->drawLine(at(0.25, 0.5), at(0.75, 0.5));
        else
            painter->drawPolyline(QPolygonF{at(0.23, 0.53), at(0.43, 0.72), at(0.78, 0.3)});
    }
    painter->restore();
}

void StudioStyle::drawToolGround(QPainter* painter, const QStyleOption* option) const {
    const bool on = has(option, State_On) || has(option, State_Sunken);
    if (!on && !has(option, State_MouseOver)) return;
    if (!has(option, State_Enabled)) return;
    const QColor ground = theme_.color(on ? Token::BgSelected : Token::BgHover);
    const QColor rim = on ? Theme::withAlpha(theme_.color(Token::SelectOutline), 0.45) : ground;
    roundedBox(painter, option->rect, 4, QPen(rim, 1), ground);
}

void StudioStyle::drawTabClose(QPainter* painter, const QStyleOption* option) const {
    const QRect r = option->rect;
    const bool isPressed = has(option, State_Sunken);
    if (isPressed || has(option, State_Raised))
        roundedBox(painter, r, 4, Qt::NoPen, theme_.color(isPressed ? Token::BgSelected : Token::BgHover));
    const double side = theme_.px(16);
    drawIcon(*painter, QRectF(r.center().x() + 0.5 - side / 2, r.center().y() + 0.5 - side / 2, side, side),
             QStringLiteral("dock-close"), theme_.color(has(option, State_Selected) ? Token::Text1 : Token::Text3));
}

void StudioStyle::drawItemGround(QPainter* painter, const QStyleOption* option, const QWidget* widget) const {
    const QRect r = option->rect;
    const auto* item = qstyleoption_cast<const QStyleOptionViewItem*>(option);
    if (item && item->backgroundBrush.style() != Qt::NoBrush) painter->fillRect(r, item->backgroundBrush);
    if (has(option, State_Selected))
        painter->fillRect(r, theme_.color(Token::BgSelected));
    else if (has(option, State_MouseOver))
        painter->fillRect(r, theme_.color(Token::BgHover));
    const bool first = item && (item->viewItemPosition == QStyleOptionViewItem::Beginning ||
                                item->viewItemPosition == QStyleOptionViewItem::OnlyOne);
    if (first && has(option, State_Selected) && widget && widget->hasFocus())
        painter->fillRect(QRect(r.left(), r.top(), 2, r.height()), theme_.color(Token::SelectOutline));
}

void StudioStyle::drawDockHandle(QPainter* painter, const QStyleOption* option, const QWidget* widget) const {
    const QRect r = option->rect;
    painter->fillRect(r, theme_.color(Token::BgWindow));
    const bool upright = r.height() >= r.width();
    // Below a centre that shows nothing the line of the toolbar parts enough.
    const auto* window = qobject_cast<const QMainWindow*>(widget);
    const QWidget* centre = window == nullptr ? nullptr : window->centralWidget();
    if (!upright && centre != nullptr && centre->height() <= 1) {
        painter->fillRect(r, theme_.color(Token::BgPanel));
        return;
    }
    painter->fillRect(upright ? QRect(r.center().x(), r.top(), 1, r.height())
                              : QRect(r.left(), r.center().y(), r.width(), 1),
                      theme_.color(Token::Line1));
}

void StudioStyle::drawArrow(QPainter* painter, const QRect& r, bool isRight, Token color) const {
    const double side = theme_.px(16);
    drawIcon(*painter, QRectF(r.center().x() + 0.5 - side / 2, r.center().y() + 0.5 - side / 2, side, side),
             isRight ? QStringLiteral("chevron-right") : QStringLiteral("chevron-down"), theme_.color(color));
}

/// The ground beside the tabs is that of the tabs behind the current one.
void StudioStyle::drawTabBase(QPainter* painter, const QStyleOption* option, const QWidget* widget) const {
    const bool isBar = qobject_cast<const QTabBar*>(widget) != nullptr;
    const QRect r = isBar ? widget->rect() : option->rect;
    if (isBar) painter->fillRect(r, theme_.color(Token::BgWindow));
    painter->fillRect(QRect(r.left(), r.bottom(), r.width(), 1), theme_.color(Token::Line1));
}

/// Grounds and frames that look the same whatever the state; false for other elements.
bool StudioStyle::drawGround(PrimitiveElement element, const QRect& r, QPainter* painter) const {
    switch (element) {
    case PE_PanelTipLabel:
    case PE_FrameMenu:
    case PE_PanelMenu:
        if (element != PE_FrameMenu) painter->fillRect(r, theme_.color(Token::BgRaised));
        painter->save();
        painter->setPen(theme_.color(Token::LineControl));
        painter->drawRect(r.adjusted(0, 0, -1, -1));
        painter->restore();
        return true;
    case PE_Frame:
        painter->save();
        painter->setPen(theme_.color(Token::Line1));
        painter->drawRect(r.adjusted(0, 0, -1, -1));
        painter->restore();
        return true;
    case PE_PanelScrollAreaCorner:  // of the colour of the bars that meet there
        painter->fillRect(r, theme_.color(Token::BgPanel));
        return true;
    case PE_PanelMenuBar:
        painter->fillRect(r, theme_.color(Token::BgWindow));
        return true;
    case PE_PanelStatusBar:
    case PE_PanelToolBar:
        painter->fillRect(r, theme_.color(Token::BgPanel));
        painter->fillRect(QRect(r.left(), element == PE_PanelStatusBar ? r.top() : r.bottom(), r.width(), 1),
                          theme_.color(Token::Line1));
        return true;
    case PE_IndicatorToolBarSeparator:
        painter->fillRect(QRect(r.center().x(), r.center().y() - 10, 1, 20), theme_.color(Token::Line1));
        return true;
    default:
        return false;
    }
}

void StudioStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                                const QWidget* widget) const {
    const QRect r = option->rect;
    switch (element) {
    case PE_FrameFocusRect:
        // Half of the pen lies outside of its path: a ring over the edge of a cell stays when the cell is drawn again.
        roundedBox(painter, QRectF(r).adjusted(0.5, 0.5, -0.5, -0.5), 3, QPen(theme_.color(Token::SelectOutline), 2),
                   Qt::NoBrush);
        return;
    case PE_PanelButtonCommand:
    case PE_FrameButtonBevel:
    case PE_PanelButtonBevel:
        drawButton(painter, option, widget);
        return;
    case PE_PanelButtonTool:
        return drawToolGround(painter, option);
    case PE_IndicatorTabClose:
        return drawTabClose(painter, option);
    case PE_FrameLineEdit:
        drawField(painter, option, widget);
        return;
    case PE_PanelLineEdit: {
        const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
        if (frame && frame->lineWidth > 0) drawField(painter, option, widget);
        return;
    }
    case PE_IndicatorCheckBox:
    case PE_IndicatorItemViewItemCheck:
    case PE_IndicatorMenuCheckMark:
        drawCheck(painter, option, false);
        return;
    case PE_IndicatorRadioButton:
        drawCheck(painter, option, true);
        return;
    case PE_IndicatorBranch:
        if (has(option, State_Children)) drawArrow(painter, r, !has(option, State_Open), Token::Text3);
        return;
    case PE_PanelItemViewRow:
        // The part of a tree's row before its text.
        if (has(option, State_Selected)) painter->fillRect(r, theme_.color(Token::BgSelected));
        return;
    case PE_PanelItemViewItem:
        return drawItemGround(painter, option, widget);
    case PE_FrameTabBarBase:
        return drawTabBase(painter, option, widget);
    case PE_FrameDockWidget:
    case PE_FrameStatusBarItem:
    case PE_FrameTabWidget:
        return;
    case PE_IndicatorDockWidgetResizeHandle:
        return drawDockHandle(painter, option, widget);
    case PE_IndicatorArrowRight:
        return drawArrow(painter, r, true, Token::Text3);
    case PE_IndicatorArrowDown:
    case PE_IndicatorSpinDown:
        return drawArrow(painter, r, false, has(option, State_Enabled) ? Token::Text3 : Token::TextDisabled);
    default:
        if (!drawGround(element, option->rect, painter)) QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

}  // namespace memplan::ui

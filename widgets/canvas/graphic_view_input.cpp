// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse, keys, tooltip and context menu of graphic views (user-experience 2.7, 2.12, 2.13, 21).
#include "widgets/canvas/graphic_view.h"
#include "widgets/canvas/tooltip.h"
#include "widgets/kit/theme/icons.h"
#include "widgets/plan/marks/item_actions.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QWheelEvent>

#include <cmath>
#include <utility>

namespace memplan::ui {

namespace {
constexpr double kNotch = 1.2, kFine = 1.05, kCoarse = 1.6, kPanShare = 0.1, kDragStart = 4;

double wheelFactor(Qt::KeyboardModifiers modifiers, bool wheelScrolls) {
    if (modifiers.testFlag(Qt::ShiftModifier)) return kCoarse;
    return modifiers.testFlag(Qt::ControlModifier) && !wheelScrolls ? kFine : kNotch;
}
}  // namespace

Qt::Orientations GraphicView::axesAt(QPointF position) const {
    Q_UNUSED(position)
    return Qt::Horizontal | Qt::Vertical;
}

TooltipText GraphicView::tooltipAt(QPointF position) const {
    const std::optional<ItemId> item = itemAt(position);
    TooltipText text;
    if (item) text.title = hub_->itemName(*item);
    return text;
}

std::optional<ItemId> GraphicView::neighbour(ItemId id, int direction) const {
    const ItemId next{id.kind, id.index + direction};
    return hub_->itemName(next).isEmpty() ? std::nullopt : std::optional(next);
}

void GraphicView::itemClicked(ItemId id, Qt::KeyboardModifiers modifiers) {
    if (modifiers.testFlag(Qt::ControlModifier))
        hub_->toggle(id);
    else
        hub_->select(id);
}

void GraphicView::emptyClicked(QPointF position) {
    Q_UNUSED(position)
}

void GraphicView::wheelEvent(QWheelEvent* event) {
    const QPointF delta =
        event->pixelDelta().isNull() ? QPointF(event->angleDelta()) / 120.0 * 48.0 : QPointF(event->pixelDelta());
    const bool zooms =
        wheelScrolls_ == event->modifiers().testFlag(Qt::ControlModifier) && event->phase() != Qt::ScrollMomentum;
    const bool touchpad = !event->pixelDelta().isNull() && event->phase() != Qt::NoScrollPhase;
    hideTooltip();
    if ((zooms || !wheelScrolls_) && !touchpad) {
        const double notches =
            (event->angleDelta().y() != 0 ? event->angleDelta().y() : event->angleDelta().x()) / 120.0;
        zoomBy(std::pow(wheelFactor(event->modifiers(), wheelScrolls_), notches), event->position());
    } else {
        panBy(delta);
    }
    event->accept();
}

bool GraphicView::event(QEvent* event) {
    if (event->type() == QEvent::NativeGesture) {
        const auto* gesture = static_cast<QNativeGestureEvent*>(event);
        if (gesture->gestureType() == Qt::ZoomNativeGesture) {
            zoomBy(1.0 + gesture->value(), toCanvas(gesture->position()));
            return true;
        }
    }
    if (event->type() == QEvent::FocusIn) {
        const Qt::FocusReason reason = static_cast<QFocusEvent*>(event)->reason();
        isKeyFocus_ = reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason ||
                      reason == Qt::ShortcutFocusReason || (reason != Qt::MouseFocusReason && isKeyFocus_);
    }
    // The ring is for who steers by keys: it comes with the first key and goes with the next click (22.1).
    if (event->type() == QEvent::KeyPress && !isKeyFocus_) isKeyFocus_ = true, update();
    if (event->type() == QEvent::MouseButtonPress && isKeyFocus_) isKeyFocus_ = false, update();
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) update();
    return sendOnCanvas(event) || QWidget::event(event);
}

/// Handlers of this class and of the views see positions on the canvas; false = the event has none.
bool GraphicView::sendOnCanvas(QEvent* event) {
    if (canvasUnit() <= 1.0 || std::exchange(onCanvas_, false)) return false;
    const auto send = [&](auto&& moved) {
        onCanvas_ = true;  // taken back by the moved event, so that events of a nested loop are moved again
        moved.setAccepted(event->isAccepted());
        const bool taken = this->event(&moved);
        event->setAccepted(moved.isAccepted());
        return taken;
    };
    switch (event->type()) {
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonRelease:
    case QEvent::MouseButtonDblClick:
    case QEvent::MouseMove: {
        const auto* e = static_cast<QMouseEvent*>(event);
        return send(QMouseEvent(e->type(), toCanvas(e->position()), e->scenePosition(), e->globalPosition(),
                                e->button(), e->buttons(), e->modifiers(), e->pointingDevice()));
    }
    case QEvent::Wheel: {
        const auto* e = static_cast<QWheelEvent*>(event);
        return send(QWheelEvent(toCanvas(e->position()), e->globalPosition(),
                                toCanvas(QPointF(e->pixelDelta())).toPoint(), e->angleDelta(), e->buttons(),
                                e->modifiers(), e->phase(), e->inverted(), e->source(), e->pointingDevice()));
    }
    case QEvent::ContextMenu: {
        const auto* e = static_cast<QContextMenuEvent*>(event);
        return send(
            QContextMenuEvent(e->reason(), toCanvas(QPointF(e->pos())).toPoint(), e->globalPos(), e->modifiers()));
    }
    default:
        return false;
    }
}

void GraphicView::mousePressEvent(QMouseEvent* event) {
    hideTooltip();
    pressAt_ = lastAt_ = event->position();
    if (event->button() == Qt::MiddleButton)
        drag_ = Drag::Pan;
    else if (event->button() == Qt::LeftButton)
        drag_ = event->modifiers().testFlag(Qt::ShiftModifier) ? Drag::Zoom : Drag::Press;
    if (drag_ == Drag::Pan) setCursor(Qt::ClosedHandCursor);
}

void GraphicView::mouseMoveEvent(QMouseEvent* event) {
    const QPointF delta = event->position() - lastAt_;
    const bool far = (event->position() - pressAt_).manhattanLength() >= kDragStart;
    if (drag_ == Drag::Press && far && !itemAt(pressAt_)) {
        drag_ = Drag::Pan;
        setCursor(Qt::ClosedHandCursor);
    }
    lastAt_ = event->position();
    if (drag_ == Drag::Pan)
        panBy(delta);
    else if (drag_ == Drag::Zoom)
        update();
    else if (drag_ == Drag::None) {
        hub_->setHover(itemAt(event->position()));
        if (!tooltip_->isHeld()) {
            tooltip_->hide();
            hoverTimer_.start();
        }
    }
}

void GraphicView::mouseReleaseEvent(QMouseEvent* event) {
    const Drag drag = drag_;
    drag_ = Drag::None;
    unsetCursor();
    if (drag == Drag::Zoom) zoomToRubberBand();
    if (drag == Drag::Pan) setViewport(viewport_);
    if (drag != Drag::Press || event->button() != Qt::LeftButton) return;
    if (const auto item = itemAt(event->position()))
        itemClicked(*item, event->modifiers());
    else
        emptyClicked(event->position());
}

void GraphicView::endPress() {
    drag_ = Drag::None;
    hideTooltip();
}

void GraphicView::zoomToRubberBand() {
    const QRectF band = QRectF(pressAt_, lastAt_).normalized();
    update();
    if (band.width() < kDragStart || band.height() < kDragStart) return;
    const QPointF a = axisPixels(band.topLeft()), b = axisPixels(band.bottomRight());
    Viewport next = viewport_;
    next.x =
        next.x.fittedTo(viewport_.x.toValue(std::min(a.x(), b.x())), viewport_.x.toValue(std::max(a.x(), b.x())), 0);
    next.y =
        next.y.fittedTo(viewport_.y.toValue(std::min(a.y(), b.y())), viewport_.y.toValue(std::max(a.y(), b.y())), 0);
    setViewport(next);
}

void GraphicView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    if (const auto item = itemAt(event->position()))
        fitItem(*item);
    else
        fitAll();
}

void GraphicView::leaveEvent(QEvent*) {
    hoverTimer_.stop();
    if (!tooltip_->isHeld()) tooltip_->hide();
    hub_->setHover(std::nullopt);
}

/// The first words of a note are the last line (2.16); at most seven lines in all.
TooltipText GraphicView::tooltipWithNote(QPointF position) const {
    constexpr std::size_t kMostLines = 7;
    TooltipText text = tooltipAt(position);
    const auto item = itemAt(position);
    const QString words = item ? hub_->noteWords(*item) : QString();
    if (text.isEmpty() || words.isEmpty()) return text;
    if (text.lines.size() >= kMostLines) text.lines.resize(kMostLines - 1);
    text.lines.push_back({tr("Note"), words});
    return text;
}

void GraphicView::showTooltip() {
    if (!underMouse() || !plan()) return;
    const TooltipText text = tooltipWithNote(lastAt_);
    if (text.isEmpty()) return;
    const auto item = itemAt(lastAt_);
    // A huge item cannot be avoided; then only the spot under the pointer is.
    const QPoint spot = toWidget(lastAt_).toPoint();
    QRectF avoid = item ? itemRect(*item) : QRectF();
    if (avoid.isEmpty() || avoid.width() > 200 || avoid.height() > 120)
        avoid = QRectF(lastAt_ - QPointF(2, 2), QSizeF(4, 4));
    tooltip_->showFor(text, mapToGlobal(spot), toWidget(avoid).toAlignedRect().translated(mapToGlobal(QPoint(0, 0))));
}

void GraphicView::hideTooltip() {
    hoverTimer_.stop();
    tooltip_->setHeld(false);
    tooltip_->hide();
}

void GraphicView::moveSelection(int direction) {
    const auto primary = hub_->primary();
    if (!primary) {
        if (plan() && !plan()->ops.empty())
            hub_->select(ItemId{ItemKind::Op, direction > 0 ? 0 : static_cast<int>(plan()->ops.size()) - 1});
        return;
    }
    if (const auto next = neighbour(*primary, direction)) hub_->select(*next);
}

bool GraphicView::navigationKey(const QKeyEvent& event) {
    const QRectF plot = plotRect();
    const QPointF middle = plot.center();
    const double stepX = plot.width() * kPanShare, stepY = plot.height() * kPanShare;
    if (event.modifiers() & (Qt::AltModifier | Qt::ControlModifier)) return historyKey(event);
    switch (event.key()) {
    case Qt::Key_W:
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoomBy(kNotch, middle);
        return true;
    case Qt::Key_S:
    case Qt::Key_Minus:
        zoomBy(1.0 / kNotch, middle);
        return true;
    case Qt::Key_0:
    case Qt::Key_Home:
        fitAll();
        return true;
    case Qt::Key_F:
        fitSelection();
        return true;
    case Qt::Key_A:
        panBy({stepX, 0});
        return true;
    case Qt::Key_D:
        panBy({-stepX, 0});
        return true;
    case Qt::Key_PageDown:
        moveSelection(1);
        return true;
    case Qt::Key_PageUp:
        moveSelection(-1);
        return true;
    case Qt::Key_Left:
    case Qt::Key_Right: {
        const int d = event.key() == Qt::Key_Right ? 1 : -1;
        if (hub_->primary())
            moveSelection(d);
        else
            panBy({-d * stepX, 0});
        return true;
    }
    case Qt::Key_Up:
        panBy({0, stepY});
        return true;
    case Qt::Key_Down:
        panBy({0, -stepY});
        return true;
    default:
        return false;
    }
}

/// Alt: the selections before and after; Ctrl: the zooms.
bool GraphicView::historyKey(const QKeyEvent& event) {
    if (event.modifiers().testFlag(Qt::AltModifier)) {
        if (event.key() == Qt::Key_Left) return hub_->back(), true;
        if (event.key() == Qt::Key_Right) return hub_->forward(), true;
        return false;
    }
    if (event.key() == Qt::Key_BracketLeft) return zoomBack(), true;
    if (event.key() == Qt::Key_BracketRight) return zoomForward(), true;
    return false;
}

bool GraphicView::itemKey(const QKeyEvent& event) {
    const auto primary = hub_->primary();
    if (event.modifiers() & (Qt::ControlModifier | Qt::AltModifier) || !primary) return false;
    switch (event.key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        hub_->requestInspect(*primary);
        return true;
    case Qt::Key_H:
        hub_->requestHint(*primary, {});
        return true;
    case Qt::Key_P:
        hub_->requestHint(*primary, QStringLiteral("pin"));
        return true;
    case Qt::Key_U:
        hub_->requestHint(*primary, QStringLiteral("unpin"));
        return true;
    default:
        return false;
    }
}

bool GraphicView::cursorKey(const QKeyEvent& event) {
    if (event.modifiers() & (Qt::ControlModifier | Qt::AltModifier)) return false;
    if (event.key() == Qt::Key_Comma) return hub_->moveTimeCursor(-1), true;
    if (event.key() == Qt::Key_Period) return hub_->moveTimeCursor(1), true;
    return false;
}

void GraphicView::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Shift) tooltip_->setHeld(tooltip_->isVisible());
    if (event->matches(QKeySequence::Copy)) {
        if (tooltip_->isHeld())
            QApplication::clipboard()->setText(tooltip_->text().plain());
        else
            copyToClipboard();
        return;
    }
    if (event->modifiers() == Qt::ControlModifier && event->key() == Qt::Key_T) return emit tableTwinRequested();
    if (event->modifiers() == Qt::ControlModifier && event->key() == Qt::Key_E) return emit exportRequested();
    if (event->key() == Qt::Key_Question) return emit cheatSheetRequested();
    if (event->key() == Qt::Key_Escape) {
        const bool dragging = drag_ != Drag::None;
        drag_ = Drag::None;
        hideTooltip();
        update();
        if (dragging || hub_->escape()) return;
    } else if (itemKey(*event) || cursorKey(*event) || navigationKey(*event)) {
        return;
    }
    QWidget::keyPressEvent(event);
}

void GraphicView::keyReleaseEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Shift) tooltip_->setHeld(false);
    QWidget::keyReleaseEvent(event);
}

void GraphicView::addStandardActions(QMenu& menu, ItemId item) {
    addItemActions(menu, hub_, item, true);
}

void GraphicView::fillContextMenu(QMenu& menu, std::optional<ItemId> item) {
    if (item) addStandardActions(menu, *item);
    addRangeActions(menu, hub_);
    menu.addAction(icon(QStringLiteral("fit-selection")), tr("Fit selection") + QStringLiteral("\tF"), this,
                   &GraphicView::fitSelection);
    menu.addAction(tr("Fit all") + QStringLiteral("\tHome"), this, &GraphicView::fitAll);
    menu.addAction(icon(QStringLiteral("table-twin")), tr("Show as table") + QStringLiteral("\tCtrl+T"), this,
                   &GraphicView::tableTwinRequested);
    menu.addAction(tr("Copy view as image") + QStringLiteral("\tCtrl+Shift+C"), this, &GraphicView::copyToClipboard);
    menu.addAction(icon(QStringLiteral("export")), tr("Export...") + QStringLiteral("\tCtrl+E"), this,
                   &GraphicView::exportRequested);
}

void GraphicView::contextMenuEvent(QContextMenuEvent* event) {
    hideTooltip();
    if (!plan()) return;
    std::optional<ItemId> item = event->reason() == QContextMenuEvent::Mouse ? itemAt(event->pos()) : hub_->primary();
    if (item && !hub_->isSelected(*item)) hub_->select(*item);
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    fillContextMenu(*menu, item);
    menu->popup(event->globalPos());
}

}  // namespace memplan::ui

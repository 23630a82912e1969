// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window/commands/pane_focus.h"

#include "widgets/canvas/graphic_view.h"

#include <QAbstractButton>
#include <QApplication>
#include <QTabBar>

#include <algorithm>

namespace memplan::app {
namespace {

/// First widget of a pane that takes the keyboard.
QWidget* focusable(QWidget* pane) {
    if (pane->focusPolicy() != Qt::NoFocus && pane->isEnabled()) return pane;
    // A pane is visited for its view; the fields above it are one Tab away.
    for (ui::GraphicView* view : pane->findChildren<ui::GraphicView*>()) {
        if (view->isVisible()) return view;
    }
    for (QWidget* child : pane->findChildren<QWidget*>()) {
        const bool takes = (child->focusPolicy() & Qt::TabFocus) != 0 && child->isVisible() && child->isEnabled();
        if (takes && qobject_cast<QTabBar*>(child) == nullptr && qobject_cast<QAbstractButton*>(child) == nullptr)
            return child;
    }
    return nullptr;
}

}  // namespace

void focusNextPane(std::vector<QWidget*> panes, int direction) {
    std::sort(panes.begin(), panes.end(), [](const QWidget* a, const QWidget* b) {
        const QPoint p = a->mapToGlobal(QPoint(0, 0));
        const QPoint q = b->mapToGlobal(QPoint(0, 0));
        const bool sameRow = qAbs(p.y() - q.y()) < 60;
        return sameRow ? p.x() < q.x() : p.y() < q.y();
    });
    if (panes.empty()) return;
    const QWidget* now = QApplication::focusWidget();
    const int count = static_cast<int>(panes.size());
    int at = direction > 0 ? -1 : 0;
    for (int i = 0; i < count; ++i) {
        const QWidget* pane = panes[static_cast<std::size_t>(i)];
        if (now != nullptr && (pane == now || pane->isAncestorOf(now))) at = i;
    }
    for (int step = 0; step < count; ++step) {
        at = ((at + direction) % count + count) % count;
        if (QWidget* target = focusable(panes[static_cast<std::size_t>(at)]))
            return target->setFocus(Qt::TabFocusReason);
    }
}

}  // namespace memplan::app

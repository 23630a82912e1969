// SPDX-License-Identifier: GPL-3.0-or-later
// The window's docks: how they come up, float and close, by menu, tab and keyboard (UX 3.3).
#include "app/gui/window/dock_title.h"
#include "app/gui/window/main_window.h"
#include "widgets/canvas/dock_title_bar.h"
#include "widgets/kit/theme/icons.h"
#include "widgets/kit/theme/scaled.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QDockWidget>
#include <QMenu>
#include <QTabBar>

#include <algorithm>

namespace memplan::app {

QDockWidget* MainWindow::addDock(const QString& name, const QString& title, QWidget* content, Qt::DockWidgetArea area) {
    auto* dock = new QDockWidget(title, this);
    dock->setObjectName(name);
    dock->setWidget(content);
    if (area == Qt::BottomDockWidgetArea) {
        // With large text the highest of the tabs would leave the views above no room; low, it is scrolled or cut back.
        ui::withScale(content, [content](const ui::Theme& theme) {
            content->setMinimumSize(std::min(content->minimumSizeHint().width(), theme.px(340)), theme.px(72));
        });
    }
    addDockWidget(area, dock);
    if (area == Qt::BottomDockWidgetArea) {
        new DockTitle(dock);
    } else {
        auto* bar = new ui::DockTitleBar(title, dock);
        dock->setTitleBarWidget(bar);
        titles_.insert(name, bar);
    }
    docks_.push_back(dock);
    return dock;
}

void MainWindow::raiseDock(const QString& name) {
    for (QDockWidget* dock : docks_) {
        if (dock->objectName() == name) dock->raise();
    }
}

void MainWindow::showDock(const QString& name) {
    for (QDockWidget* dock : docks_) {
        if (dock->objectName() != name) continue;
        dock->show();
        dock->raise();
    }
}

QDockWidget* MainWindow::focusedDock() const {
    const QWidget* focus = QApplication::focusWidget();
    const auto at = std::ranges::find_if(
        docks_, [focus](const QDockWidget* dock) { return focus != nullptr && dock->isAncestorOf(focus); });
    return at == docks_.end() ? nullptr : *at;
}

void MainWindow::floatDock(QDockWidget* dock) {
    if (dock == nullptr) return;
    dock->setFloating(!dock->isFloating());
    dock->show();
    dock->raise();
    dock->widget()->setFocus();
}

/// The dock behind a tab; Qt makes the tab bars itself and names the tabs after the docks.
QDockWidget* MainWindow::dockOfTabAt(QPoint position) const {
    const auto* bar = qobject_cast<const QTabBar*>(childAt(position));
    if (bar == nullptr || bar->parentWidget() != this) return nullptr;
    const QString title = bar->tabText(bar->tabAt(bar->mapFrom(this, position)));
    const auto at = std::ranges::find_if(docks_, [&title](const QDockWidget* d) { return d->windowTitle() == title; });
    return title.isEmpty() || at == docks_.end() ? nullptr : *at;
}

void MainWindow::contextMenuEvent(QContextMenuEvent* event) {
    QDockWidget* dock = dockOfTabAt(event->pos());
    if (dock == nullptr) return QMainWindow::contextMenuEvent(event);
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("dockMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(ui::icon(QStringLiteral("dock-float")), tr("Float"), this, [this, dock] { floatDock(dock); });
    menu->addAction(ui::icon(QStringLiteral("dock-close")), tr("Close"), dock, &QDockWidget::close);
    menu->popup(event->globalPos());
}

}  // namespace memplan::app

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window/docks/dock_title.h"

#include "widgets/canvas/pane/dock_title_bar.h"

#include <QDockWidget>
#include <QMainWindow>

namespace memplan::app {

DockTitle::DockTitle(QDockWidget* dock) : QObject(dock), dock_(dock), own_(new QWidget(dock)) {
    dock_->setTitleBarWidget(own_);
    connect(dock_, &QDockWidget::topLevelChanged, this, &DockTitle::update);
    connect(dock_, &QDockWidget::dockLocationChanged, this, &DockTitle::update);
}

void DockTitle::update() {
    if (dock_->titleBarWidget() != own_) return;
    const auto* window = qobject_cast<const QMainWindow*>(dock_->parentWidget());
    const bool isInTabs = window != nullptr && window->dockWidgetArea(dock_) == Qt::BottomDockWidgetArea;
    const bool wanted = dock_->isFloating() || !isInTabs;
    if (wanted == isShown_) return;
    isShown_ = wanted;
    QWidget* before = own_;
    if (wanted) {
        auto* bar = new ui::DockTitleBar(dock_->windowTitle(), dock_);
        connect(dock_, &QWidget::windowTitleChanged, bar, &ui::DockTitleBar::setName);
        own_ = bar;
    } else {
        own_ = new QWidget(dock_);
    }
    dock_->setTitleBarWidget(own_);
    own_->show();
    before->deleteLater();  // it may be what was just clicked
}

}  // namespace memplan::app

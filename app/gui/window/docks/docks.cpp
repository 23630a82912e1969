// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window/docks/docks.h"

#include "app/gui/targets/targets.h"
#include "app/gui/window/docks/dock_title.h"
#include "widgets/canvas/pane/dock_title_bar.h"
#include "widgets/kit/theme/icons.h"
#include "widgets/kit/theme/theme.h"
#include "widgets/plan/units.h"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QMainWindow>
#include <QMenu>
#include <QTabBar>

#include <algorithm>

namespace memplan::app {
namespace {

bool hasUse(const DockInfo& info, DocumentKind kind) {
    if (info.needs == DockNeeds::Operations) return kind != DocumentKind::BufferList;
    return info.needs == DockNeeds::Anything || kind == DocumentKind::Graph;
}

bool isAtBottom(const DockInfo& info) {
    return info.area == Qt::BottomDockWidgetArea;
}

/// With large text the highest of the tabs would leave the views above no room; low, it is scrolled or cut back.
void keepLow(QWidget* content) {
    const ui::Theme& theme = ui::themeOf(content);
    content->setMinimumSize(std::min(content->minimumSizeHint().width(), theme.px(340)), theme.px(72));
}

}  // namespace

Docks::Docks(QMainWindow* window) : QObject(window), window_(window) {
    window->setDockNestingEnabled(true);
    window->setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    window->setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    window->setTabPosition(Qt::BottomDockWidgetArea, QTabWidget::North);
}

QDockWidget* Docks::add(DockId id, QWidget* content, std::function<int()> count) {
    const DockInfo& info = dockInfo(id);
    const auto first = std::ranges::find_if(entries_, [](const Entry& e) { return isAtBottom(*e.info); });
    QDockWidget* tabs = first == entries_.end() ? nullptr : first->dock;
    auto* dock = new QDockWidget(titleOf(info), window_);
    dock->setObjectName(nameOf(info));
    dock->setWidget(content);
    if (isAtBottom(info)) keepLow(content);
    window_->addDockWidget(info.area, dock);
    ui::DockTitleBar* bar = nullptr;
    if (isAtBottom(info)) {
        new DockTitle(dock);
    } else {
        bar = new ui::DockTitleBar(titleOf(info), dock);
        dock->setTitleBarWidget(bar);
    }
    const bool isTab = isAtBottom(info) && (info.shownIn & InReview) == 0;
    if (isTab && tabs != nullptr) window_->tabifyDockWidget(tabs, dock);
    entries_.push_back({&info, dock, bar, std::move(count)});
    return dock;
}

void Docks::followText() {
    for (const Entry& e : entries_)
        if (isAtBottom(*e.info)) keepLow(e.dock->widget());
    fitRoom();
}

void Docks::showAsBuilt() {
    for (const DockId id : {DockId::Compare, DockId::WhatIf, DockId::Sweep, DockId::Side, DockId::Matrix, DockId::Edges,
                            DockId::Concurrency, DockId::Steps})
        dock(id)->hide();
    raise(DockId::Problems);
    const ui::Theme& theme = ui::themeOf(window_);
    const int width = window_->width(), height = window_->height();
    window_->resizeDocks({dock(DockId::Outline), dock(DockId::Inspector)},
                         {std::min(theme.px(196), width * 16 / 100), std::min(theme.px(280), width * 25 / 100)},
                         Qt::Horizontal);
    window_->resizeDocks({dock(DockId::Problems)}, {std::min(theme.px(222), height * 30 / 100)}, Qt::Vertical);
}

void Docks::removeAll() {
    for (const Entry& e : entries_)
        delete e.dock;
    entries_.clear();
}

const Docks::Entry* Docks::entry(DockId id) const {
    const auto at = std::ranges::find_if(entries_, [id](const Entry& e) { return e.info->id == id; });
    return at == entries_.end() ? nullptr : &*at;
}

QDockWidget* Docks::dock(DockId id) const {
    const Entry* e = entry(id);
    return e == nullptr ? nullptr : e->dock;
}

std::vector<QDockWidget*> Docks::all() const {
    std::vector<QDockWidget*> list;
    for (const Entry& e : entries_)
        list.push_back(e.dock);
    return list;
}

std::optional<DockId> Docks::idOf(const QDockWidget* dock) const {
    const auto at = std::ranges::find(entries_, dock, &Entry::dock);
    return at == entries_.end() ? std::nullopt : std::optional(at->info->id);
}

std::optional<DockId> Docks::focused() const {
    const QWidget* focus = QApplication::focusWidget();
    if (focus == nullptr) return std::nullopt;
    const auto at = std::ranges::find_if(entries_, [focus](const Entry& e) { return e.dock->isAncestorOf(focus); });
    return at == entries_.end() ? std::nullopt : std::optional(at->info->id);
}

void Docks::raise(DockId id) {
    if (QDockWidget* d = dock(id)) d->raise();
}

void Docks::show(DockId id) {
    QDockWidget* d = dock(id);
    if (d == nullptr) return;
    d->show();
    d->raise();
}

void Docks::setScope(DockId id, const QString& scope) {
    const Entry* e = entry(id);
    if (e != nullptr && e->bar != nullptr) e->bar->setScope(scope);
}

void Docks::showCounts() {
    for (const Entry& e : entries_)
        if (e.count) setCount(e.info->id, e.count());
}

void Docks::setCount(DockId id, int count) {
    const DockInfo& info = dockInfo(id);
    const bool isSaid = count > 0 || info.countsZero;
    dock(id)->setWindowTitle(titleOf(info) + (isSaid ? QStringLiteral("\u2009") + ui::groupedText(count) : QString()));
}

void Docks::fitTo(DocumentKind kind, std::string_view target) {
    for (Entry& e : entries_) {
        const bool offered = hasUse(*e.info, kind) && isOffered(targetUi(target), e.info->name);
        e.dock->toggleViewAction()->setVisible(offered);
        if (!offered && !e.dock->isHidden()) {
            e.dock->hide();
            e.isUnfit = true;
        } else if (offered && e.isUnfit) {
            e.dock->show();
            e.isUnfit = false;
        }
    }
}

void Docks::forgetAway() {
    for (Entry& e : entries_)
        e.isUnfit = e.isAside = false;
}

QByteArray Docks::saveState(int version) const {
    std::vector<QDockWidget*> away;
    for (const Entry& e : entries_)
        if ((e.isUnfit || e.isAside) && e.dock->isHidden()) away.push_back(e.dock);
    window_->setUpdatesEnabled(false);
    for (QDockWidget* dock : away)
        dock->show();
    QByteArray state = window_->saveState(version);
    for (QDockWidget* dock : away)
        dock->hide();
    window_->setUpdatesEnabled(true);
    return state;
}

void Docks::setWaiting(bool on) {
    for (Entry& e : entries_) {
        if (on ? !e.dock->widget()->isEnabled() : !e.isWaiting) continue;
        e.dock->widget()->setEnabled(!on);
        e.isWaiting = on;
    }
}

void Docks::addToMenu(QMenu& menu) const {
    for (const Entry& e : entries_)
        menu.addAction(e.dock->toggleViewAction());
}

void Docks::floatOrDock(QDockWidget* dock) {
    dock->setFloating(!dock->isFloating());
    dock->show();
    dock->raise();
    dock->widget()->setFocus();
}

void Docks::floatFocused() {
    if (const auto id = focused()) floatOrDock(dock(*id));
}

void Docks::closeFocused() {
    if (const auto id = focused()) dock(*id)->close();
}

std::vector<QWidget*> Docks::contentsOnScreen() const {
    std::vector<QWidget*> panes;
    for (const Entry& e : entries_) {
        // A dock behind another tab is not on screen.
        if (e.dock->isVisible() && !e.dock->visibleRegion().isEmpty()) panes.push_back(e.dock->widget());
    }
    return panes;
}

/// Qt makes the tab bars itself and names the tabs after the docks.
bool Docks::openMenuAt(QPoint position, QPoint global) {
    const auto* bar = qobject_cast<const QTabBar*>(window_->childAt(position));
    if (bar == nullptr || bar->parentWidget() != window_) return false;
    const QString title = bar->tabText(bar->tabAt(bar->mapFrom(window_, position)));
    const auto at = std::ranges::find_if(entries_, [&title](const Entry& e) { return e.dock->windowTitle() == title; });
    if (title.isEmpty() || at == entries_.end()) return false;
    QDockWidget* dock = at->dock;
    auto* menu = new QMenu(window_);
    menu->setObjectName(QStringLiteral("dockMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(ui::icon(QStringLiteral("dock-float")), tr("Float"), this, [this, dock] { floatOrDock(dock); });
    menu->addAction(ui::icon(QStringLiteral("dock-close")), tr("Close"), dock, &QDockWidget::close);
    menu->popup(global);
    return true;
}

void Docks::makeRoomToCompare(bool on) {
    isComparing_ = on;
    fitRoom();
}

void Docks::fitRoom() {
    const ui::Theme& theme = ui::themeOf(window_);
    constexpr int kRoomy = 760;
    const bool isScarce = isComparing_ && window_->height() < theme.px(kRoomy);
    for (Entry& e : entries_) {
        const bool isBottom = window_->dockWidgetArea(e.dock) == Qt::BottomDockWidgetArea;
        if (isScarce && !isBottom && !e.dock->isHidden() && !e.dock->isFloating()) {
            e.dock->hide();
            e.isAside = true;
        } else if (!isScarce && e.isAside) {
            e.dock->show();
            e.isAside = false;
        }
        if (isScarce && isBottom && !e.dock->isHidden()) window_->resizeDocks({e.dock}, {theme.px(140)}, Qt::Vertical);
    }
}

void Docks::setShown(bool on) {
    if (on == areShown_) return;
    areShown_ = on;
    if (on) {
        window_->restoreState(arrangement_);
        return;
    }
    arrangement_ = window_->saveState();
    for (const Entry& e : entries_)
        e.dock->hide();
}

}  // namespace memplan::app

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window/docks/dock_sizes.h"

#include "app/gui/window/docks/docks.h"
#include "widgets/kit/theme/theme.h"

#include <QApplication>
#include <QDockWidget>
#include <QLayout>
#include <QMainWindow>
#include <QTabBar>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace memplan::app {
namespace {

/// Height of the tabs that Qt shows above a dock.
int tabsOf(const QMainWindow& window, const QDockWidget& dock) {
    for (const QTabBar* bar : window.findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly))
        if (bar->isVisible() && bar->tabText(bar->currentIndex()) == dock.windowTitle()) return bar->height();
    return 0;
}

}  // namespace

DockSizes::DockSizes(QMainWindow* window, Docks& docks)
    : QObject(window), window_(window), docks_(docks), factor_(ui::themeOf(window).fontFactor()) {
    if (auto* style = qobject_cast<ui::ThemedStyle*>(QApplication::style()))
        connect(style, &ui::ThemedStyle::themeChanged, this, &DockSizes::followText);
}

void DockSizes::expect(std::optional<Kind> kind, DockId bottom) {
    kind_ = kind;
    bottom_ = bottom;
}

void DockSizes::apply(Kind kind, DockId bottom) {
    expect(kind, bottom);
    const ui::Theme& theme = ui::themeOf(window_);
    const bool isTools = kind == Kind::Tools;
    QList<QDockWidget*> sides;
    QList<int> widths;
    for (QDockWidget* dock : docks_.all()) {
        if (dock->isHidden() || dock->isFloating()) continue;
        const Qt::DockWidgetArea area = window_->dockWidgetArea(dock);
        if (area == Qt::BottomDockWidgetArea) continue;
        const bool isLeft = area == Qt::LeftDockWidgetArea;
        const int px = isLeft ? (isTools ? 300 : 196) : isTools ? 500 : 280;
        const int percent = isLeft ? (isTools ? 25 : 16) : isTools ? 36 : 25;
        sides << dock;
        widths << std::min(theme.px(px), window_->width() * percent / 100);
    }
    if (!sides.isEmpty()) window_->resizeDocks(sides, widths, Qt::Horizontal);
    QDockWidget* front = docks_.dock(bottom);
    // With large text the pictures above need the room more than a fourth row does.
    const bool isLarge = theme.fontFactor() >= 1.5;
    const int share = isTools ? (isLarge ? 30 : 42) : isLarge ? 25 : 30;
    const int tall = std::min(theme.px(isTools ? 300 : 222), window_->height() * share / 100);
    window_->resizeDocks({front}, {kind == Kind::Bottom ? window_->height() : tall}, Qt::Vertical);
    if (isTools) stackTools();
    if (kind != Kind::Tables) return;
    // All 32 cores of the table of operations; the edges take the rest.
    constexpr int kMatrix = 796;
    window_->resizeDocks({front, docks_.dock(DockId::Edges)},
                         {theme.px(kMatrix), std::max(theme.px(200), window_->width() - theme.px(196 + kMatrix))},
                         Qt::Horizontal);
}

/// What one tunes with stands in one column (design e): the solver, at the bottom in the other arrangements, between
/// the what-if and the sweep, whose matrix takes the rest.
void DockSizes::stackTools() {
    QDockWidget* whatIf = docks_.dock(DockId::WhatIf);
    QDockWidget* solver = docks_.dock(DockId::Solver);
    window_->splitDockWidget(whatIf, solver, Qt::Vertical);
    const int height = window_->height();
    window_->resizeDocks({whatIf, solver, docks_.dock(DockId::Sweep)},
                         {height * 38 / 100, height * 27 / 100, height * 27 / 100}, Qt::Vertical);
}

/// The layout still stands as it was; it takes the new sizes once all widgets have theirs.
void DockSizes::followText() {
    const double from = std::exchange(factor_, ui::themeOf(window_).fontFactor());
    if (from == factor_) return;
    const Sizes before = sizesNow();
    if (docks_.areShown()) left_[from] = before;
    QTimer::singleShot(0, this, [this, before, from] { fit(before, from); });
}

void DockSizes::fit(const Sizes& before, double from) {
    docks_.followText();
    // What the pages in the docks need at least follows their layouts.
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    window_->layout()->activate();
    const QList<QDockWidget*> docks = docksOnScreen();
    const auto known = left_.find(factor_);
    const auto isKnown = [&](QDockWidget* dock) { return known->second.contains(dock); };
    if (known != left_.end() && std::ranges::all_of(docks, isKnown)) return give(docks, known->second);
    if (docks.isEmpty() || !kind_) return;
    apply(*kind_, bottom_);
    if (factor_ < from) return;
    // Larger text takes no room from a dock that the user has made larger.
    Sizes least = sizesNow();
    for (QDockWidget* dock : docks)
        least[dock] = least[dock].expandedTo(before.value(dock));
    give(docks, least);
}

QList<QDockWidget*> DockSizes::docksOnScreen() const {
    QList<QDockWidget*> docks;
    for (QDockWidget* dock : docks_.all())
        if (!dock->isFloating() && !dock->visibleRegion().isEmpty()) docks << dock;
    return docks;
}

/// What resizeDocks() takes: tabs belong to the dock. Docks behind a tab have the size of the one in front.
DockSizes::Sizes DockSizes::sizesNow() const {
    Sizes sizes;
    for (QDockWidget* dock : docksOnScreen()) {
        const QList<QDockWidget*> behind = window_->tabifiedDockWidgets(dock);
        const QSize size = dock->size() + QSize(0, behind.isEmpty() ? 0 : tabsOf(*window_, *dock));
        sizes[dock] = size;
        for (QDockWidget* other : behind)
            sizes[other] = size;
    }
    return sizes;
}

void DockSizes::give(const QList<QDockWidget*>& docks, const Sizes& sizes) {
    QList<int> widths, heights;
    for (QDockWidget* dock : docks) {
        widths << sizes[dock].width();
        heights << sizes[dock].height();
    }
    window_->resizeDocks(docks, widths, Qt::Horizontal);
    window_->resizeDocks(docks, heights, Qt::Vertical);
}

}  // namespace memplan::app

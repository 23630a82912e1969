// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window/docks/dock_scale.h"

#include "widgets/kit/theme/theme.h"

#include <QApplication>
#include <QDockWidget>
#include <QMainWindow>
#include <QTimer>

#include <algorithm>
#include <cmath>

namespace memplan::app {
namespace {

/// Share of the window that a dock at a side, or at the bottom, takes at most when it grows.
constexpr double kMostWidth = 0.3, kMostHeight = 0.4;

bool isAtSide(const QMainWindow& window, QDockWidget* dock) {
    const Qt::DockWidgetArea area = window.dockWidgetArea(dock);
    return area == Qt::LeftDockWidgetArea || area == Qt::RightDockWidgetArea;
}

}  // namespace

DockScale::DockScale(QMainWindow* window, std::function<std::vector<QDockWidget*>()> docks)
    : QObject(window), window_(window), docks_(std::move(docks)), factor_(ui::themeOf(window).fontFactor()) {
    if (auto* style = qobject_cast<ui::ThemedStyle*>(QApplication::style()))
        connect(style, &ui::ThemedStyle::themeChanged, this, &DockScale::follow);
}

/// The layout still stands as it was; it takes the new sizes once all widgets have theirs.
void DockScale::follow() {
    const double factor = ui::themeOf(window_).fontFactor();
    if (factor == factor_ || !window_->isVisible()) {
        factor_ = factor;
        return;
    }
    const Sizes now = sizesNow();
    left_[factor_] = now;
    const Sizes wanted = sizesFor(now, factor);
    factor_ = factor;
    QTimer::singleShot(0, this, [this, wanted] { apply(wanted); });
}

DockScale::Sizes DockScale::sizesNow() const {
    Sizes sizes;
    for (QDockWidget* dock : docks_())
        if (!dock->isFloating() && !dock->visibleRegion().isEmpty()) sizes.insert(dock, dock->size());
    return sizes;
}

/// What the same docks had at this size of text, else what they have by the ratio of the sizes, within the window.
DockScale::Sizes DockScale::sizesFor(const Sizes& now, double factor) const {
    const auto known = left_.find(factor);
    if (known != left_.end() && known->second.keys() == now.keys()) return known->second;
    Sizes sizes = now;
    for (auto it = sizes.begin(); it != sizes.end(); ++it) {
        const QSize had = it.value();
        const auto grown = [&](int length, double most) {
            return std::max(length, static_cast<int>(std::min(length * factor / factor_, most)));
        };
        const bool shrinks = factor < factor_;
        it.value() = shrinks ? had * (factor / factor_)
                             : QSize(grown(had.width(), window_->width() * kMostWidth),
                                     grown(had.height(), window_->height() * kMostHeight));
    }
    return sizes;
}

void DockScale::apply(const Sizes& sizes) {
    QList<QDockWidget*> sides, bottoms;
    QList<int> widths, heights;
    for (auto it = sizes.begin(); it != sizes.end(); ++it) {
        const bool side = isAtSide(*window_, it.key());
        (side ? sides : bottoms) << it.key();
        (side ? widths : heights) << (side ? it.value().width() : it.value().height());
    }
    if (!sides.isEmpty()) window_->resizeDocks(sides, widths, Qt::Horizontal);
    if (!bottoms.isEmpty()) window_->resizeDocks(bottoms, heights, Qt::Vertical);
}

}  // namespace memplan::app

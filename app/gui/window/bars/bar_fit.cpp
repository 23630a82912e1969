// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window/bars/bar_fit.h"

#include "app/gui/window/bars/palette_button.h"
#include "app/gui/window/docks/perspectives.h"
#include "widgets/kit/theme/theme.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QMainWindow>
#include <QMenuBar>
#include <QScopedValueRollback>
#include <QToolBar>

#include <algorithm>

namespace memplan::app {

namespace {

bool holds(const std::vector<QAction*>& list, QAction* action) {
    return std::find(list.begin(), list.end(), action) != list.end();
}

void setShown(QAction* action, bool on) {
    if (action->isVisible() != on) action->setVisible(on);
}

}  // namespace

BarFit::BarFit(QMainWindow* window, Parts parts) : QObject(window), window_(window), parts_(std::move(parts)) {
    corner_ = new QWidget(window->menuBar());
    corner_->setObjectName(QStringLiteral("menuCorner"));
    auto* row = new QHBoxLayout(corner_);
    row->setContentsMargins(0, 0, 8, 0);
    auto* words = new PerspectiveBar(parts_.perspectives, corner_);
    words->setObjectName(QStringLiteral("cornerPerspectives"));
    find_ = new PaletteButton(corner_);
    find_->setObjectName(QStringLiteral("cornerFind"));
    connect(find_, &PaletteButton::clicked, this, &BarFit::findRequested);
    row->addWidget(words);
    row->addWidget(find_);
    corner_->hide();
    window->installEventFilter(this);
    parts_.bar->installEventFilter(this);
}

/// What the document has a use for: the rest of the bar stands where it has room. A name is there for the field behind
/// it.
bool BarFit::isOffered(QAction* action) const {
    if (holds(parts_.end, action)) return true;
    const QList<QAction*> all = parts_.bar->actions();
    const qsizetype field = all.indexOf(action) + (holds(parts_.words, action) ? 1 : 0);
    return field < all.size() && all[field]->isVisible();
}

int BarFit::wanted(bool withEnd, bool withWords) const {
    const ui::Theme& theme = ui::themeOf(parts_.bar);
    int width = 2 * theme.px(8);
    for (QAction* action : parts_.bar->actions()) {
        if ((!withEnd && holds(parts_.end, action)) || (!withWords && holds(parts_.words, action))) continue;
        const QWidget* widget = parts_.bar->widgetForAction(action);
        if (widget == nullptr || !isOffered(action)) continue;
        // A field gives way down to its least width before anything else goes.
        const bool canShrink = widget->sizePolicy().horizontalPolicy() & QSizePolicy::ShrinkFlag;
        const int least = canShrink ? widget->minimumSizeHint().width() : widget->sizeHint().width();
        width += std::clamp(least, widget->minimumWidth(), std::max(widget->minimumWidth(), widget->maximumWidth())) +
                 theme.px(4);
    }
    return width;
}

void BarFit::fit() {
    if (isFitting_ || window_->layout() == nullptr) return;  // the window may be going
    if (parts_.bar->isHidden()) return corner_->setVisible(false);
    const QScopedValueRollback<bool> guard(isFitting_, true);
    const int room = window_->width();
    const bool all = wanted(true, true) <= room, words = all || wanted(false, true) <= room;
    for (QAction* action : parts_.end)
        setShown(action, all);
    for (QAction* action : parts_.words)
        setShown(action, words && isOffered(action));
    if (!all) find_->setKeys(parts_.find->keys());
    // Even when it is hidden, the bar is as high as its corner.
    window_->menuBar()->setCornerWidget(all ? nullptr : corner_, Qt::TopRightCorner);
    corner_->setVisible(!all);
}

bool BarFit::eventFilter(QObject* watched, QEvent* event) {
    const bool resized = watched == window_ && event->type() == QEvent::Resize;
    const bool shown = watched == parts_.bar && (event->type() == QEvent::Show || event->type() == QEvent::Hide ||
                                                 event->type() == QEvent::LayoutRequest);
    if (resized || shown) fit();
    return QObject::eventFilter(watched, event);
}

}  // namespace memplan::app

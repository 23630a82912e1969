// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/kit/controls/window_size.h"

#include "widgets/kit/theme/theme.h"

#include <QScreen>
#include <QWidget>

namespace memplan::ui {

void setScaledWindowSize(QWidget* window, int width, int height) {
    const Theme& theme = themeOf(window);
    QSize room = window->screen()->availableGeometry().size();
    if (const QWidget* owner = window->parentWidget()) room = room.expandedTo(owner->window()->size());
    // A window manager adds a title and edges.
    room -= QSize(theme.px(8), theme.px(32));
    window->resize(QSize(theme.px(width), theme.px(height)).boundedTo(room));
}

}  // namespace memplan::ui

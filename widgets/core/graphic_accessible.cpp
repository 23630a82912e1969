// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graphic_accessible.h"

#include "core/graphic_view.h"

#include <QAccessibleWidget>

namespace memplan::ui {

namespace {

QAccessibleInterface* makeInterface(const QString& key, QObject* object) {
    Q_UNUSED(key)
    auto* view = qobject_cast<GraphicView*>(object);
    return view ? new QAccessibleWidget(view, QAccessible::Graphic, view->viewName()) : nullptr;
}

}  // namespace

void installGraphicAccessible() {
    static const bool installed = [] {
        QAccessible::installFactory(makeInterface);
        return true;
    }();
    Q_UNUSED(installed)
}

}  // namespace memplan::ui

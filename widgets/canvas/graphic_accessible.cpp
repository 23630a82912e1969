// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/graphic_accessible.h"

#include "widgets/canvas/graphic_view.h"

#include <QAccessibleWidget>

namespace memplan::ui {

namespace {

constexpr const char* kGraphic = "memplanGraphic";

QAccessibleInterface* makeInterface(const QString& key, QObject* object) {
    Q_UNUSED(key)
    if (auto* view = qobject_cast<GraphicView*>(object))
        return new QAccessibleWidget(view, QAccessible::Graphic, view->viewName());
    auto* widget = qobject_cast<QWidget*>(object);
    const bool isGraphic = widget != nullptr && widget->property(kGraphic).toBool();
    return isGraphic ? new QAccessibleWidget(widget, QAccessible::Graphic, widget->accessibleName()) : nullptr;
}

}  // namespace

void makeGraphicAccessible(QWidget* widget) {
    installGraphicAccessible();
    widget->setProperty(kGraphic, true);
}

void installGraphicAccessible() {
    static const bool installed = [] {
        QAccessible::installFactory(makeInterface);
        return true;
    }();
    Q_UNUSED(installed)
}

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/graphic_accessible.h"

#include "widgets/canvas/picture/picture_source.h"

#include <QAccessibleWidget>

namespace memplan::ui {

namespace {

constexpr const char* kGraphic = "memplanGraphic";

QAccessibleInterface* makeInterface(const QString& key, QObject* object) {
    Q_UNUSED(key)
    auto* widget = qobject_cast<QWidget*>(object);
    if (widget == nullptr || !widget->property(kGraphic).toBool()) return nullptr;
    const auto* source = dynamic_cast<const PictureSource*>(object);
    return new QAccessibleWidget(widget, QAccessible::Graphic, source ? source->viewName() : widget->accessibleName());
}

}  // namespace

void makeGraphicAccessible(QWidget* widget) {
    static const bool installed = [] {
        QAccessible::installFactory(makeInterface);
        return true;
    }();
    Q_UNUSED(installed)
    widget->setProperty(kGraphic, true);
}

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/kit/controls/wheel_pass.h"

#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QChildEvent>
#include <QComboBox>
#include <QScrollArea>
#include <QScrollBar>

namespace memplan::ui {

namespace {

/// The list or field that a wheel over `widget` would move; null for everything else, scroll bars among it.
const QWidget* takerOf(const QObject* widget) {
    if (qobject_cast<const QScrollBar*>(widget) != nullptr) return nullptr;
    if (qobject_cast<const QAbstractSpinBox*>(widget) != nullptr || qobject_cast<const QComboBox*>(widget) != nullptr ||
        qobject_cast<const QAbstractSlider*>(widget) != nullptr)
        return qobject_cast<const QWidget*>(widget);
    const auto* view = widget->parent() == nullptr ? nullptr : qobject_cast<const QAbstractItemView*>(widget->parent());
    return view != nullptr && view->viewport() == widget ? view : nullptr;
}

class WheelPass final : public QObject {
public:
    explicit WheelPass(QScrollArea* area) : QObject(area), page_(area->widget()) { watch(page_); }

    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::ChildAdded) watch(static_cast<QChildEvent*>(event)->child());
        if (event->type() == QEvent::Polish) refuseWheelFocus(watched);  // what it is was not known as it was added
        if (event->type() != QEvent::Wheel) return false;
        const QWidget* taker = takerOf(watched);
        if (taker == nullptr || taker->hasFocus()) return false;
        event->ignore();  // goes on to the parents, up to the area
        return true;
    }

private:
    /// Windows of their own, such as the list of a combo box, scroll as ever.
    void watch(QObject* object) {
        if (!object->isWidgetType() || (object != page_ && static_cast<QWidget*>(object)->isWindow())) return;
        object->installEventFilter(this);
        refuseWheelFocus(object);
        for (QObject* child : object->children())
            watch(child);
    }

    /// Or the wheel would give the focus first, and then change what has it.
    static void refuseWheelFocus(QObject* object) {
        auto* widget = qobject_cast<QWidget*>(object);
        if (widget != nullptr && widget->focusPolicy() == Qt::WheelFocus) widget->setFocusPolicy(Qt::StrongFocus);
    }

    QWidget* page_;
};

}  // namespace

void passWheelTo(QScrollArea* area) {
    new WheelPass(area);
}

}  // namespace memplan::ui

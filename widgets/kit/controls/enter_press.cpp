// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/kit/controls/enter_press.h"

#include <QAbstractButton>
#include <QApplication>
#include <QKeyEvent>

namespace memplan::ui {

namespace {

/// Qt presses a button with Enter in dialogs only; what no widget took comes up to the page.
class EnterPress final : public QObject {
public:
    explicit EnterPress(QWidget* page) : QObject(page), page_(page) { page->installEventFilter(this); }

    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() != QEvent::KeyPress) return false;
        const int key = static_cast<const QKeyEvent*>(event)->key();
        auto* button = qobject_cast<QAbstractButton*>(QApplication::focusWidget());
        if ((key != Qt::Key_Return && key != Qt::Key_Enter) || button == nullptr) return false;
        if (!button->isEnabled() || !page_->isAncestorOf(button)) return false;
        button->click();
        return true;
    }

private:
    QWidget* page_;
};

}  // namespace

void pressWithEnter(QWidget* page) {
    new EnterPress(page);
}

}  // namespace memplan::ui

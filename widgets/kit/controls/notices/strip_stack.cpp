// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/kit/controls/notices/strip_stack.h"

#include "widgets/kit/controls/notices/strip.h"

#include <QEvent>

#include <algorithm>

namespace memplan::ui {

StripStack::StripStack(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    hide();
}

void StripStack::add(Strip* strip) {
    strip->setParent(this);
    strip->hide();
    strips_.push_back(strip);
    strip->installEventFilter(this);
    connect(strip, &Strip::changed, this, &StripStack::arrange);
}

const Strip* StripStack::front() const {
    const Strip* first = nullptr;
    for (const Strip* strip : strips_) {
        if (strip->isHidden()) continue;
        const bool isError = strip->kind() == Strip::Kind::Error;
        if (first == nullptr || (isError && first->kind() != Strip::Kind::Error)) first = strip;
    }
    return first;
}

QSize StripStack::sizeHint() const {
    const Strip* strip = front();
    return strip == nullptr ? QSize(0, 0) : strip->sizeHint();
}

void StripStack::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

bool StripStack::eventFilter(QObject* watched, QEvent* event) {
    const bool concerns = event->type() == QEvent::ShowToParent || event->type() == QEvent::HideToParent;
    if (concerns) arrange();
    return QWidget::eventFilter(watched, event);
}

/// What lies below the front one is out of reach of the keyboard too.
void StripStack::arrange() {
    const Strip* first = front();
    setVisible(first != nullptr);
    for (Strip* strip : strips_) {
        strip->setGeometry(0, 0, width(), strip->sizeHint().height());
        strip->setEnabled(strip == first);
        if (strip == first) strip->raise();
    }
    updateGeometry();
}

}  // namespace memplan::ui

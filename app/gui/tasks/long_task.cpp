// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/tasks/long_task.h"

#include <QCoreApplication>
#include <QEvent>

#include <memory>
#include <utility>

namespace memplan::app {
namespace {

const QEvent::Type kAction = static_cast<QEvent::Type>(QEvent::registerEventType());

struct ActionEvent final : QEvent {
    explicit ActionEvent(std::function<void()> a) : QEvent(kAction), action(std::move(a)) {}
    std::function<void()> action;
};

}  // namespace

void LongTask::post(std::function<void()> action) {
    auto event = std::make_unique<ActionEvent>(std::move(action));
    posted_.fetch_add(1, std::memory_order_release);
    QCoreApplication::postEvent(this, event.release());
}

bool LongTask::event(QEvent* event) {
    (void)posted_.load(std::memory_order_acquire);
    if (event->type() != kAction) return QObject::event(event);
    static_cast<ActionEvent*>(event)->action();
    return true;
}

}  // namespace memplan::app

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/tasks/fault_guard.h"

#include "app/gui/tasks/log.h"
#include "widgets/kit/controls/notices/fault.h"

#include <QTimer>

namespace memplan::app {
namespace {

std::function<void(const QString&)>& faultHandler() {
    static std::function<void(const QString&)> handler;
    return handler;
}

void report(const QString& text) {
    Log::instance().add(QObject::tr("unexpected exception: %1").arg(text));
    // The handler draws a page: not in the middle of the event that failed.
    QTimer::singleShot(0, qApp, [text] {
        if (faultHandler()) faultHandler()(text);
    });
}

}  // namespace

void reportFault(const std::exception_ptr& fault) {
    try {
        std::rethrow_exception(fault);
    } catch (const std::exception& e) {
        report(QString::fromUtf8(e.what()));
    } catch (...) {
        report(QObject::tr("of unknown kind"));
    }
}

bool GuardedApplication::notify(QObject* receiver, QEvent* event) {
    try {
        return QApplication::notify(receiver, event);
    } catch (...) {
        reportFault(std::current_exception());
    }
    return false;
}

void GuardedApplication::setFaultHandler(std::function<void(const QString&)> handler) {
    faultHandler() = std::move(handler);
    ui::setFaultReporter(faultHandler() ? reportFault : std::function<void(const std::exception_ptr&)>());
}

}  // namespace memplan::app

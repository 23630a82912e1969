// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/kit/controls/notices/fault.h"

#include <QCoreApplication>
#include <QMetaObject>

namespace memplan::ui {

namespace {

std::function<void(const std::exception_ptr&)>& theReporter() {
    static std::function<void(const std::exception_ptr&)> reporter;
    return reporter;
}

void writeDown(const std::exception_ptr& fault) {
    try {
        std::rethrow_exception(fault);
    } catch (const std::exception& e) {
        qWarning("unexpected exception: %s", e.what());
    } catch (...) {
        qWarning("unexpected exception of unknown kind");
    }
}

}  // namespace

void setFaultReporter(std::function<void(const std::exception_ptr&)> reporter) {
    theReporter() = std::move(reporter);
}

void reportFault(const std::exception_ptr& fault) {
    QMetaObject::invokeMethod(
        QCoreApplication::instance(), [fault] { theReporter() ? theReporter()(fault) : writeDown(fault); },
        Qt::QueuedConnection);
}

}  // namespace memplan::ui

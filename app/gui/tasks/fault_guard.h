// SPDX-License-Identifier: GPL-3.0-or-later
// Exceptions that nobody expected go into the log and to one handler (user-experience 19.7); the program goes on.
#pragma once

#include <QApplication>

#include <exception>
#include <functional>

namespace memplan::app {

/// Puts an exception into the log and hands its text to the fault handler; on the window thread.
void reportFault(const std::exception_ptr& fault);

/// Catches what event handlers throw and hands the text on.
class GuardedApplication final : public QApplication {
    Q_OBJECT
public:
    using QApplication::QApplication;
    bool notify(QObject* receiver, QEvent* event) override;
    /// Called on the window thread, outside the handler that threw.
    static void setFaultHandler(std::function<void(const QString&)> handler);
};

}  // namespace memplan::app

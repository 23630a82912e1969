// SPDX-License-Identifier: GPL-3.0-or-later
// Exceptions that nobody expected, out of work beside the window thread: none may leave its thread, which would end the
// program without a word (user-experience 19.7). The program says what becomes of them.
#pragma once

#include <QCoreApplication>
#include <QFuture>
#include <QPromise>
#include <QThreadPool>

#include <exception>
#include <functional>
#include <memory>
#include <utility>

namespace memplan::ui {

/// Who gets the report, on the window thread; without one faults go to the log of Qt.
void setFaultReporter(std::function<void(const std::exception_ptr&)> reporter);

/// From any thread; the reporter is called on the window thread, later.
void reportFault(const std::exception_ptr& fault);

/// A value made on the thread pool. What `work` throws is reported; the future then ends without a result.
template <class Work> auto inPool(Work work) -> QFuture<decltype(work())> {
    auto promise = std::make_shared<QPromise<decltype(work())>>();
    promise->start();
    auto future = promise->future();
    QThreadPool::globalInstance()->start([promise, work = std::move(work)] {
        try {
            promise->addResult(work());
        } catch (...) {
            reportFault(std::current_exception());
        }
        promise->finish();
    });
    return future;
}

}  // namespace memplan::ui

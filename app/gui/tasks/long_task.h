// SPDX-License-Identifier: GPL-3.0-or-later
// What the status bar shows of anything that takes long: what, how far, how long, and a way to stop it (UX 2.15).
#pragma once

#include <QObject>
#include <QString>

#include <atomic>
#include <functional>

namespace memplan::app {

class LongTask : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// Asks the running task to stop; does nothing when none runs.
    virtual void cancel() = 0;
    [[nodiscard]] virtual bool isRunning() const = 0;
    [[nodiscard]] virtual double elapsedSeconds() const = 0;

    /// From a worker: the action runs on the thread of this object, after those posted before it. It never runs where
    /// the object is gone by then.
    void post(std::function<void()> action);
    bool event(QEvent* event) override;

signals:
    void started(const QString& what);
    void progress(const QString& what, double done, double total);  ///< total 0: no share is known
    void finished();
    void cancelled(double seconds, const QString& what);
    void failed();  ///< an unexpected exception ended it (UX 19.7): reported already, nothing came of the task

private:
    /// Qt's queue orders the two threads by locks that a thread sanitizer does not see; this number it sees.
    std::atomic<unsigned> posted_{0};
};

}  // namespace memplan::app

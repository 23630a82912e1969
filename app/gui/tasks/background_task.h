// SPDX-License-Identifier: GPL-3.0-or-later
// Runs one long task at a time off the window thread: opening a file, compiling (architecture 9.4,
// 10). Results come back by queued call; those of a task that was replaced are dropped.
#pragma once

#include "app/gui/tasks/long_task.h"
#include "engine/base/run_control.h"

#include <QElapsedTimer>

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <thread>

namespace memplan::app {

class BackgroundTask final : public LongTask {
    Q_OBJECT
public:
    explicit BackgroundTask(QObject* parent = nullptr);
    ~BackgroundTask() override;  ///< requests stop and joins

    /// Starts `work` on a worker thread; the function it returns runs on the window thread unless the
    /// task was replaced or cancelled meanwhile. A running task is asked to stop and not waited for.
    /// What either of them throws is reported as a fault of the program, and the task ends with `failed`.
    using Finish = std::function<void()>;
    using Work = std::function<Finish(const RunControl&)>;
    void start(const QString& what, Work work);

    /// Asks the running task to stop; `cancelled` follows at once, the old result is ignored.
    void cancel() override;
    [[nodiscard]] bool isRunning() const override { return running_; }
    [[nodiscard]] QString what() const { return what_; }
    [[nodiscard]] double elapsedSeconds() const override { return static_cast<double>(clock_.elapsed()) / 1000.0; }

private:
    void retire();
    void run(quint64 mine, const Work& work, const std::stop_token& stop);
    void end(const Finish& finish, const std::exception_ptr& fault);

    struct Slot {
        std::jthread thread;
        std::shared_ptr<std::atomic<bool>> done;
    };
    std::vector<Slot> slots_;
    quint64 generation_ = 0;
    bool running_ = false;
    QString what_;
    QElapsedTimer clock_;
    QString lastStep_;
};

}  // namespace memplan::app

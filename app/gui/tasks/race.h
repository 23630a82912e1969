// SPDX-License-Identifier: GPL-3.0-or-later
// Makes one plan with each of several solvers at once, on at most as many threads as the machine has (UX 12.3). Results
// come on the window thread in the order in which they are ready; each by itself is deterministic.
#pragma once

#include "app/gui/tasks/long_task.h"
#include "engine/target/compile.h"

#include <QElapsedTimer>
#include <QString>

#include <atomic>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

namespace memplan::app {

/// What one row of a race does; called on any thread, and nobody else uses what it holds.
struct RaceRun {
    QString name;  ///< of the solver
    std::function<CompileOutcome(const RunControl&)> work;
};

class Race final : public LongTask {
    Q_OBJECT
public:
    explicit Race(QObject* parent = nullptr);
    ~Race() override;  ///< asks all runs to stop and joins

    /// A running race is cancelled first; its threads end when they notice, and nobody waits for them.
    void start(std::vector<RaceRun> runs);
    void cancel() override;  ///< finished rows stay; the others end as cancelled
    [[nodiscard]] bool isRunning() const override { return open_ > 0; }
    [[nodiscard]] double elapsedSeconds() const override { return static_cast<double>(clock_.elapsed()) / 1000.0; }

signals:
    void runStarted(int row);
    void runProgress(int row, const QString& step, double share);
    void runFinished(int row, std::shared_ptr<const memplan::Plan> plan, double seconds);
    void runFailed(int row, const QString& error);
    void runCancelled(int row);
    void ended();

private:
    struct Job;
    void work(const std::shared_ptr<Job>& job, const std::stop_token& stop);
    void closeRow(int row);
    void showShare(const QString& solver);

    struct Worker {
        std::jthread thread;
        std::shared_ptr<std::atomic<bool>> isDone;
    };
    void retire();

    std::vector<Worker> workers_;  ///< those of earlier races too, until they have ended
    std::vector<bool> rowsOpen_;
    std::vector<double> shares_;  ///< of each row, 0 to 1
    QElapsedTimer clock_;
    quint64 generation_ = 0;
    int open_ = 0;
};

}  // namespace memplan::app

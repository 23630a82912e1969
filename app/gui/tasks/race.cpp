// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/tasks/race.h"

#include "app/gui/tasks/fault_guard.h"
#include "widgets/plan/units.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <numeric>

namespace memplan::app {

struct Race::Job {
    std::vector<RaceRun> runs;
    std::atomic<std::size_t> next{0};
    quint64 generation = 0;
};

Race::Race(QObject* parent) : LongTask(parent) {}

Race::~Race() {
    ++generation_;
    retire();
    workers_.clear();  // joins
}

void Race::retire() {
    for (Worker& worker : workers_)
        worker.thread.request_stop();
    std::erase_if(workers_, [](const Worker& worker) { return worker.isDone->load(); });
}

void Race::start(std::vector<RaceRun> runs) {
    cancel();
    retire();
    auto job = std::make_shared<Job>();
    job->runs = std::move(runs);
    job->generation = ++generation_;
    open_ = static_cast<int>(job->runs.size());
    rowsOpen_.assign(job->runs.size(), true);
    shares_.assign(job->runs.size(), 0);
    clock_.start();
    emit started(tr("race of solvers"));
    const auto workers = std::min<std::size_t>(job->runs.size(), std::max(1u, std::thread::hardware_concurrency()));
    for (std::size_t i = 0; i < workers; ++i) {
        auto isDone = std::make_shared<std::atomic<bool>>(false);
        workers_.push_back({std::jthread([this, job, isDone](const std::stop_token& stop) {
                                work(job, stop);
                                isDone->store(true);
                            }),
                            isDone});
    }
}

void Race::work(const std::shared_ptr<Job>& job, const std::stop_token& stop) {
    const auto onWindow = [this, job](auto action) {
        post([this, job, action] {
            if (job->generation == generation_) action();
        });
    };
    for (std::size_t i = job->next++; i < job->runs.size() && !stop.stop_requested(); i = job->next++) {
        const int row = static_cast<int>(i);
        onWindow([this, row] { emit runStarted(row); });
        RunControl control;
        control.stop = stop;
        auto last = std::make_shared<std::chrono::steady_clock::time_point>();
        control.onProgress = [this, job, onWindow, row, last](std::string_view step, double at, double total) {
            const auto now = std::chrono::steady_clock::now();
            if (now - *last < std::chrono::milliseconds(100)) return;
            *last = now;
            const QString text = QString::fromUtf8(step.data(), static_cast<qsizetype>(step.size()));
            onWindow([this, job, row, text, share = total > 0 ? at / total : 0.0] {
                shares_[static_cast<std::size_t>(row)] = share;
                emit runProgress(row, text, share);
                showShare(job->runs[static_cast<std::size_t>(row)].name);
            });
        };
        const auto begin = std::chrono::steady_clock::now();
        CompileOutcome outcome;
        try {
            outcome = job->runs[i].work(control);
        } catch (...) {
            onWindow([this, row, fault = std::current_exception()] {
                reportFault(fault);
                emit runFailed(row, tr("failed unexpectedly, see the log"));
                closeRow(row);
            });
            continue;
        }
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        if (stop.stop_requested()) return;
        if (outcome.plan) {
            onWindow([this, row, plan = outcome.plan, seconds] {
                emit runFinished(row, plan, seconds);
                closeRow(row);
            });
        } else {
            const QString text = ui::fromStd(outcome.failure->error.primary().message);
            onWindow([this, row, text] {
                emit runFailed(row, text);
                closeRow(row);
            });
        }
    }
}

void Race::closeRow(int row) {
    if (!rowsOpen_[static_cast<std::size_t>(row)]) return;
    rowsOpen_[static_cast<std::size_t>(row)] = false;
    shares_[static_cast<std::size_t>(row)] = 1;
    if (--open_ > 0) return showShare({});
    emit ended();
    emit finished();
}

/// All rows together: a finished one counts as one, a running one as far as it has come.
void Race::showShare(const QString& solver) {
    const double done = std::accumulate(shares_.begin(), shares_.end(), 0.0);
    emit progress(solver.isEmpty() ? tr("race of solvers") : tr("race of solvers: %1").arg(solver), done,
                  static_cast<double>(shares_.size()));
}

void Race::cancel() {
    if (open_ == 0) return;
    ++generation_;
    retire();
    open_ = 0;
    for (std::size_t i = 0; i < rowsOpen_.size(); ++i)
        if (rowsOpen_[i]) emit runCancelled(static_cast<int>(i));
    rowsOpen_.assign(rowsOpen_.size(), false);
    emit ended();
    emit cancelled(elapsedSeconds(), tr("race of solvers"));
}

}  // namespace memplan::app

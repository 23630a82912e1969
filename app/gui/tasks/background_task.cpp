// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/tasks/background_task.h"

#include "app/gui/tasks/fault_guard.h"

#include <QCoreApplication>

#include <algorithm>
#include <chrono>

namespace memplan::app {
namespace {

/// Thirty progress calls a second are enough for an eye.
class Throttle {
public:
    bool pass() {
        const auto now = std::chrono::steady_clock::now();
        if (now - last_ < std::chrono::milliseconds(33)) return false;
        last_ = now;
        return true;
    }

private:
    std::chrono::steady_clock::time_point last_;
};

}  // namespace

BackgroundTask::BackgroundTask(QObject* parent) : LongTask(parent) {}

BackgroundTask::~BackgroundTask() {
    ++generation_;
    for (Slot& slot : slots_)
        slot.thread.request_stop();
    slots_.clear();  // joins
}

void BackgroundTask::start(const QString& what, Work work) {
    retire();
    const quint64 mine = ++generation_;
    running_ = true;
    what_ = what;
    lastStep_ = what;
    clock_.start();
    auto done = std::make_shared<std::atomic<bool>>(false);
    slots_.push_back({std::jthread([this, mine, done, work = std::move(work)](const std::stop_token& stop) {
                          run(mine, work, stop);
                          done->store(true);
                      }),
                      done});
    emit started(what);
}

/// On the worker. No exception may leave it: that would end the program without a word.
void BackgroundTask::run(quint64 mine, const Work& work, const std::stop_token& stop) {
    RunControl control;
    control.stop = stop;
    auto throttle = std::make_shared<Throttle>();
    control.onProgress = [this, mine, throttle](std::string_view step, double at, double total) {
        if (!throttle->pass()) return;
        const QString text = QString::fromUtf8(step.data(), static_cast<qsizetype>(step.size()));
        post([this, mine, text, at, total] {
            if (mine != generation_) return;
            lastStep_ = text;
            emit progress(text, at, total);
        });
    };
    Finish finish;
    std::exception_ptr fault;
    try {
        finish = work(control);
    } catch (...) {
        fault = std::current_exception();
    }
    post([this, mine, finish = std::move(finish), fault] {
        if (mine == generation_) end(finish, fault);
    });
}

/// On the window thread.
void BackgroundTask::end(const Finish& finish, const std::exception_ptr& fault) {
    running_ = false;
    try {
        if (fault) std::rethrow_exception(fault);
        if (finish) finish();
    } catch (...) {
        reportFault(std::current_exception());
        emit failed();
        return;
    }
    emit finished();
}

void BackgroundTask::cancel() {
    if (!running_) return;
    ++generation_;
    running_ = false;
    for (Slot& slot : slots_)
        slot.thread.request_stop();
    emit cancelled(elapsedSeconds(), lastStep_);
}

void BackgroundTask::retire() {
    for (Slot& slot : slots_)
        slot.thread.request_stop();
    std::erase_if(slots_, [](const Slot& slot) { return slot.done->load(); });
}

}  // namespace memplan::app

// SPDX-License-Identifier: Apache-2.0
// Entry of `memplan`: standard streams, Ctrl-C as a request to stop, exit status.
#include "app/cli/program/commands.h"

#include <cstdlib>
#include <iostream>
#include <pthread.h>
#include <signal.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

using memplan::cli::Args;

sigset_t stopSignals() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGUSR1);  // our own: wakes the watcher at the end
    return set;
}

/// Waits for signals on a thread of its own, because nothing that asks a task to stop may run inside a
/// signal handler. The second Ctrl-C does not wait for the task.
class SignalWatch {
public:
    SignalWatch() {
        const sigset_t set = stopSignals();
        pthread_sigmask(SIG_BLOCK, &set, nullptr);
        watcher_ = std::jthread([this](const std::stop_token& end) { watch(end); });
    }

    ~SignalWatch() {
        watcher_.request_stop();
        pthread_kill(watcher_.native_handle(), SIGUSR1);
    }
    SignalWatch(const SignalWatch&) = delete;
    SignalWatch& operator=(const SignalWatch&) = delete;

    [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

private:
    void watch(const std::stop_token& end) {
        const sigset_t set = stopSignals();
        while (!end.stop_requested()) {
            int signal = 0;
            if (sigwait(&set, &signal) != 0 || signal == SIGUSR1) continue;
            if (!source_.request_stop()) std::_Exit(memplan::cli::kCancelledStatus);
        }
    }

    std::stop_source source_;
    std::jthread watcher_;
};

/// Takes --json-errors out of the arguments so that it also holds for errors in the arguments.
bool takeJsonErrors(Args& args) {
    return std::erase(args, "--json-errors") > 0;
}

}  // namespace

int main(int argc, char** argv) {
    const SignalWatch signals;
    Args args(argv + 1, argv + argc);
    const bool jsonErrors = takeJsonErrors(args);
    const memplan::cli::Streams streams{std::cout, std::cerr, isatty(STDERR_FILENO) == 1, jsonErrors, signals.token()};
    return memplan::cli::runProgram(args, streams);
}

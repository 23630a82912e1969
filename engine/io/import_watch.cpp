// SPDX-License-Identifier: Apache-2.0
#include "engine/io/import_watch.h"

#include "engine/base/text.h"

#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>
#include <unistd.h>

namespace memplan::io {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kLook = std::chrono::milliseconds(10);

double seconds(Clock::duration d) {
    return std::chrono::duration<double>(d).count();
}

/// Memory of this process that no file stands behind, 0 where the system does not say.
std::int64_t ownMemoryBytes() {
    std::FILE* file = std::fopen("/proc/self/statm", "re");
    if (file == nullptr) return 0;
    long long total = 0, resident = 0, shared = 0;
    const int read = std::fscanf(file, "%lld %lld %lld", &total, &resident, &shared);
    std::fclose(file);
    return read == 3 ? static_cast<std::int64_t>(resident - shared) * ::sysconf(_SC_PAGESIZE) : 0;
}

}  // namespace

struct ImportWatch::Watch {
    Watch(const Limits& given, const RunControl& from)
        : limits(given), outer(from), stopWithOuter(from.stop, [this] { source.request_stop(); }) {
        inner = from;
        inner.stop = source.get_token();
        inner.onProgress = [this](std::string_view what, double done, double total) {
            lastSign.store(Clock::now().time_since_epoch().count(), std::memory_order_relaxed);
            outer.progress(what, done, total);
        };
        lastSign = begun.time_since_epoch().count();
        memoryBefore = ownMemoryBytes();
        thread = std::jthread([this](const std::stop_token& ended) { run(ended); });
    }

    void run(const std::stop_token& ended) {
        std::unique_lock lock(mutex);
        while (!ended.stop_requested()) {
            wake.wait_for(lock, ended, kLook, [] { return false; });
            if (ended.stop_requested()) return;
            if (auto error = look()) {
                found = std::move(error);
                source.request_stop();
                return;
            }
        }
    }

    [[nodiscard]] std::optional<Error> look() const {
        const auto now = Clock::now();
        const double spent = seconds(now - begun);
        if (spent > limits.importSeconds) {
            return makeError("IN-906", "",
                             "the import took " + text::fixed(spent, 1) + " s, the limit is " +
                                 text::number(limits.importSeconds) + " s",
                             "raise limits.import_seconds");
        }
        const Clock::time_point sign{Clock::duration(lastSign.load(std::memory_order_relaxed))};
        const double idle = seconds(now - sign);
        if (idle > limits.idleSeconds) {
            return makeError("IN-906", "",
                             "the import made no progress for " + text::fixed(idle, 1) + " s, the limit is " +
                                 text::number(limits.idleSeconds) + " s",
                             "raise limits.idle_seconds");
        }
        const std::int64_t memory = ownMemoryBytes() - memoryBefore;
        if (memory > limits.importMemoryBytes) {
            return makeError("IN-905", "",
                             "the import needs " + text::grouped(memory) + " bytes of memory and more, the limit is " +
                                 text::grouped(limits.importMemoryBytes),
                             "raise limits.import_memory_bytes");
        }
        return std::nullopt;
    }

    // Copies: a caller may give temporaries.
    const Limits limits;
    const RunControl outer;
    std::stop_source source;
    std::stop_callback<std::function<void()>> stopWithOuter;
    RunControl inner;
    Clock::time_point begun = Clock::now();
    std::atomic<Clock::rep> lastSign{0};
    std::int64_t memoryBefore = 0;
    std::mutex mutex;
    std::condition_variable_any wake;
    std::optional<Error> found;  ///< guarded by mutex
    std::jthread thread;         ///< last: ends first
};

ImportWatch::ImportWatch(const Limits& limits, const RunControl& control)
    : watch_(std::make_unique<Watch>(limits, control)) {}

ImportWatch::~ImportWatch() = default;

const RunControl& ImportWatch::control() const {
    return watch_->inner;
}

std::optional<Error> ImportWatch::exceeded() const {
    const std::lock_guard lock(watch_->mutex);
    return watch_->found;
}

}  // namespace memplan::io

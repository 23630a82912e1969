// SPDX-License-Identifier: Apache-2.0
// Limits of hostile input (inputs-and-interchange 7: one second and 200 MB a file).
#pragma once

#include <sys/resource.h>
#include <sys/time.h>

namespace memplan::test {

[[nodiscard]] inline rusage ownUsage() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage;
}

/// Processor seconds of this process: what else a machine does meanwhile does not count.
[[nodiscard]] inline double processorSeconds() {
    const rusage usage = ownUsage();
    const auto seconds = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Peak resident memory of this process in MB.
[[nodiscard]] inline long peakMegabytes() {
    return ownUsage().ru_maxrss / 1024;
}

/// What one hostile file may take. Instrumented code is not optimised and keeps what it freed: there the limits only
/// distinguish a search or a file read without end from a slow one.
#ifdef MEMPLAN_INSTRUMENTED
constexpr double kHostileSeconds = 10;
constexpr long kHostileMegabytes = 1000;
#else
constexpr double kHostileSeconds = 1;
constexpr long kHostileMegabytes = 200;
#endif

}  // namespace memplan::test

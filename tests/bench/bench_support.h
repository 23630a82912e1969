// SPDX-License-Identifier: Apache-2.0
// What every benchmark reports beside its time.
#pragma once

#include <sys/resource.h>

namespace memplan::bench {

/// Peak resident memory of this process in MB.
inline double peakMegabytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

}  // namespace memplan::bench

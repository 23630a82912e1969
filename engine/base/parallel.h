// SPDX-License-Identifier: Apache-2.0
// One loop over independent items on several threads (architecture 10.2, 10.4).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace memplan {

/// Threads that the setting engine.threads stands for: 0 = all of the machine.
[[nodiscard]] unsigned threadCount(std::int64_t setting);

/// Into how many ranges parallelRanges() cuts [0, count): at most one a thread, none shorter than `least`, at least 1.
[[nodiscard]] std::size_t rangeCount(std::size_t count, std::size_t least, unsigned threads);

/// Calls `work(part, begin, end)` once for each of the consecutive ranges that cover [0, count) and returns when all
/// are done; the first range runs on the calling thread, so that short lists start none. A range writes only what
/// belongs to its items or to its part, so that no result depends on the number of threads. When calls throw, the
/// exception of the lowest part goes on.
void parallelRanges(std::size_t count, std::size_t least, unsigned threads,
                    const std::function<void(std::size_t part, std::size_t begin, std::size_t end)>& work);

}  // namespace memplan

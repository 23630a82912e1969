// SPDX-License-Identifier: Apache-2.0
#include "engine/base/parallel.h"

#include <algorithm>
#include <exception>
#include <thread>
#include <vector>

namespace memplan {

unsigned threadCount(std::int64_t setting) {
    return setting > 0 ? static_cast<unsigned>(setting) : std::max(1U, std::thread::hardware_concurrency());
}

std::size_t rangeCount(std::size_t count, std::size_t least, unsigned threads) {
    return std::clamp<std::size_t>(count / std::max<std::size_t>(1, least), 1, std::max(1U, threads));
}

void parallelRanges(std::size_t count, std::size_t least, unsigned threads,
                    const std::function<void(std::size_t part, std::size_t begin, std::size_t end)>& work) {
    const std::size_t parts = rangeCount(count, least, threads);
    if (parts == 1) return work(0, 0, count);
    std::vector<std::exception_ptr> failures(parts);
    const auto run = [&](std::size_t part) {
        try {
            work(part, count * part / parts, count * (part + 1) / parts);
        } catch (...) {
            failures[part] = std::current_exception();
        }
    };
    {
        std::vector<std::jthread> others;
        others.reserve(parts - 1);
        for (std::size_t part = 1; part < parts; ++part)
            others.emplace_back(run, part);
        run(0);
    }
    for (const std::exception_ptr& failure : failures) {
        if (failure) std::rethrow_exception(failure);
    }
}

}  // namespace memplan

// SPDX-License-Identifier: Apache-2.0
#include "solve/exact/stacking.h"

#include "solve/exact/stacking_search.h"

#include <algorithm>
#include <array>

namespace memplan::solve {

namespace {

constexpr std::int64_t kRunNodes = 800;
constexpr std::uint64_t kRunsPerLimit = 64;
constexpr std::size_t kMaxShapes = 2'000;  // a frame per level: the memory grows with the square

constexpr std::array<Preference, 4> kPreferences{Preference::Width, Preference::Tallness, Preference::Area,
                                                 Preference::Crowd};

/// Each preference once as it is; then varied, every other run by width, which solves most instances soonest.
Preference preferenceOf(std::uint64_t run) {
    if (run < kPreferences.size()) return kPreferences[run];
    return run % 2 == 0 ? Preference::Width : kPreferences[run / 2 % kPreferences.size()];
}

}  // namespace

Stacking stackAll(const StackingProblem& problem, std::int64_t maxNodes, const RunControl& control) {
    Stacking result;
    if (problem.shapes.empty()) {
        result.end = StackingEnd::Placed;
        return result;
    }
    result.end = StackingEnd::NodeLimit;
    if (problem.shapes.size() > kMaxShapes) return result;
    StackingSearch search(problem, control);
    // Where a first choice is wrong, undoing it step by step takes forever: short runs, then longer ones.
    for (std::uint64_t run = 0; result.end == StackingEnd::NodeLimit && result.nodes < maxNodes; ++run) {
        const std::int64_t limit = kRunNodes << std::min<std::uint64_t>(run / kRunsPerLimit, 30);
        const std::uint64_t variation = run < kPreferences.size() ? 0 : run;
        result.end = search.run(preferenceOf(run), variation, std::min(limit, maxNodes - result.nodes));
        result.nodes += search.nodes();
    }
    if (result.end == StackingEnd::Placed) result.address = search.addresses();
    return result;
}

}  // namespace memplan::solve

// SPDX-License-Identifier: Apache-2.0
#include "engine/solve/exact/stacking.h"

#include "engine/solve/exact/stacking_search.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>
#include <vector>

namespace memplan::solve {

namespace {

constexpr std::int64_t kLeastRunNodes = 300;
constexpr double kPlainNodesPerShape = 3.0;   // of the runs that follow a preference as it is
constexpr double kVariedNodesPerShape = 1.5;  // of the first others: most that get there go almost straight

constexpr std::uint64_t kRunsPerLimit = 64;
constexpr std::size_t kMaxShapes = 2'000;  // a frame per level: the memory grows with the square

constexpr std::array<Preference, 4> kPreferences{Preference::Width, Preference::Tallness, Preference::Area,
                                                 Preference::Crowd};

/// Each preference once as it is; then varied, every other run by width, which solves most instances soonest.
Preference preferenceOf(std::uint64_t run) {
    if (run < kPreferences.size()) return kPreferences[run];
    return run % 2 == 0 ? Preference::Width : kPreferences[run / 2 % kPreferences.size()];
}

/// Every fourth run avoids small holes where it can, and forgets what columns failed, for it can lead astray as well.
StackingStyle styleOf(std::uint64_t run) {
    StackingStyle style;
    const bool isFourth = run % 4 == 0;
    style.preference = preferenceOf(run);
    style.variation = run < kPreferences.size() ? 0 : run;
    style.liftsEarly = !isFourth;
    style.forgets = isFourth;
    return style;
}

std::int64_t limitOf(std::uint64_t run, std::size_t shapes) {
    const double perShape = run < kPreferences.size() ? kPlainNodesPerShape : kVariedNodesPerShape;
    const auto first = static_cast<std::int64_t>(perShape * static_cast<double>(shapes));
    return std::max(kLeastRunNodes, first) << std::min<std::uint64_t>(run / kRunsPerLimit, 30);
}

/// Taller shapes first, then by first and last column: the search does not depend on how they were listed.
std::vector<int> canonicalOrder(const StackingProblem& problem) {
    std::vector<int> order(problem.shapes.size());
    std::iota(order.begin(), order.end(), 0);
    const auto key = [&](int s) {
        const StackShape& shape = problem.shapes[static_cast<std::size_t>(s)];
        return std::tuple(-shape.tallest, shape.cells.front().column, shape.cells.back().column);
    };
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return key(a) < key(b); });
    return order;
}

}  // namespace

Stacking stackAll(const StackingProblem& given, std::int64_t maxNodes, const RunControl& control) {
    const std::vector<int> order = canonicalOrder(given);
    StackingProblem problem{given.capacity, given.grain, given.columns, {}};
    for (const int s : order)
        problem.shapes.push_back(given.shapes[static_cast<std::size_t>(s)]);
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
        const std::int64_t limit = limitOf(run, problem.shapes.size());
        result.end = search.run(styleOf(run), std::min(limit, maxNodes - result.nodes));
        result.nodes += search.nodes();
    }
    if (result.end != StackingEnd::Placed) return result;
    result.address.resize(order.size());
    for (std::size_t k = 0; k < order.size(); ++k)
        result.address[static_cast<std::size_t>(order[k])] = search.addresses()[k];
    return result;
}

}  // namespace memplan::solve

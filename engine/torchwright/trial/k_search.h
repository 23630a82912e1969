// SPDX-License-Identifier: Apache-2.0
// Compiles with several values of K (torchwright.md 12, 17): a sweep, and the short search behind the K that the window
// offers. Deterministic for any number of threads.
#pragma once

#include "engine/base/run_control.h"
#include "engine/torchwright/analysis/clusters.h"
#include "engine/torchwright/scheduler/scheduler.h"

#include <optional>

namespace memplan::torchwright {

/// One compile with a concurrency scope over a cluster.
struct KOutcome {
    int k = 0;
    ScheduleResult result = ScheduleResult::Ok;
    int layers = 0;  ///< completed ones where it failed
    Columns peakOccupied = 0;
    int headsTotal = 0;
    Slots slotsTotal = 0;
    friend bool operator==(const KOutcome&, const KOutcome&) = default;

    [[nodiscard]] bool ok() const { return result == ScheduleResult::Ok; }
};

struct KQuestion {
    const NodeGraph& graph;  ///< without the scope
    const Cluster& cluster;
    const ScheduleOptions& options;
};

/// One outcome for each K in the order given, K >= 1. Cancelled: those that were finished.
[[nodiscard]] std::vector<KOutcome> sweepK(const KQuestion& question, const std::vector<int>& ks, unsigned threads,
                                           const RunControl& control = {});
/// Compiles, fewest layers, then the smallest K; nullptr when none compiles.
[[nodiscard]] const KOutcome* bestOf(const std::vector<KOutcome>& outcomes);

struct KSearch {
    std::vector<KOutcome> tried;   ///< in the order in which they were
    std::optional<KOutcome> best;  ///< only if it beats the schedule without a scope
    int natural = 0;
    friend bool operator==(const KSearch&, const KSearch&) = default;
};

/// The formula, three times it, and the neighbours of that: at most six compiles.
[[nodiscard]] KSearch shortSearch(const KQuestion& question, const Schedule& withoutScope,
                                  const RunControl& control = {});
/// Autotune (torchwright.md 17): K is doubled from the formula on until the compile fails or has become worse twice;
/// then everything between the neighbours of the best K is tried. The smallest K among equals.
[[nodiscard]] KSearch tuneK(const KQuestion& question, const Schedule& withoutScope, const RunControl& control = {});

}  // namespace memplan::torchwright

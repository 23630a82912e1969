// SPDX-License-Identifier: Apache-2.0
// How many iterations of a cluster are in flight, which values of K make sense for it, and whether limiting them can
// help at all (torchwright.md 12).
#pragma once

#include "engine/torchwright/analysis/chains.h"
#include "engine/torchwright/analysis/clusters.h"
#include "engine/torchwright/report/occupancy.h"
#include "engine/torchwright/schedule/schedule.h"

#include <string>
#include <utility>

namespace memplan::torchwright {

/// Chains in flight at the end of each layer: some member computed, the terminal not before this layer.
[[nodiscard]] std::vector<int> inFlightOf(const Cluster& cluster, const Schedule& schedule);
/// Largest of them in the schedule without the hint: the scale for K. Failed schedules count too.
[[nodiscard]] int naturalInFlight(const Cluster& cluster, const Schedule& withoutHint);

/// Widest member of a chain that owns columns: unlike Cluster::peakWidth, exclusive first Linears are left out.
[[nodiscard]] Columns residualPeakWidth(const NodeGraph& graph, const std::vector<Chain>& chains,
                                        const Cluster& cluster);
/// max(1, round(factor * d / (4 * peak))), halves up. Factor 1: where a sweep begins. Factor 3: where the known optima
/// lie.
[[nodiscard]] int kByFormula(Columns d, Columns peakWidth, int factor);

/// The three conditions under which a concurrency scope helps.
struct ScopeConditions {
    int chains = 0;
    Columns peakWidth = 0;    ///< residualPeakWidth
    double freeColumns = 0;   ///< d minus the mean of what owners outside the cluster hold
    double plateauShare = 0;  ///< of the plateau's columns, held by the cluster
    bool hasPlateau = false;  ///< without one, the means are over all layers
    int largestFittingK = 0;  ///< floor(freeColumns / peakWidth)
    /// Largest other contributors by annotation, at most three, with their mean columns.
    std::vector<std::pair<std::string, double>> others;

    [[nodiscard]] bool areParallel() const { return chains >= 4; }
    [[nodiscard]] bool overflow() const { return static_cast<double>(peakWidth) * chains > freeColumns; }
    [[nodiscard]] bool dominate() const { return hasPlateau && plateauShare >= 0.5; }
    [[nodiscard]] bool allHold() const { return areParallel() && overflow() && dominate(); }
};

/// Over the longest plateau of the schedule.
[[nodiscard]] ScopeConditions conditionsOf(const NodeGraph& graph, const Schedule& schedule, const Cluster& cluster,
                                           const std::vector<Plateau>& plateaus);

/// What is to be said about a K: TW-144, TW-145, TW-146 (torchwright.md 19.4).
enum class KConcern { None, GatesNothing, NearNatural, IsOne };
[[nodiscard]] KConcern concernOf(int k, int natural, int chains);

}  // namespace memplan::torchwright

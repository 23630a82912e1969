// SPDX-License-Identifier: GPL-3.0-or-later
// How many parallel chains to run at a time (torchwright.md 12, 17): the clusters of a plan, the conditions under which
// a limit helps, and what a search over K found. A search compiles; everything else is a function of its result.
#pragma once

#include "engine/target/compile.h"
#include "engine/torchwright/scope/in_flight.h"
#include "engine/torchwright/trial/k_search.h"
#include "widgets/views/stream/data/stream_report.h"

namespace memplan::ui {

/// Parallel chains that meet in one Concatenate.
struct ChainCluster {
    std::int64_t join = 0;  ///< number of the node
    QString title;          ///< "24 chains into node 223"
    QString annotation;     ///< under which all of them end; empty: none
    bool isAlone = true;    ///< no other cluster ends under it: a hint on the annotation means just this one
    std::vector<std::int64_t> terminals;
};
/// Of what was scheduled, also where that failed.
[[nodiscard]] std::vector<ChainCluster> chainClusters(const PlanPtr& plan);
/// Index of the first of them of which all chains end under the annotation; -1: none.
[[nodiscard]] int clusterUnder(const std::vector<ChainCluster>& clusters, const QString& annotation);
/// Scope and value of the hint that lets K chains of the cluster run at a time.
[[nodiscard]] std::pair<QString, QString> concurrencyHint(const ChainCluster& cluster, int k);
/// K of the formula for the cluster into this node: where a sweep begins.
[[nodiscard]] int startK(const PlanPtr& plan, std::int64_t join);

/// What a search found. All figures are of compiles with the document's settings and without its concurrency hints.
struct KStudy {
    std::int64_t join = 0;
    bool isBaseOk = false;
    int baseLayers = 0;                        ///< without a hint; completed ones where that fails
    std::vector<torchwright::KOutcome> tried;  ///< by rising K
    std::optional<torchwright::KOutcome> best;
    int natural = 0;  ///< chains in flight without a hint
    torchwright::ScopeConditions conditions;
    int start = 1;  ///< K of the formula
};
/// Nothing where the search was cancelled or the cluster is not in the graph any more.
[[nodiscard]] std::optional<KStudy> studyK(CompileRequest request, std::int64_t join, const RunControl& control);

[[nodiscard]] ChartData kChart(const KStudy& study);
[[nodiscard]] QString kSentence(const KStudy& study);
/// The three conditions with figures; the value begins with a tick or a cross.
[[nodiscard]] std::vector<StreamFact> kConditions(const KStudy& study);

}  // namespace memplan::ui

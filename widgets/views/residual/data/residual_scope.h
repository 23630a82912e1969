// SPDX-License-Identifier: GPL-3.0-or-later
// Plateaus, the cluster of parallel chains behind each, and whether a concurrency hint is worth offering there
// (user-experience 9.3; torchwright.md 12, 14).
#pragma once

#include "engine/torchwright/scope/in_flight.h"
#include "engine/torchwright/trial/k_search.h"
#include "widgets/views/residual/data/residual_data.h"

#include <optional>

namespace memplan::ui {

struct ResidualPlateau {
    int first = 0, last = 0;  ///< layers, both included
    double meanColumns = 0;   ///< occupied
    double opsInside = 0, opsOutside = 0;
    QString dominating;  ///< annotation with the most columns
    double share = 0;    ///< its share of the occupied columns
    int cluster = -1;    ///< of the record: the parallel chains that hold most of it; -1: there are none
    std::optional<torchwright::ScopeConditions> conditions;  ///< of that cluster

    [[nodiscard]] int size() const { return last - first + 1; }
    /// A hint is offered here.
    [[nodiscard]] bool isOffered() const { return conditions && conditions->allHold(); }
};

[[nodiscard]] std::vector<ResidualPlateau> plateausOf(const ResidualData& data);

/// The cluster as the engine takes it; index into the record.
[[nodiscard]] torchwright::Cluster clusterOf(const ResidualData& data, int cluster);
/// K of a concurrency hint that is in force in the plan; nullopt without one.
[[nodiscard]] std::optional<int> scopeInForce(const Plan& plan);
/// The value of a hint `concurrency` on the graph that limits this cluster.
[[nodiscard]] QString scopeJson(const ResidualData& data, int cluster, int k);

/// One condition as a line: what holds or not, in figures.
struct ConditionLine {
    bool holds = false;
    QString text;
};
[[nodiscard]] std::vector<ConditionLine> conditionLines(const ResidualPlateau& plateau, int d);
/// What is so, and what to do: the heading and the sentence of the card beside the plateau. `search`: null while it is
/// under way.
struct ScopeWords {
    QString title, text;
    int k = 1;               ///< to begin with
    bool isOffered = false;  ///< the hint can be added
};
[[nodiscard]] ScopeWords scopeWords(const ResidualData& data, const ResidualPlateau& plateau,
                                    const torchwright::KSearch* search);

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// What the panels on the residual stream say of a plan (user-experience 9.7 to 9.9; torchwright.md 6, 14): parameter
// tiers, annotations, paths, bindings. Pure functions of the plan; nothing for a plan of another machine.
#pragma once

#include "engine/plan/torchwright_data.h"
#include "widgets/canvas/chart/chart_data.h"
#include "widgets/plan/item_id.h"

#include <QString>

#include <optional>
#include <vector>

namespace memplan::ui {

/// The record of a plan that was scheduled; null for any other. A compile that failed has the layers that it completed,
/// and no figures of annotations and paths.
[[nodiscard]] const TorchwrightData* streamDataOf(const PlanPtr& plan);

struct StreamFact {
    QString label, value;
    QString help = {};
};

/// A tier of parameters and its share of the total capacity.
struct TierLine {
    QString name;
    std::int64_t parameters = 0;
    double ofCapacity = 0;
    QString help;
};
[[nodiscard]] std::vector<TierLine> tierLines(const PlanPtr& plan);
/// Density, utilisation, cancel share, exchange rate, head width used.
[[nodiscard]] std::vector<StreamFact> tierFacts(const PlanPtr& plan);
[[nodiscard]] ChartData tierChart(const PlanPtr& plan);
/// Layers by how full the stream is after them, in steps of a tenth of d.
[[nodiscard]] ChartData occupancyChart(const PlanPtr& plan);

/// A row of the annotation table; with `parts` the sum of annotations that begin alike.
struct AnnotationLine {
    QString annotation;
    int nodes = 0;
    std::int64_t neurons = 0, heads = 0, slotCount = 0, graphParams = 0, allocated = 0, estimate = 0;
    int first = -1, last = -1, distinct = 0;  ///< layers in which its nodes were computed; -1 = none
    QString spanOutcome = {};                 ///< "bound by depth"; empty for a sum
    double share = 0;                         ///< of the allocated parameters
    double plateauColumns = 0;                ///< mean over the layers of all plateaus
    std::optional<int> reach = {};            ///< none for a sum: reaches do not add up
    std::vector<ItemId> items = {};           ///< its nodes
    std::vector<AnnotationLine> parts = {};

    [[nodiscard]] double density() const;
    [[nodiscard]] QString layersText() const;  ///< "3-26 (24)"
    /// Names of nodes; the heads that clear columns and nodes without an annotation have none.
    [[nodiscard]] bool isNamed() const;
};
[[nodiscard]] std::vector<AnnotationLine> annotationLines(const PlanPtr& plan);
[[nodiscard]] AnnotationLine annotationSum(const std::vector<AnnotationLine>& lines);
/// Numbers of the nodes under the annotation that something outside reads, or that are outputs: what it computes.
[[nodiscard]] std::vector<std::int64_t> resultsOf(const PlanPtr& plan, const QString& annotation);

[[nodiscard]] std::vector<StreamFact> pathFacts(const PlanPtr& plan);
struct RunLine {
    QString annotation;
    int realOps = 0, reach = 0, start = 0;
    std::vector<ItemId> items;
};
/// Stretches of one annotation on the example path, longest first.
[[nodiscard]] std::vector<RunLine> runLines(const PlanPtr& plan);
[[nodiscard]] ChartData bindingChart(const PlanPtr& plan);

}  // namespace memplan::ui

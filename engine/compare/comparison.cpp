// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/comparison.h"

#include <algorithm>

namespace memplan::compare {

bool Comparison::areEqual() const {
    return changes.empty() && std::all_of(metrics.begin(), metrics.end(), [](const MetricRow& row) {
               return row.outcome == Outcome::Same || row.key == "compile_seconds";
           });
}

Comparison comparePlans(const Plan& a, const Plan& b) {
    Comparison c;
    c.match = matchPlans(a, b);
    c.changes = planChanges(a, b, c.match);
    c.metrics = metricRows(a, b);
    for (const Change& change : c.changes)
        ++c.counts[static_cast<std::size_t>(change.kind)];
    c.outcome = outcomeSentence(c.metrics, c.areEqual(), "B");
    return c;
}

}  // namespace memplan::compare

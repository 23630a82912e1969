// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/comparison.h"

#include "engine/base/text.h"

#include <algorithm>

namespace memplan::compare {

bool Comparison::areEqual() const {
    return changes.empty() && std::all_of(metrics.begin(), metrics.end(), [](const MetricRow& row) {
               return row.outcome == Outcome::Same || row.key == "compile_seconds";
           });
}

namespace {

std::string machineText(const Plan& plan) {
    if (plan.machine.isBuiltIn()) return plan.target;
    return plan.target + (plan.machine.name.empty() ? " with other figures" : " " + text::quoted(plan.machine.name));
}

/// A hash that is not stated says nothing.
std::string unlikeText(const Plan& a, const Plan& b) {
    std::vector<std::string> parts;
    const auto add = [&parts](const char* what, const std::string& ofA, const std::string& ofB) {
        parts.push_back(std::string("different ") + what + (ofA == ofB ? "" : " (" + ofA + ", " + ofB + ")"));
    };
    const bool areHashed = !a.input.sha256.empty() && !b.input.sha256.empty();
    const auto ofInputs = a.input.name == b.input.name ? &PlanInput::path : &PlanInput::name;
    if (areHashed && a.input.sha256 != b.input.sha256)
        add("inputs", text::escaped(a.input.*ofInputs), text::escaped(b.input.*ofInputs));
    if (a.target != b.target || a.machine != b.machine)
        add("machines", text::escaped(machineText(a)), text::escaped(machineText(b)));
    return parts.empty() ? "" : "A and B are plans of " + text::join(parts, " for ") + ".";
}

/// What two machines count is not alike: nothing of it is better or worse.
void withoutWinner(Comparison& c) {
    for (MetricRow& row : c.metrics)
        if (row.outcome != Outcome::Same) row.outcome = Outcome::Other;
    c.outcome = "Plans of two machines: their figures stand side by side, and none is better or worse.";
}

}  // namespace

Comparison comparePlans(const Plan& a, const Plan& b) {
    Comparison c;
    c.match = matchPlans(a, b);
    c.changes = planChanges(a, b, c.match);
    c.metrics = metricRows(a, b);
    for (const Change& change : c.changes)
        ++c.counts[static_cast<std::size_t>(change.kind)];
    c.outcome = outcomeSentence(c.metrics, c.areEqual(), "B");
    c.unlike = unlikeText(a, b);
    if (a.target != b.target) withoutWinner(c);
    return c;
}

}  // namespace memplan::compare

// SPDX-License-Identifier: Apache-2.0
#include "engine/advice/fixes.h"

#include <algorithm>

namespace memplan::advice {
namespace {

Bytes onChipOf(const Plan& plan) {
    Bytes sum = 0;
    for (const PlanBuffer& b : plan.buffers)
        sum += isOnChip(b.space) ? b.size : 0;
    return sum;
}

}  // namespace

bool isOnChipIn(const Plan& plan, const PlanBuffer& wanted) {
    for (const PlanBuffer& b : plan.buffers) {
        const bool same = wanted.graphTensor.isValid() ? b.graphTensor == wanted.graphTensor : b.name == wanted.name;
        if (same && isOnChip(b.space)) return true;
        if (!b.cloneOf.isValid() || !isOnChip(b.space)) continue;
        const PlanBuffer& source = plan.buffer(b.cloneOf);
        const bool cloned =
            wanted.graphTensor.isValid() ? source.graphTensor == wanted.graphTensor : source.name == wanted.name;
        if (cloned) return true;
    }
    return false;
}

std::vector<Change> candidateChanges(const Plan& plan, BufferId buffer) {
    const Target* target = findTarget(plan.target);
    return target != nullptr ? target->changes(plan, buffer) : std::vector<Change>{};
}

CompileRequest applied(CompileRequest request, const Change& change) {
    for (const std::size_t i : change.hintsOff) {
        if (i < request.hints.size()) request.hints[i].enabled = false;
    }
    for (const Hint& h : change.hints)
        request.hints.push_back(h);
    // Values of the table's own range: setting them cannot fail.
    for (const auto& [key, value] : change.settings)
        (void)request.settings.set(key, value);
    return request;
}

Result<FixReport> findFixes(const CompileRequest& request, const Plan& plan, BufferId buffer, const FixOptions& options,
                            const RunControl& control) {
    FixReport report;
    const std::optional<Evidence> evidence = evidenceFor(plan, buffer);
    if (!evidence) return report;
    report.evidence = *evidence;
    // An input whose clone is on chip: every change would seem to work and none would bring anything.
    if (isOnChipIn(plan, plan.buffer(buffer))) return report;
    const std::vector<Change> candidates = candidateChanges(plan, buffer);
    const auto total =
        std::min<std::size_t>(candidates.size(), static_cast<std::size_t>(std::max(0, options.maxTrials)));
    RunControl quiet = control;
    quiet.onProgress = nullptr;
    std::vector<Fix> costly;
    for (std::size_t i = 0; i < total; ++i) {
        if (control.cancelled()) return makeError(kCancelledCode, "", "cancelled");
        if (control.timedOut() || static_cast<int>(report.fixes.size()) >= options.enough) break;
        control.progress("trying", static_cast<double>(i), static_cast<double>(total));
        CompileRequest trial = applied(request, candidates[i]);
        trial.stopAfter.clear();
        trial.recordTimes = false;
        trial.keepSnapshotTexts = false;
        const CompileOutcome outcome = compile(trial, quiet);
        ++report.tried;
        if (control.cancelled()) return makeError(kCancelledCode, "", "cancelled");
        if (!outcome.plan || !isOnChipIn(*outcome.plan, plan.buffer(buffer))) continue;
        Fix fix{candidates[i],
                onChipOf(plan),
                onChipOf(*outcome.plan),
                plan.metrics.traffic(),
                outcome.plan->metrics.traffic(),
                outcome.plan};
        (fix.pays() ? report.fixes : costly).push_back(std::move(fix));
    }
    report.untried = static_cast<int>(candidates.size()) - report.tried;
    report.fixes.insert(report.fixes.end(), costly.begin(), costly.end());
    control.progress("trying", static_cast<double>(total), static_cast<double>(total));
    return report;
}

}  // namespace memplan::advice

// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/gantt/gantt_metrics.h"

#include "widgets/plan/plan_look.h"
#include "widgets/views/gantt/look/gantt_look.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace memplan::ui {

namespace {

/// Graph inputs and parameters count only when a plan could have kept them on chip.
bool counts(const PlanBuffer& b, const std::optional<StepRange>& range) {
    return b.life.end > b.life.begin && (!range || range->overlaps(b.life));
}

Bytes sumTraffic(const GanttData& d, const std::optional<StepRange>& range) {
    if (!range) return d.plan->metrics.traffic();
    Bytes sum = 0;
    for (Step s = range->begin; s < std::min<Step>(range->end, static_cast<Step>(d.plan->ops.size())); ++s) {
        const PlanOp& op = d.plan->ops[static_cast<std::size_t>(s)];
        sum += op.traffic();
    }
    return sum;
}

Bytes boundOf(const GanttData& d, StepRange steps) {
    const auto& bounds = d.plan->memory.boundPerStep;
    if (bounds.empty()) return d.plan->metrics.peakLowerBound;
    Bytes best = 0;
    for (Step s = steps.begin; s < steps.end && static_cast<std::size_t>(s) < bounds.size(); ++s)
        best = std::max(best, bounds[static_cast<std::size_t>(s)]);
    return best;
}

}  // namespace

Resident residentBytes(const Plan& plan, std::optional<StepRange> range) {
    Resident sum;
    for (const PlanBuffer& b : plan.buffers) {
        if (!counts(b, range)) continue;
        sum.all += b.size;
        if (isOnChip(b.space)) sum.onChip += b.size;
    }
    return sum;
}

GanttMetrics ganttMetrics(const GanttData& d, std::optional<StepRange> range, std::optional<Step> cursor) {
    GanttMetrics m;
    if (!d.plan || d.steps == 0) return m;
    for (const PlanBuffer& b : d.plan->buffers) {
        if (!counts(b, range)) continue;
        ++m.total;
        m.onChip += isOnChip(b.space) ? 1 : 0;
    }
    m.resident = residentBytes(*d.plan, range);
    m.traffic = sumTraffic(d, range);
    const StepRange steps = range.value_or(StepRange{0, d.steps});
    double occupancy = 0;
    for (Step s = steps.begin; s < steps.end; ++s) {
        occupancy += static_cast<double>(d.useAt(s).live);
        m.peak.add(s, d.useAt(s));
    }
    m.meanOccupancy =
        occupancy / std::max(1, steps.end - steps.begin) / static_cast<double>(std::max<Bytes>(1, d.usable));
    if (cursor) m.fragmentationNow = d.useAt(*cursor).fragmentation();
    m.lowerBound = boundOf(d, steps);
    return m;
}

int SizeBucket::total() const {
    return std::accumulate(counts.begin(), counts.end(), 0);
}

std::vector<SizeBucket> sizeHistogram(const GanttData& d, std::optional<StepRange> range) {
    std::map<int, SizeBucket> found;
    if (!d.plan) return {};
    for (const PlanBuffer& b : d.plan->buffers) {
        if (!counts(b, range)) continue;
        SizeBucket& bucket = found[sizeBucket(b.sizePerCore)];
        ++bucket.counts[static_cast<std::size_t>(residencyOf(b))];
    }
    std::vector<SizeBucket> result;
    if (found.empty()) return result;
    for (int log2 = found.begin()->first; log2 <= found.rbegin()->first; ++log2) {
        SizeBucket bucket = found[log2];
        bucket.log2 = log2;
        result.push_back(bucket);
    }
    return result;
}

}  // namespace memplan::ui

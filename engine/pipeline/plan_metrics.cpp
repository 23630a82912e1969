// SPDX-License-Identifier: Apache-2.0
#include "engine/pipeline/plan_metrics.h"

#include "engine/plan/memory_use.h"

#include <algorithm>

namespace memplan {
namespace {

void fillUtilisation(Plan& plan, std::int64_t cores) {
    const auto available = static_cast<double>(cores);
    double work = 0;
    double weighted = 0;
    for (const PlanOp& op : plan.ops) {
        if (op.iterationSpace.empty() || op.kind == "extern" || op.kind == "constant") continue;
        double extent = 1;
        for (const IterationDim& d : op.iterationSpace)
            extent *= static_cast<double>(d.extent);
        const double share = static_cast<double>(op.cores) / available;
        work += extent;
        weighted += extent * share;
        plan.metrics.opsBelowHalf += share < 0.5 ? 1 : 0;
    }
    plan.metrics.coreUtilisation = work > 0 ? weighted / work : 0;
}

void fillShares(Plan& plan) {
    double deviceElements = 0;
    double hostElements = 0;
    double moved = 0;
    for (const PlanBuffer& b : plan.buffers) {
        if (!b.layout) continue;
        double device = 1;
        for (const std::int64_t extent : b.layout->deviceSize)
            device *= static_cast<double>(extent);
        double host = 1;
        for (const std::int64_t extent : b.shape)
            host *= static_cast<double>(extent);
        deviceElements += device;
        hostElements += host;
        const bool restickified = b.producer.isValid() && plan.op(b.producer).kind == "restickify";
        moved += restickified ? device : 0;
    }
    if (deviceElements <= 0) return;
    plan.metrics.restickifyShare = moved / deviceElements;
    plan.metrics.paddingShare = std::max(0.0, 1.0 - hostElements / deviceElements);
}

}  // namespace

void fillOccupancy(Plan& plan) {
    plan.memory.occupancy.clear();
    PeakUse peak;
    const std::vector<MemoryUse> use =
        usePerStep(usedBlocks(plan), static_cast<Step>(plan.ops.size()), plan.memory.capacity);
    for (std::size_t s = 0; s < use.size(); ++s) {
        plan.memory.occupancy.push_back({static_cast<Step>(s), use[s].live});
        peak.add(static_cast<Step>(s), use[s]);
    }
    plan.memory.livePeak = peak.live;
    plan.memory.livePeakStep = peak.liveStep;
    plan.memory.peak = peak.top;
    plan.metrics.fragmentationMax = peak.fragmentation;
}

void fillMetrics(Plan& plan, const MetricLimits& limits) {
    PlanMetrics& m = plan.metrics;
    for (const PlanOp& op : plan.ops) {
        m.mainMemoryReadBytes += op.offChipRead;
        m.mainMemoryWriteBytes += op.offChipWrite;
        m.opsOverSpan += op.maxSpan > limits.spanLimit ? 1 : 0;
    }
    for (const PlanBuffer& b : plan.buffers) {
        ++m.buffersTotal;
        if (isOnChip(b.space)) {
            ++m.buffersOnChip;
            m.pinnedBytes += b.sizePerCore;
        } else {
            m.unpinnedBytes += b.size;
            m.mismatches += b.reason && b.reason->code == ReasonCode::CoreDivMismatch ? 1 : 0;
        }
    }
    m.provedOptimal = m.pinnedBytes == m.upperBoundBytes;
    fillUtilisation(plan, limits.cores);
    fillShares(plan);
}

}  // namespace memplan

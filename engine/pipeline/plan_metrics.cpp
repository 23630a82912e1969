// SPDX-License-Identifier: Apache-2.0
#include "engine/pipeline/plan_metrics.h"

#include <algorithm>
#include <map>
#include <utility>

namespace memplan {
namespace {

using Block = std::pair<Address, Address>;

/// On-chip blocks live at each step.
std::vector<std::vector<Block>> blocksPerStep(const Plan& plan) {
    std::vector<std::vector<Block>> blocks(plan.ops.size());
    for (const PlanBuffer& b : plan.buffers) {
        if (!isOnChip(b.space) || !b.address) continue;
        for (Step s = b.life.begin; s < b.life.end; ++s) {
            blocks[static_cast<std::size_t>(s)].emplace_back(*b.address, *b.address + b.sizePerCore);
        }
    }
    for (auto& list : blocks)
        std::sort(list.begin(), list.end());
    return blocks;
}

struct Free {
    Bytes total = 0;
    Bytes largest = 0;
};

Free freeBelow(Bytes capacity, const std::vector<Block>& sorted) {
    Free free;
    Address top = 0;
    const auto gap = [&](Address end) {
        free.total += std::max<Bytes>(0, end - top);
        free.largest = std::max(free.largest, end - top);
    };
    for (const auto& [begin, end] : sorted) {
        if (begin > top) gap(begin);
        top = std::max(top, end);
    }
    if (capacity > top) gap(capacity);
    return free;
}

double fragmentation(const Free& free) {
    if (free.total <= 0) return 0;
    return 1.0 - static_cast<double>(free.largest) / static_cast<double>(free.total);
}

/// Bytes covered at a step: an in-place pair at its hand-over step shares its bytes.
Bytes covered(const std::vector<Block>& sorted) {
    Bytes sum = 0;
    Address top = 0;
    for (const auto& [begin, end] : sorted) {
        sum += std::max<Bytes>(0, end - std::max(begin, top));
        top = std::max(top, end);
    }
    return sum;
}

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
    const auto blocks = blocksPerStep(plan);
    plan.memory.occupancy.clear();
    for (std::size_t s = 0; s < blocks.size(); ++s) {
        const Bytes live = covered(blocks[s]);
        plan.memory.occupancy.push_back({static_cast<Step>(s), live});
        if (live > plan.memory.livePeak) {
            plan.memory.livePeak = live;
            plan.memory.livePeakStep = static_cast<Step>(s);
        }
        if (!blocks[s].empty()) {
            const auto top = std::max_element(blocks[s].begin(), blocks[s].end(),
                                              [](const Block& a, const Block& b) { return a.second < b.second; });
            plan.memory.peak = std::max(plan.memory.peak, top->second);
            plan.metrics.fragmentationMax =
                std::max(plan.metrics.fragmentationMax, fragmentation(freeBelow(plan.memory.capacity, blocks[s])));
        }
    }
}

double fragmentationAt(const Plan& plan, Step step) {
    std::vector<Block> blocks;
    for (const PlanBuffer& b : plan.buffers) {
        if (isOnChip(b.space) && b.address && b.life.contains(step))
            blocks.emplace_back(*b.address, *b.address + b.sizePerCore);
    }
    std::sort(blocks.begin(), blocks.end());
    return fragmentation(freeBelow(plan.memory.capacity, blocks));
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

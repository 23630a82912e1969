// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/ttnn/goal_figures.h"

#include "engine/verify/own_figures.h"
#include "engine/verify/ttnn/layouts.h"

#include <algorithm>

namespace memplan::verify::ttnn {
namespace {

bool isConversion(const TtnnOp& op) {
    return op.conversion != TtnnConversion::None;
}

bool isReshard(TtnnConversion kind) {
    return kind == TtnnConversion::Forced || kind == TtnnConversion::Override || kind == TtnnConversion::Proactive;
}

/// Whether the last operation that reads the value, through conversions, finds it in L1. Conversions and the return are
/// no readers. Of an operation that reads it twice the last operand counts.
struct LastRead {
    OpId reader;
    std::ptrdiff_t operand = -1;
    bool isInL1 = false;
};

LastRead lastRead(const Plan& plan, const Values& values, BufferId value) {
    const TtnnData& data = ttnnData(plan);
    LastRead last;
    std::vector<BufferId> open{value};
    while (!open.empty()) {
        const BufferId at = open.back();
        open.pop_back();
        for (const OpId reader : values.of(at).readers) {
            const TtnnOp& op = data.ops[reader.at()];
            if (isConversion(op)) {
                open.push_back(op.results.front().buffer);
                continue;
            }
            if (last.reader.isValid() && reader < last.reader) continue;
            const auto it = std::ranges::find(op.operands.rbegin(), op.operands.rend(), at, &TtnnTensor::buffer);
            const std::ptrdiff_t operand = op.operands.rend() - it;
            if (reader == last.reader && operand < last.operand) continue;
            last = {reader, operand, it->layout.isInL1()};
        }
    }
    return last;
}

TtnnGoals goalsOf(const Plan& plan, const Values& values) {
    const TtnnData& data = ttnnData(plan);
    TtnnGoals g;
    double busy = 0, time = 0, cores = 0;
    for (std::size_t i = 0; i < data.ops.size(); ++i) {
        const TtnnOp& op = data.ops[i];
        g.estimatedNs += op.ns;
        g.dramBytes += op.dramRead + op.dramWritten;
        g.validatedOps += op.status == "Success" && !isConversion(op) ? 1 : 0;
        g.unmodelledOps += op.status == "NotImplemented" && !isConversion(op) ? 1 : 0;
        if (isConversion(op)) {
            g.conversionNs += op.ns;
            g.forcedReshards += op.conversion == TtnnConversion::Forced ? 1 : 0;
            g.overrideReshards += op.conversion == TtnnConversion::Override ? 1 : 0;
            g.proactiveReshards += op.conversion == TtnnConversion::Proactive ? 1 : 0;
            g.spills += op.conversion == TtnnConversion::SpillToDram ? 1 : 0;
            const TtnnTensor& moved = op.results.front();
            if (isReshard(op.conversion)) g.reshardBytes += deviceBytes(moved.layout, plan.buffer(moved.buffer).shape);
            continue;
        }
        if (op.results.empty()) continue;
        ++g.tensorOps;
        g.shardedOps += op.results.front().layout.isL1Sharded() ? 1 : 0;
        for (const TtnnTensor& result : op.results) {
            const LastRead last = lastRead(plan, values, result.buffer);
            if (!last.reader.isValid()) continue;
            const Bytes bytes = deviceBytes(result.layout, plan.buffer(result.buffer).shape);
            g.readBytes += bytes;
            g.residentBytes += last.isInL1 ? bytes : 0;
        }
        const auto used = static_cast<double>(plan.ops[i].cores);
        busy += op.ns * used;
        time += op.ns;
        cores += used;
    }
    const auto workers = static_cast<double>(data.device.workers.volume());
    g.coreUtilisation = time > 0 ? busy / (time * workers) : 0;
    g.meanCores = g.tensorOps > 0 ? cores / static_cast<double>(g.tensorOps) : 0;
    for (const memplan::ttnn::ChainInfo& chain : data.record.chains)
        g.coreUsageSum += chain.state == memplan::ttnn::ChainState::Completed ? chain.coreUsage : 0;
    return g;
}

double share(std::int64_t part, std::int64_t whole) {
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

std::vector<std::pair<std::string, double>> ownFigures(const TtnnGoals& g) {
    const auto whole = [](std::int64_t n) { return static_cast<double>(n); };
    const std::int64_t reshards = g.forcedReshards + g.overrideReshards + g.proactiveReshards;
    return {{"l1_residency_share", share(g.residentBytes, g.readBytes)},
            {"sharded_share", share(g.shardedOps, g.tensorOps)},
            {"sharded_ops", whole(g.shardedOps)},
            {"dram_bytes", whole(g.dramBytes)},
            {"reshards", whole(reshards)},
            {"reshard_bytes", whole(g.reshardBytes)},
            {"forced_reshards", whole(g.forcedReshards)},
            {"override_reshards", whole(g.overrideReshards)},
            {"proactive_reshards", whole(g.proactiveReshards)},
            {"spills", whole(g.spills)},
            {"mean_cores", g.meanCores},
            {"validated_ops", whole(g.validatedOps)},
            {"unmodelled_ops", whole(g.unmodelledOps)}};
}

/// The figures that every machine has; those that mean nothing here are zero.
void checkMetrics(const Plan& plan, Report& report) {
    const PlanMetrics& m = plan.metrics;
    const auto whole = [&](const char* key, std::int64_t stated, std::int64_t real) {
        report.expect(std::string("metrics ") + key, stated, real);
    };
    std::int64_t onChip = 0, half = 0, mismatches = 0;
    Bytes pinned = 0, unpinned = 0, read = 0, written = 0;
    for (const PlanBuffer& b : plan.buffers) {
        onChip += isOnChip(b.space) ? 1 : 0;
        (isOnChip(b.space) ? pinned : unpinned) += isOnChip(b.space) ? b.sizePerCore : b.size;
        mismatches += b.reason && b.reason->code == ReasonCode::CoreDivMismatch ? 1 : 0;
    }
    const TtnnData& data = ttnnData(plan);
    for (std::size_t i = 0; i < plan.ops.size(); ++i) {
        half += plan.ops[i].addedBy.empty() && plan.ops[i].cores < data.device.workers.volume() / 2 ? 1 : 0;
        read += data.ops[i].dramRead;
        written += data.ops[i].dramWritten;
    }
    whole("buffers_total", m.buffersTotal, static_cast<std::int64_t>(plan.buffers.size()));
    whole("buffers_on_chip", m.buffersOnChip, onChip);
    whole("pinned_bytes", m.pinnedBytes, pinned);
    whole("unpinned_bytes", m.unpinnedBytes, unpinned);
    whole("mismatches", m.mismatches, mismatches);
    whole("ops_below_half", m.opsBelowHalf, half);
    whole("main_memory_read_bytes", m.mainMemoryReadBytes, read);
    whole("main_memory_write_bytes", m.mainMemoryWriteBytes, written);
    whole("main_memory_elements", m.mainMemoryElements, 0);
    whole("ops_over_span", m.opsOverSpan, 0);
    whole("upper_bound_bytes", m.upperBoundBytes, 0);
    whole("peak_lower_bound", m.peakLowerBound, 0);
    whole("spill_lower_bound", m.spillLowerBound, 0);
    report.expect("metrics fragmentation_max", m.fragmentationMax, 0.0);
    report.expect("metrics restickify_share", m.restickifyShare, 0.0);
    report.expect("metrics padding_share", m.paddingShare, 0.0);
    if (m.provedOptimal) report.add("VER-013", "metrics proved_optimal", "nothing proves it on this target");
}

}  // namespace

void checkGoals(const Plan& plan, const Values& values, Report& report) {
    const TtnnGoals& stated = ttnnData(plan).goals;
    const TtnnGoals real = goalsOf(plan, values);
    report.expect("totals resident_bytes", stated.residentBytes, real.residentBytes);
    report.expect("totals read_bytes", stated.readBytes, real.readBytes);
    report.expect("totals dram_bytes", stated.dramBytes, real.dramBytes);
    report.expect("totals sharded_ops", stated.shardedOps, real.shardedOps);
    report.expect("totals tensor_ops", stated.tensorOps, real.tensorOps);
    report.expect("totals forced_reshards", stated.forcedReshards, real.forcedReshards);
    report.expect("totals override_reshards", stated.overrideReshards, real.overrideReshards);
    report.expect("totals proactive_reshards", stated.proactiveReshards, real.proactiveReshards);
    report.expect("totals reshard_bytes", stated.reshardBytes, real.reshardBytes);
    report.expect("totals spills", stated.spills, real.spills);
    report.expect("totals core_utilisation", stated.coreUtilisation, real.coreUtilisation);
    report.expect("totals mean_cores", stated.meanCores, real.meanCores);
    report.expect("totals core_usage_sum", stated.coreUsageSum, real.coreUsageSum);
    report.expect("totals validated_ops", stated.validatedOps, real.validatedOps);
    report.expect("totals unmodelled_ops", stated.unmodelledOps, real.unmodelledOps);
    report.expect("totals estimated_ns", stated.estimatedNs, real.estimatedNs);
    report.expect("totals conversion_ns", stated.conversionNs, real.conversionNs);
    if (stated.lowerBoundNs && *stated.lowerBoundNs > stated.estimatedNs * (1 + 1e-9))
        report.add("VER-013", "totals lower_bound_ns", "the bound lies above the plan's own estimate");
    checkMetrics(plan, report);
    const PlanMetrics& m = plan.metrics;
    report.expect("metrics main_memory_bytes", m.traffic(), real.dramBytes);
    report.expect("metrics core_utilisation", m.coreUtilisation, real.coreUtilisation);
    if (!m.estimatedMicroseconds) return;
    report.expect("metrics estimated_microseconds", *m.estimatedMicroseconds, real.estimatedNs / 1000);
    checkOwnFigures(m, ownFigures(real), report);
}

}  // namespace memplan::verify::ttnn

// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/reading/reading.h"

#include "engine/base/numeric.h"
#include "engine/plan/spyre_data.h"

#include <algorithm>

namespace memplan::verify {

PlanReading::PlanReading(const Plan& p) : plan(p), loops(p), uses_(p.buffers.size()) {
    for (std::size_t i = 0; i < plan.ops.size(); ++i) {
        for (const BufferId in : plan.ops[i].inputs)
            note(in, OpId::of(i)).reads = true;
        for (const BufferId out : plan.ops[i].outputs)
            note(out, OpId::of(i)).writes = true;
    }
    lives_.reserve(plan.buffers.size());
    for (std::size_t i = 0; i < plan.buffers.size(); ++i)
        lives_.push_back(lifeOf(BufferId::of(i)));
}

Use& PlanReading::note(BufferId buffer, OpId op) {
    std::vector<Use>& list = uses_[buffer.at()];
    if (list.empty() || list.back().op != op) list.push_back({op, false, false});
    return list.back();
}

OpId PlanReading::writer(BufferId id) const {
    for (const Use& use : uses_[id.at()]) {
        if (use.writes && !LoopReading::isAllocation(plan.op(use.op))) return use.op;
    }
    return {};
}

StepRange PlanReading::lifeOf(BufferId id) const {
    const std::vector<Use>& uses = uses_[id.at()];
    if (uses.empty()) return {};
    StepRange range{uses.front().op.index, uses.back().op.index + 1};
    const OpId written = writer(id);
    for (const Use& use : uses) {
        if (!use.reads || plan.op(use.op).loopPath.empty()) continue;
        // Without accesses nothing says whether it moves with the loop: the stated life is taken.
        if (plan.op(use.op).accesses.empty()) range.end = std::max(range.end, plan.buffer(id).life.end);
        for (const PlanAccess& a : plan.op(use.op).accesses) {
            if (a.buffer != id || a.isWrite || loops.advances(use.op, a)) continue;
            range.end = std::max(range.end, loops.endOfLoopWithout(use.op, written));
        }
    }
    return range;
}

bool PlanReading::statesAccesses(const PlanOp& op) {
    return !op.accesses.empty() || (op.inputs.empty() && op.outputs.empty());
}

bool isPlannedHere(const Plan& plan) {
    return plan.target == "spyre" && plan.solver != "imported" && !plan.ops.empty();
}

bool isComputed(const PlanOp& op) {
    return op.kind != "extern" && op.kind != "constant";
}

std::int64_t elementsOf(const std::vector<std::int64_t>& shape) {
    std::int64_t elements = 1;
    for (const std::int64_t extent : shape)
        elements = saturatedMul(elements, std::max<std::int64_t>(extent, 0));
    return elements;
}

std::vector<std::int64_t> wholeExtents(const Plan& plan, OpId id) {
    const PlanOp& op = plan.op(id);
    std::vector<std::int64_t> extents;
    extents.reserve(op.iterationSpace.size());
    for (const IterationDim& d : op.iterationSpace)
        extents.push_back(d.extent);
    if (id.at() >= spyreData(plan).ops.size()) return extents;
    const auto& levels = spyreData(plan).ops[id.at()].tiledLoops;
    for (std::size_t level = 0; level < levels.size() && level < op.loopCounts.size(); ++level) {
        for (const int v : levels[level]) {
            const auto at = static_cast<std::size_t>(v);
            if (v >= 0 && at < extents.size()) extents[at] = saturatedMul(extents[at], op.loopCounts[level]);
        }
    }
    return extents;
}

}  // namespace memplan::verify

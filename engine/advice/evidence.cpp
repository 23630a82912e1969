// SPDX-License-Identifier: Apache-2.0
#include "engine/advice/fixes.h"
#include "engine/base/text.h"
#include "engine/plan/loop_words.h"
#include "engine/plan/room.h"

#include <algorithm>

namespace memplan::advice {
namespace {

/// In the words of the buffer, as the sentence of its reason has them.
std::string splitText(const Plan& plan, OpId id, BufferId buffer) {
    const PlanOp& op = plan.op(id);
    std::vector<std::string> parts;
    for (std::size_t v = 0; v < op.iterationSpace.size(); ++v) {
        const IterationDim& d = op.iterationSpace[v];
        if (d.slices <= 1) continue;
        parts.push_back(loopName(plan, id, v, buffer) + " (" + text::grouped(d.extent) + ") / " +
                        std::to_string(d.slices) + (d.isReduction ? " (reduced)" : ""));
    }
    return parts.empty() ? std::string("one piece") : text::join(parts, ", ");
}

bool touches(const PlanOp& op, BufferId buffer, bool writing) {
    const std::vector<BufferId>& list = writing ? op.outputs : op.inputs;
    return std::find(list.begin(), list.end(), buffer) != list.end();
}

void addRoom(const Plan& plan, BufferId id, Evidence& out) {
    const RoomFor room = roomFor(plan, id);
    out.largestGap = room.largestGap;
    for (const BufferId n : room.neighbours) {
        const PlanBuffer& b = plan.buffer(n);
        const bool enough = std::find(room.singleMoves.begin(), room.singleMoves.end(), n) != room.singleMoves.end();
        out.blockers.push_back({n, b.name, b.address.value_or(0), b.sizePerCore, b.life, enough});
    }
    const std::optional<Reason>& reason = plan.buffer(id).reason;
    if (reason && reason->code == ReasonCode::NoRoom) {
        out.tightestGap = reason->largestGap;
        out.tightestStep = reason->gapStep;
    }
}

}  // namespace

std::optional<Evidence> evidenceFor(const Plan& plan, BufferId id) {
    const PlanBuffer& b = plan.buffer(id);
    if (isOnChip(b.space) || !b.reason) return std::nullopt;
    Evidence out;
    out.reason = b.reason->code;
    out.sentence = sentence(*b.reason);
    out.needed = b.sizePerCore;
    out.capacity = plan.memory.capacity;
    for (std::size_t i = 0; i < plan.ops.size(); ++i) {
        const PlanOp& op = plan.ops[i];
        const bool reads = touches(op, id, false);
        const bool writes = touches(op, id, true);
        if (!reads && !writes) continue;
        out.traffic += (reads ? b.size : 0) + (writes ? b.size : 0);
        if (out.reason != ReasonCode::CoreDivMismatch) continue;
        out.divisions.push_back({OpId::of(i), op.name, splitText(plan, OpId::of(i), id), op.cores, writes});
    }
    const bool aboutRoom = out.reason == ReasonCode::NoRoom || out.reason == ReasonCode::GraphInput ||
                           out.reason == ReasonCode::SolverStopped;
    if (aboutRoom) addRoom(plan, id, out);
    return out;
}

}  // namespace memplan::advice

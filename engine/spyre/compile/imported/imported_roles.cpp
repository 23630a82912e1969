// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/compile/imported/imported_roles.h"

#include "engine/plan/spyre_data.h"
#include "engine/spyre/texts/reasons.h"

#include <algorithm>
#include <set>
#include <string>

namespace memplan::spyre {
namespace {

using Names = std::set<std::string>;

/// A source does not say why a tensor is off chip, only that it is.
Reason reasonOf(BufferRole role) {
    Reason r;
    if (role == BufferRole::GraphInput) {
        r.code = ReasonCode::GraphInput;
        r.stated = {say::kArgumentRead};
    } else if (role == BufferRole::GraphOutput) {
        r.code = ReasonCode::GraphOutput;
        r.stated = {say::kArgumentWritten};
    } else {
        r.code = ReasonCode::PlanningOff;
        r.stated = {say::kRecordedOutside};
    }
    return r;
}

BufferRole roleOf(const PlanBuffer& b, const Names& inputs, const Names& outputs, bool knowsInputs) {
    if (inputs.contains(b.name)) return BufferRole::GraphInput;
    if (outputs.contains(b.name)) return BufferRole::GraphOutput;
    // Read first, though the caller does not pass it: what has no kernel made it.
    const bool isMade = !b.uses.empty() && b.producer == b.uses.front();
    if (!isMade) return knowsInputs ? BufferRole::Intermediate : BufferRole::GraphInput;
    const bool isLast = outputs.empty() && b.uses.size() == 1;
    return isLast ? BufferRole::GraphOutput : BufferRole::Intermediate;
}

}  // namespace

void settleRoles(Plan& plan, const bundle::ImportedProgram& source) {
    const Names inputs(source.inputs.begin(), source.inputs.end());
    Names outputs;
    for (const bundle::Returned& tensor : source.outputs)
        outputs.insert(tensor.name);
    for (PlanBuffer& b : plan.buffers) {
        if (!b.uses.empty()) b.life = {b.uses.front().index, b.uses.back().index + 1};
        const bool isArgument = b.space == MemorySpace::Hbm && !b.poolOffset;
        if (isArgument) b.role = roleOf(b, inputs, outputs, source.hasHostPart || !inputs.empty());
        if (b.role == BufferRole::GraphInput) b.producer = {};
        if (b.space == MemorySpace::Hbm) b.reason = reasonOf(b.role);
    }
}

void markBoundaries(Plan& plan) {
    auto& kernels = *editSpyreData(plan).kernels;
    for (std::size_t k = 0; k + 1 < kernels.size(); ++k) {
        if (kernels[k].ops.empty()) continue;
        const Step end = kernels[k].ops.back().index;
        for (std::size_t b = 0; b < plan.buffers.size(); ++b) {
            const PlanBuffer& buffer = plan.buffers[b];
            const bool isAcross = buffer.life.begin <= end && end < buffer.life.end - 1;
            if (isOnChip(buffer.space) && isAcross) kernels[k].liveAcross.push_back(BufferId::of(b));
        }
        kernels[k].nonTerminal = !kernels[k].liveAcross.empty();
    }
}

}  // namespace memplan::spyre

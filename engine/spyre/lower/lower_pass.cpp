// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/lower/index_range.h"
#include "engine/spyre/lower/lower_to_spyre.h"
#include "engine/spyre/pass.h"
#include "engine/spyre/program_edit.h"
#include "engine/spyre/state.h"

#include <algorithm>

namespace memplan::spyre {
namespace {

/// An index that carries from one dimension into another, or runs backwards, would read other elements: what
/// has one runs as a fallback kernel (spyre-layouts-and-work-division, end of chapter 3).
void demoteCarryingOps(Program& program, PassContext& context) {
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        Op& op = program.ops[i];
        if (!op.isComputed()) continue;
        const std::string buffer = notPlain(program, op);
        if (buffer.empty()) continue;
        demote(op,
               makeError("LAY-007", op.name,
                         "its index into \"" + buffer +
                             "\" carries from one dimension into the next, or runs backwards, which no device "
                             "coordinate expresses"),
               context, OpId::of(i));
    }
}

}  // namespace

Result<PassOutcome> lowerGraph(State& state, PassContext& context) {
    state.program = lowerToSpyre(*state.graph);
    demoteCarryingOps(state.program, context);
    PassOutcome outcome{true, {}};
    outcome.counts["ops"] = static_cast<std::int64_t>(state.program.ops.size());
    outcome.counts["extern"] = std::count_if(state.program.ops.begin(), state.program.ops.end(),
                                             [](const Op& op) { return op.kind == OpClass::Extern; });
    if (context.cancelled()) return makeError(kCancelledCode, "", "cancelled");
    return outcome;
}

}  // namespace memplan::spyre

// SPDX-License-Identifier: Apache-2.0
// Passes 2 and 8: dead operations, equal constants (spyre-layouts-and-work-division 6.2, 6.3).
#include "engine/base/text.h"
#include "engine/spyre/layout/coordinates.h"
#include "engine/spyre/passes.h"
#include "engine/spyre/prepare/cleanup.h"
#include "engine/spyre/program_edit.h"
#include "engine/spyre/state.h"
#include "engine/spyre/texts/decisions.h"

namespace memplan::spyre {
namespace {

std::vector<int> numbers(const std::vector<BufferId>& ids) {
    std::vector<int> out;
    for (const BufferId id : ids)
        out.push_back(id.index);
    return out;
}

std::vector<int> outputsOf(const Program& program) {
    std::vector<int> out = numbers(program.outputs);
    for (std::size_t b = 0; b < program.buffers.size(); ++b) {
        if (program.buffers[b].isOutput) out.push_back(static_cast<int>(b));
    }
    return out;
}

/// Fills of more than one element keep their place: in front they would only live longer.
bool isScalarConstant(const Program& program, const Op& op) {
    return op.kind == OpClass::Constant && op.write.buffer.isValid() &&
           program.buffers[op.write.buffer.at()].size.empty();
}

void apply(Program& program, const ConstantPlan& plan, PassContext& context) {
    for (const ConstantRedirect& r : plan.redirects) {
        for (Access& a : program.ops[static_cast<std::size_t>(r.op)].reads) {
            if (a.buffer.index == r.from) a.buffer = BufferId{r.to};
        }
        Decision d;
        d.buffer = BufferId{r.from};
        d.kind = DecisionKind::Constant;
        d.chosen = {say::kReads, program.ops[static_cast<std::size_t>(r.op)].name,
                    program.buffers[static_cast<std::size_t>(r.to)].name};
        d.why = {say::kEqualConstants};
        context.decide(std::move(d));
    }
}

}  // namespace

Result<PassOutcome> removeDeadCode(State& state, PassContext& context) {
    Program& program = state.program;
    std::vector<LivenessOp> ops;
    ops.reserve(program.ops.size());
    for (const Op& op : program.ops) {
        LivenessOp l;
        l.hasSideEffects = op.kind == OpClass::Mutation || (op.kind == OpClass::Extern && op.impure);
        for (const Access& a : op.reads)
            l.reads.push_back(a.buffer.index);
        if (op.write.buffer.isValid()) l.writes.push_back(op.write.buffer.index);
        for (const BufferId b : op.extraWrites)
            l.writes.push_back(b.index);
        ops.push_back(std::move(l));
    }
    const std::vector<bool> live = liveOps(ops, outputsOf(program), static_cast<int>(program.buffers.size()));
    std::int64_t removed = 0;
    ProgramEdit edit(program);
    for (std::size_t i = 0; i < live.size(); ++i) {
        if (live[i]) {
            edit.keep(i);
            continue;
        }
        ++removed;
        Decision d;
        d.buffer = program.ops[i].write.buffer;
        d.kind = DecisionKind::DeadCode;
        d.chosen = {say::kRemoved, program.ops[i].name};
        d.why = {say::kUnreadResult};
        context.decide(std::move(d));
    }
    edit.finish();
    return PassOutcome{removed > 0, {{"ops_removed", removed}}};
}

Result<PassOutcome> promoteConstants(State& state, PassContext& context) {
    Program& program = state.program;
    bool any = false;
    for (const Op& op : program.ops)
        any = any || isScalarConstant(program, op);
    if (!any) return PassOutcome{};
    std::vector<ConstantOp> ops;
    ops.reserve(program.ops.size());
    for (const Op& op : program.ops) {
        ConstantOp c;
        c.writes = op.write.buffer.index;
        if (isScalarConstant(program, op)) {
            c.kind = ConstantOp::Kind::Constant;
            const Buffer& b = program.buffers[op.write.buffer.at()];
            c.key = text::number(op.constantValue.value_or(0)) + "|" + std::string(hostTypeName(b.dtype));
        }
        for (const Access& a : op.reads)
            c.reads.push_back(a.buffer.index);
        ops.push_back(std::move(c));
    }
    Result<ConstantPlan> plan = dedupConstants(ops, outputsOf(program));
    if (!plan) return std::move(plan).error();
    apply(program, plan.value(), context);
    bool moved = false;
    for (std::size_t i = 0; i < plan.value().order.size(); ++i)
        moved = moved || plan.value().order[i] != static_cast<int>(i);
    ProgramEdit edit(program);
    for (const int i : plan.value().order)
        edit.keep(static_cast<std::size_t>(i));
    edit.finish();
    return PassOutcome{moved || !plan.value().removed.empty() || !plan.value().redirects.empty(),
                       {{"constants_removed", static_cast<std::int64_t>(plan.value().removed.size())}}};
}

}  // namespace memplan::spyre

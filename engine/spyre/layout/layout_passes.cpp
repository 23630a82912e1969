// SPDX-License-Identifier: Apache-2.0
// Passes 3 to 6: candidates, choice, final layouts, restickify operations
// (spyre-layouts-and-work-division 5).
#include "engine/base/text.h"
#include "engine/spyre/layout/coordinates.h"
#include "engine/spyre/layout/matmul_layouts.h"
#include "engine/spyre/layout/operand_repair.h"
#include "engine/spyre/layout/program_graph.h"
#include "engine/spyre/layout/stick_layout.h"
#include "engine/spyre/passes.h"
#include "engine/spyre/program_edit.h"
#include "engine/spyre/state.h"
#include "engine/spyre/texts/decisions.h"

#include <limits>

namespace memplan::spyre {
namespace {

/// The question of the search, answered with a demotion and a warning.
FallbackQuestion demotion(Program& program, PassContext& context) {
    return [&program, &context](std::size_t node, const Error& error) {
        demote(program.ops[node], error, context, OpId::of(node));
        return true;
    };
}

/// A repaired multiply can uncover the next one down the graph; what is left then is demoted.
constexpr int kRepairRounds = 4;

/// Propagates without consequences; multiplies whose operands are stuck give repairs.
std::vector<OperandRepair> findRepairs(LayoutGraph& graph, Result<std::vector<OpCandidatesPtr>>& all, bool& failed,
                                       const RunControl& control) {
    std::vector<OperandRepair> repairs;
    const FallbackQuestion note = [&](std::size_t n, const Error& error) {
        failed = true;
        const LayoutGraph::Node& node = graph.nodes[n];
        if (!node.op->isMatmul() || error.primary().code != "LAY-006") return true;
        for (const StuckOperand& s : stuckOperands(questionOf(graph, node))) {
            repairs.push_back({OpId::of(n), s.argument, s.loop, error.primary().message});
        }
        return true;
    };
    all = propagateCandidates(graph, note, control);
    return repairs;
}

const Wording& whyChosen(const OpCandidates& candidates, bool several) {
    switch (candidates.node) {
    case CostNode::AcceptsAnything:
        return several ? say::kFirstOfFree : say::kTakesAny;
    case CostNode::FixedInOut:
        return say::kFixesSticks;
    case CostNode::AllSame:
        break;
    }
    return several ? say::kFewestElements : say::kStickGoesOn;
}

void report(const Program& program, std::size_t i, const LayoutChoice& choice, PassContext& context) {
    const OpCandidates& candidates = *choice.candidates[i];
    if (program.ops[i].kind == OpClass::Constant && candidates.layouts.size() == 1) return;
    Decision d;
    d.op = OpId::of(i);
    d.buffer = program.ops[i].write.buffer;
    d.kind = DecisionKind::Layout;
    d.chosen = {say::kDeviceSize, candidates.layouts[static_cast<std::size_t>(choice.chosen[i])].deviceSize};
    for (std::size_t c = 0; c < choice.scores[i].size(); ++c) {
        const EdgeCost cost = choice.scores[i][c];
        const bool isPossible = cost != kInfiniteCost;
        d.alternatives.push_back({{say::kDeviceSize, candidates.layouts[c].deviceSize},
                                  isPossible ? static_cast<double>(cost) : std::numeric_limits<double>::infinity()});
    }
    d.why = {whyChosen(candidates, candidates.layouts.size() > 1)};
    context.decide(std::move(d));
}

/// In-place writes: every input's stick has to agree with the target buffer's layout (5.5).
class MutationCheck {
public:
    MutationCheck(Program& program, PassContext& context) : program_(program), context_(context) {}

    void run(std::size_t i) {
        Op& op = program_.ops[i];
        const Buffer& target = program_.buffers[op.write.buffer.at()];
        std::vector<RestickifyRequest> requests;
        std::optional<Error> failure;
        Result<Coordinates> to = deviceCoordinates(*target.layout, op.loops, op.write.index);
        if (!to) failure = std::move(to).error();
        for (std::size_t a = 0; a < op.reads.size() && !failure; ++a) {
            if (Result<void> ok = checkRead(i, a, to.value(), requests); !ok) failure = ok.error();
        }
        if (failure) {
            demote(op, *failure, context_, OpId::of(i));
            return;
        }
        for (RestickifyRequest& r : requests)
            program_.restickifyPlan.push_back(std::move(r));
    }

private:
    Result<void> checkRead(std::size_t i, std::size_t a, const Coordinates& to, std::vector<RestickifyRequest>& out) {
        const Op& op = program_.ops[i];
        const Access& read = op.reads[a];
        const Buffer& buffer = program_.buffers[read.buffer.at()];
        if (!buffer.layout || buffer.size.empty()) return {};
        Result<Coordinates> from = deviceCoordinates(*buffer.layout, op.loops, read.index);
        if (!from) return std::move(from).error();
        if (sticksAgree(stickRoles(from.value()), stickRoles(to))) return {};
        const Coordinates host = hostCoordinates(buffer, op.loops, read.index);
        auto target = restickifyTarget({&buffer, &*buffer.layout, &host, &from.value()}, to.back());
        if (!target) {
            return unsupported("LAY-008", op.name,
                               "mutation op " + op.name + " cannot restickify " + buffer.name + " to the layout of " +
                                   program_.buffers[op.write.buffer.at()].name);
        }
        out.push_back({OpId::of(i), static_cast<int>(a), std::move(*target)});
        return {};
    }

    Program& program_;
    PassContext& context_;
};

void report(const Program& program, const std::vector<std::pair<BufferId, BufferId>>& added, PassContext& context) {
    std::size_t at = 0;
    for (std::size_t i = 0; i < program.ops.size() && at < added.size(); ++i) {
        if (program.ops[i].write.buffer != added[at].first) continue;
        const Buffer& copy = program.buffers[added[at].first.at()];
        const Buffer& source = program.buffers[added[at].second.at()];
        Decision d;
        d.op = OpId::of(i);
        d.buffer = added[at].first;
        d.kind = DecisionKind::Restickify;
        d.chosen = {say::kDeviceSizes, source.layout->deviceSize, copy.layout->deviceSize};
        d.alternatives = {{say::kElementsMoved, static_cast<double>(deviceElements(*source.layout))}};
        d.why = {say::kNeedsStick, program.ops[program.ops[i].cloneOfOp.at()].name, source.name};
        context.decide(std::move(d));
        ++at;
    }
}

}  // namespace

Result<PassOutcome> propagateLayouts(State& state, PassContext& context) {
    Program& program = state.program;
    setGivenLayouts(program);
    PassOutcome outcome{true, {}};
    Result<std::vector<OpCandidatesPtr>> all = std::vector<OpCandidatesPtr>();
    for (int round = 0; round <= kRepairRounds; ++round) {
        Result<LayoutGraph> graph = layoutGraphOf(program);
        if (!graph) return std::move(graph).error();
        bool failed = false;
        const std::vector<OperandRepair> repairs = round < kRepairRounds
                                                       ? findRepairs(graph.value(), all, failed, context.control)
                                                       : std::vector<OperandRepair>();
        if (all && !failed) break;
        if (repairs.empty()) {
            all = propagateCandidates(graph.value(), demotion(program, context), context.control);
            break;
        }
        outcome.counts["operands_copied"] += repairOperands(program, repairs, context);
    }
    if (!all) return std::move(all).error();
    program.candidates.assign(program.ops.size(), {});
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        if (all.value()[i]) program.candidates[i] = all.value()[i]->layouts;
        outcome.counts["candidates"] += static_cast<std::int64_t>(program.candidates[i].size());
        outcome.counts["ops_with_a_choice"] += program.candidates[i].size() > 1 ? 1 : 0;
    }
    return outcome;
}

Result<PassOutcome> commitLayouts(State& state, PassContext& context) {
    Program& program = state.program;
    Result<LayoutGraph> graph = layoutGraphOf(program);
    if (!graph) return std::move(graph).error();
    if (context.cancelled()) return cancelledError();
    const std::size_t width = context.settings.boolean("spyre.global_stick_optimizer") ? kBeamWidth : kGreedyWidth;
    Result<LayoutChoice> found = chooseLayouts(graph.value(), width, demotion(program, context), context.control);
    if (!found) return std::move(found).error();
    LayoutChoice& choice = found.value();
    if (context.cancelled()) return cancelledError();

    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        if (choice.chosen[i] < 0) continue;
        report(program, i, choice, context);
        program.candidates[i] = {choice.candidates[i]->layouts[static_cast<std::size_t>(choice.chosen[i])]};
    }
    program.restickifyPlan.clear();
    for (RestickifyEdge& e : choice.edges) {
        program.restickifyPlan.push_back({OpId{e.node}, e.argument, std::move(e.target)});
    }
    return PassOutcome{true,
                       {{"restickifies", static_cast<std::int64_t>(program.restickifyPlan.size())},
                        {"restickified_elements", choice.totalCost}}};
}

Result<PassOutcome> finalizeLayouts(State& state, PassContext& context) {
    Program& program = state.program;
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        Op& op = program.ops[i];
        if (op.write.buffer.isValid() && i < program.candidates.size() && program.candidates[i].size() == 1) {
            program.buffers[op.write.buffer.at()].layout = program.candidates[i].front();
        }
        for (const BufferId b : op.extraWrites)
            program.buffers[b.at()].layout = fallbackLayout(program.buffers[b.at()]);
    }
    MutationCheck check(program, context);
    std::int64_t mutations = 0;
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        if (program.ops[i].kind != OpClass::Mutation) continue;
        if (context.cancelled()) return cancelledError();
        check.run(i);
        ++mutations;
    }
    return PassOutcome{
        true, {{"mutations", mutations}, {"restickifies", static_cast<std::int64_t>(program.restickifyPlan.size())}}};
}

Result<PassOutcome> insertRestickifies(State& state, PassContext& context) {
    Program& program = state.program;
    if (program.restickifyPlan.empty()) return PassOutcome{};
    std::vector<std::vector<RestickifyRequest>> before(program.ops.size());
    for (RestickifyRequest& r : program.restickifyPlan)
        before[r.op.at()].push_back(r);
    NameMaker names(program);
    ProgramEdit edit(program);
    std::vector<std::pair<BufferId, BufferId>> added;  // copy, source
    for (std::size_t i = 0; i < before.size(); ++i) {
        if (context.cancelled()) return cancelledError();
        for (RestickifyRequest& r : before[i]) {
            Access& read = program.ops[i].reads[static_cast<std::size_t>(r.argument)];
            const BufferId source = read.buffer;
            const std::string name = names.make("restickify_" + program.ops[i].name + "_" + std::to_string(r.argument));
            const BufferId copy = addBuffer(program, program.buffers[source.at()], name, context.pass());
            program.buffers[copy.at()].layout = std::move(r.target);
            Op op = identityOp(program, source, copy, OpId::of(i));
            op.fn = "ReStickifyOpHBM";
            op.hintScopes = program.ops[i].hintScopes;
            read.buffer = copy;
            added.emplace_back(copy, source);
            edit.add(std::move(op));
        }
        edit.keep(i);
    }
    edit.finish();
    program.restickifyPlan.clear();
    report(program, added, context);
    return PassOutcome{true, {{"ops_added", static_cast<std::int64_t>(added.size())}}};
}

}  // namespace memplan::spyre

// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/solver/chain_solution.h"

#include "engine/ttnn/chains/op_kinds.h"

#include <algorithm>

namespace memplan::ttnn {
namespace {

bool isOverridden(std::span<const Reshard> overrides, OperationId consumer, int operand) {
    return std::ranges::any_of(overrides,
                               [&](const Reshard& r) { return r.consumer == consumer && r.operand == operand; });
}

SolverOp solverOp(const SolverContext& context, OperationId id) {
    SolverOp op;
    op.id = id;
    for (const OpConfig& config : context.space.ops[id.at()].sharded)
        op.configs.push_back({config.output->grid.volume(), config.output->mem.value_or(MemLayout::Interleaved)});
    return op;
}

SolverProblem problemOf(const SolverContext& context, const ChainQuestion& question) {
    SolverProblem problem;
    problem.chain = question.chain;
    problem.preferred = question.preferred;
    for (const OperationId id : question.ops)
        problem.ops.push_back(solverOp(context, id));
    for (std::size_t to = 0; to < question.ops.size(); ++to) {
        for (const TensorOperand& operand : context.flow.operands(question.ops[to])) {
            const auto from = std::ranges::find(question.ops.first(to), operand.producer);
            if (from == question.ops.begin() + static_cast<std::ptrdiff_t>(to)) continue;
            problem.edges.push_back({static_cast<std::size_t>(from - question.ops.begin()), to, operand.position,
                                     isOverridden(question.overrides, question.ops[to], operand.position)});
        }
    }
    if (question.ops.empty()) return problem;
    problem.isEntryOverride = isOverridden(question.overrides, question.ops.front(), 0);
    problem.forcesEntryReshard = isConvolution(context.flow.operation(question.ops.front()));
    return problem;
}

void takeConfigs(const SolverContext& context, const ChainQuestion& question, ChainSolution& solution) {
    for (std::size_t i = 0; i < question.ops.size(); ++i) {
        const auto selected = static_cast<std::size_t>(solution.result.ops[i].selected);
        solution.configs.push_back(context.space.ops[question.ops[i].at()].sharded[selected]);
    }
}

void takeReshards(ChainChecks& checks, ChainSolution& solution) {
    for (std::size_t e = 0; e < solution.result.edges.size(); ++e) {
        SolvedEdge& edge = solution.result.edges[e];
        const std::vector<int>* numbers = edge.candidates();
        if (numbers == nullptr) continue;
        Reshard reshard{edge.info.consumer, edge.info.operand, {}, edge.info.origin};
        reshard.candidates = checks.candidates(static_cast<int>(e) - 1, *numbers);
        edge.info.reshard = reshard.candidates.front();
        solution.reshards.push_back(std::move(reshard));
    }
}

}  // namespace

std::optional<ChainFailure> ChainSolution::failure() const {
    if (result.isSolved || result.edges.empty()) return std::nullopt;
    const auto edge = static_cast<std::size_t>(result.failedEdge);
    const EdgeInfo& info = result.edges[edge].info;
    return ChainFailure{info.producer, info.consumer, info.operand, result.failedStage, refusals[edge]};
}

ChainSolution solveChain(const SolverContext& context, const ChainQuestion& question) {
    const SolverProblem problem = problemOf(context, question);
    ChainChecks checks(context, problem);
    const OpModel::Counters before = context.model.counters();
    ChainSolution solution;
    solution.result = solveShards(problem, checks);
    for (std::size_t e = 0; e < solution.result.edges.size(); ++e) {
        solution.refusals.push_back(checks.refusals(static_cast<int>(e) - 1));
        solution.result.edges[e].info.answers = checks.takeAnswers(static_cast<int>(e) - 1);
    }
    if (solution.result.isSolved) {
        takeConfigs(context, question, solution);
        takeReshards(checks, solution);
    }
    const OpModel::Counters after = context.model.counters();
    solution.counters = {solution.result.edgesChecked, after.calls - before.calls, after.hits - before.hits,
                         solution.result.rounds, solution.result.visits};
    return solution;
}

}  // namespace memplan::ttnn

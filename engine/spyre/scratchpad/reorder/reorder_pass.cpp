// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/scratchpad/reorder/reorder_pass.h"

#include "engine/base/text.h"
#include "engine/hints/op_order.h"
#include "engine/solve/solver_settings.h"
#include "engine/spyre/program_edit.h"
#include "engine/spyre/scratchpad/hints.h"
#include "engine/spyre/scratchpad/op_order.h"
#include "engine/spyre/scratchpad/placement/trial_plan.h"
#include "engine/spyre/scratchpad/reorder/order_search.h"
#include "engine/spyre/solver_keys.h"
#include "engine/spyre/texts/decisions.h"

#include <algorithm>

namespace memplan::spyre {
namespace {

OrderSearchTools toolsFor(const PassContext& context) {
    OrderSearchTools tools;
    const std::string& name = context.settings.text("spyre.layout_solver");
    const bool searches = name != "greedy" && name != "firstfit" && name != "bestfit";
    tools.solver = solve::findSolver(searches ? "bestfit" : name);
    tools.params = solve::paramsFrom(context.settings, kSolverKeys);
    if (searches) tools.params.ordering = solve::Ordering::Scored;
    tools.control = solve::withTimeLimit(context.control, context.settings);
    return tools;
}

/// Positions in `order` that have to leave so that the rest stands in the program's order: the fewest there are.
std::vector<std::size_t> movedOps(const OpOrder& order) {
    std::vector<std::size_t> tails;  // positions; tails[k] ends the best run of length k + 1
    std::vector<std::size_t> previous(order.size(), order.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
        const auto it = std::lower_bound(tails.begin(), tails.end(), k,
                                         [&](std::size_t a, std::size_t b) { return order[a] < order[b]; });
        if (it != tails.begin()) previous[k] = *std::prev(it);
        if (it == tails.end()) {
            tails.push_back(k);
        } else {
            *it = k;
        }
    }
    std::vector<bool> stays(order.size(), false);
    for (std::size_t k = tails.empty() ? order.size() : tails.back(); k < order.size(); k = previous[k])
        stays[k] = true;
    std::vector<std::size_t> moved;
    for (std::size_t k = 0; k < order.size(); ++k) {
        if (!stays[k]) moved.push_back(k);
    }
    return moved;
}

struct Search {
    OrderFound found;
    OpOrder start;
};

OpOrder orderOf(const OperationOrder& o) {
    return {o.permutation.begin(), o.permutation.end()};
}

/// Units of the hint where they can stand together, else single operations.
Result<Search> search(const State& state, const OrderTrial& trial, const OrderSearchTools& tools) {
    const std::size_t count = state.program.ops.size();
    Search result;
    result.start = identityOrder(count);
    std::vector<int> units = singleUnits(count);
    if (state.graph) {
        std::vector<std::string> names;
        for (const memplan::Op& op : state.graph->ops)
            names.push_back(op.id);
        HintedOrder natural = orderByHint(state, names);
        if (natural.problem.empty()) {
            result.start = std::move(natural.order);
            units = hintUnits(state);
        }
    }
    OrderRules rules(state.program, units);
    if (!rules.isLegal(result.start)) {
        result.start = identityOrder(count);
        rules = OrderRules(state.program, singleUnits(count));
    }
    auto found = searchOrder(rules, trial, result.start, tools);
    if (!found) return std::move(found).error();
    result.found = std::move(found).value();
    return result;
}

void report(const Program& program, const OpOrder& order, const OperationOrder& record, PassContext& context) {
    const std::vector<std::size_t> moves = movedOps(order);
    Decision all;
    all.kind = DecisionKind::Order;
    all.chosen = {say::kMoved, moves.size()};
    all.why = {say::kTrafficInPlaceOf, record.trafficAfter, record.trafficBefore};
    context.decide(std::move(all));
    for (const std::size_t k : moves) {
        Decision d;
        d.op = OpId::of(k);
        d.buffer = program.ops[k].write.buffer;
        d.kind = DecisionKind::Order;
        d.chosen = {say::kPosition, k};
        d.why = {say::kStoodAt, order[k]};
        context.decide(std::move(d));
    }
}

/// Plans the order found by the real steps, first as the hint would say it; keeps it when it moves fewer bytes.
Result<bool> take(State& state, const Search& search, const TrialPlan& before, const OrderTrial& trial,
                  PassContext& context) {
    std::vector<std::string> graphOrder =
        state.graph ? graphOrderOf(state, search.found.order) : std::vector<std::string>{};
    std::vector<std::pair<OpOrder, bool>> tries;
    if (state.graph && !memplan::hints::orderProblem(graphOrder, *state.graph)) {
        HintedOrder said = orderByHint(state, graphOrder);
        if (said.problem.empty()) tries.emplace_back(std::move(said.order), true);
    }
    if (tries.empty() || tries.front().first != search.found.order) tries.emplace_back(search.found.order, false);
    const OrderRules legal(state.program, singleUnits(state.program.ops.size()));
    for (const auto& [order, byHint] : tries) {
        if (!legal.isLegal(order)) continue;
        State next = state;
        permuteOps(next.program, order);
        Result<TrialPlan> after = planTrial(next, context);
        if (!after) return std::move(after).error();
        if (after.value().traffic >= before.traffic) continue;
        OperationOrder record;
        for (const Op& op : state.program.ops)
            record.original.push_back(op.name);
        for (const std::size_t position : order)
            record.permutation.push_back(static_cast<int>(position));
        if (byHint) record.graphOrder = std::move(graphOrder);
        record.method = search.found.method;
        record.trafficBefore = before.traffic;
        record.trafficAfter = after.value().traffic;
        record.peakBefore = trial.load(identityOrder(order.size())).peak;
        record.peakAfter = trial.load(order).peak;
        record.distance = distanceOf(order);
        record.trials = search.found.trials;
        report(next.program, order, record, context);
        next.scratchpad.operationOrder = std::move(record);
        state = std::move(next);
        return true;
    }
    return false;
}

}  // namespace

Result<PassOutcome> reorderOps(State& state, PassContext& context) {
    applyOpOrder(state, context);
    PassOutcome outcome{false, {{"moved", 0}, {"bytes_saved", 0}}};
    if (state.scratchpad.orderByHint) return outcome;
    const BufferRules rules = BufferRules::from(context.settings, context.machine);
    const ScratchpadHints hints(context, state);
    const OrderTrial trial(state.program, rules, context.machine.lxAlignment, &hints);
    auto found = search(state, trial, toolsFor(context));
    if (!found) return std::move(found).error();
    outcome.counts["plans_tried"] = found.value().found.trials;
    if (found.value().found.method.empty()) return outcome;
    Result<TrialPlan> before = planTrial(state, context);
    if (!before) return std::move(before).error();
    auto taken = take(state, found.value(), before.value(), trial, context);
    if (!taken) return std::move(taken).error();
    if (!taken.value()) return outcome;
    outcome.changed = true;
    outcome.counts["moved"] = static_cast<std::int64_t>(movedOps(orderOf(*state.scratchpad.operationOrder)).size());
    const OperationOrder& order = *state.scratchpad.operationOrder;
    countTraffic(outcome, order.trafficBefore, order.trafficAfter);
    return outcome;
}

}  // namespace memplan::spyre

// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/chains/build_chains.h"

#include "engine/ttnn/chains/op_kinds.h"
#include "engine/ttnn/chains/scheduler.h"

#include <algorithm>
#include <cassert>

namespace memplan::ttnn {
namespace {

class Builder {
public:
    Builder(const Flow& flow, const ChainRules& rules) : flow_(flow), rules_(rules), scheduler_(flow) {
        result_.notChained.resize(flow.size());
    }

    Chaining run() {
        OperationId current;
        while (!scheduler_.isDone())
            current = step(current);
        close();
        result_.schedule = scheduler_.schedule();
        return std::move(result_);
    }

private:
    /// Schedules one operation and gives the next to follow; none: the scheduler's choice.
    OperationId step(OperationId current) {
        if (!current.isValid()) current = pick();
        scheduler_.schedule(current);
        const Operation& operation = flow_.operation(current);
        if (open_.ops().empty() && operation.is("to_layout")) {
            leaveOut(current);
            return {};
        }
        if (!mayChain(current)) {
            leaveOut(current);
            close();
            return {};
        }
        if (isConcat(operation)) {
            addConcat(current);
            return {};
        }
        const OperationId next = scheduler_.lastReadyReader(current);
        add(current, endOf(current, next));
        if (continuesTo(current, next)) return next;
        close();
        return {};
    }

    [[nodiscard]] OperationId pick() const {
        const std::vector<OperationId> ready = scheduler_.ready();
        const auto conversion =
            std::ranges::find_if(ready, [&](OperationId op) { return flow_.operation(op).is("to_layout"); });
        return open_.ops().empty() && conversion != ready.end() ? *conversion : ready.front();
    }

    [[nodiscard]] bool isShardableHere(OperationId op) const { return rules_.isKindChained(flow_.operation(op)); }
    [[nodiscard]] bool mayChain(OperationId op) const { return isShardableHere(op) && rules_.hasSharded[op.at()]; }

    [[nodiscard]] bool continuesTo(OperationId op, OperationId next) const {
        return next.isValid() && flow_.useCount(op) == 1 && !isBroken(op, next) && !isConcat(flow_.operation(next)) &&
               flow_.operandReading(next, op) == 0;
    }

    [[nodiscard]] bool isBroken(OperationId op, OperationId next) const {
        if (rules_.hints == nullptr) return false;
        const auto names = [&](const std::vector<std::string>& hints, OperationId one) {
            const std::string& name = flow_.operation(one).location.name;
            return !name.empty() && std::ranges::find(hints, name) != hints.end();
        };
        return names(rules_.hints->breakAfter, op) || (next.isValid() && names(rules_.hints->breakBefore, next));
    }

    [[nodiscard]] ChainEnd endOf(OperationId op, OperationId next) const {
        return isBroken(op, next) ? ChainEnd{EndedBy::Hint, next, 0} : chainEnd(flow_, rules_, op, next);
    }

    void leaveOut(OperationId op) {
        result_.notChained[op.at()] = isShardableHere(op) ? EndedBy::NoLegalConfig : EndedBy::NotShardable;
    }

    void add(OperationId op, ChainEnd end) {
        [[maybe_unused]] const auto added = open_.add(op);
        assert(added.ok());
        open_.setEnd(end.reason, end.at, end.operand);
    }

    void addConcat(OperationId op) {
        close();
        open_.markConcat();
        add(op, {EndedBy::Concat, {}, 0});
        close();
    }

    void close() {
        if (open_.ops().empty()) return;
        [[maybe_unused]] const auto built = open_.build();
        assert(built.ok());
        result_.chains.push_back(std::move(open_));
        open_ = Chain();
    }

    const Flow& flow_;
    const ChainRules& rules_;
    Scheduler scheduler_;
    Chain open_;
    Chaining result_;
};

}  // namespace

bool ChainRules::isKindChained(const Operation& operation) const {
    return isShardable(operation) && (concatChains || !isConcat(operation));
}

ChainEnd chainEnd(const Flow& flow, const ChainRules& rules, OperationId op, OperationId next) {
    const int operand = next.isValid() ? flow.operandReading(next, op) : 0;
    if (next.isValid() && isConcat(flow.operation(next))) return {EndedBy::Concat, next, operand};
    if (flow.isReturned(op)) return {EndedBy::Returned, {}, 0};
    if (flow.useCount(op) > 1) return {EndedBy::Fork, {}, 0};
    if (!next.isValid()) return {EndedBy::NoNext, {}, 0};
    if (operand > 0) return {EndedBy::NotFirstOperand, next, operand};
    if (!rules.isKindChained(flow.operation(next))) return {EndedBy::NotShardable, next, 0};
    if (!rules.hasSharded[next.at()]) return {EndedBy::NoLegalConfig, next, 0};
    return {EndedBy::ScheduledElsewhere, next, 0};
}

Chaining buildChains(const Flow& flow, const ChainRules& rules) {
    return Builder(flow, rules).run();
}

}  // namespace memplan::ttnn

// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/chains/scheduler.h"

#include "engine/ttnn/chains/op_kinds.h"

#include <algorithm>
#include <utility>

namespace memplan::ttnn {

Scheduler::Scheduler(const Flow& flow)
    : flow_(flow), place_(flow.size(), -1), before_(flow.size()), after_(flow.size()), waitsFor_(flow.size(), 0) {
    for (const Operation& operation : flow.function().operations)
        isSchedulable_.push_back(ttnn::isSchedulable(operation));
    const std::vector<OperationId>& order = flow.function().order;
    for (std::size_t i = 0; i < order.size(); ++i)
        place_[order[i].at()] = static_cast<int>(i);
    addDependencies();
    addMemoryOrder();
    for (const OperationId op : order) {
        if (!isSchedulable(op)) continue;
        waitsFor_[op.at()] = static_cast<int>(before_[op.at()].size());
        for (const OperationId on : before_[op.at()])
            after_[on.at()].push_back(op);
        if (before_[op.at()].empty()) ready_.insert(place_[op.at()]);
    }
}

void Scheduler::depend(OperationId on, OperationId op) {
    std::vector<OperationId>& known = before_[op.at()];
    const auto add = [&](OperationId one) {
        if (one != op && std::ranges::find(known, one) == known.end()) known.push_back(one);
    };
    if (isSchedulable(on)) return add(on);
    for (const OperationId one : before_[on.at()])
        add(one);
}

void Scheduler::addDependencies() {
    for (const OperationId producer : flow_.function().order) {
        for (const ValueId result : flow_.operation(producer).results)
            for (const Use& use : flow_.uses(result))
                if (use.user.isValid()) depend(producer, use.user);
    }
}

/// An operation without results works on its operands in place: readers of these stay on their side of it.
void Scheduler::addMemoryOrder() {
    for (std::size_t v = 0; v < flow_.function().values.size(); ++v) {
        const std::vector<Use>& uses = flow_.uses(ValueId::of(v));
        const auto writes = [&](const Use& use) {
            return use.user.isValid() && flow_.operation(use.user).results.empty();
        };
        if (std::ranges::none_of(uses, writes)) continue;
        for (std::size_t i = 0; i < uses.size(); ++i)
            for (std::size_t k = 0; k < i; ++k)
                if (uses[i].user.isValid() && uses[k].user.isValid() && (writes(uses[i]) || writes(uses[k])))
                    depend(uses[k].user, uses[i].user);
    }
}

bool Scheduler::hasBlockedSuccessor(OperationId op) const {
    return std::ranges::any_of(after_[op.at()], [&](OperationId next) { return waitsFor_[next.at()] > 1; });
}

std::vector<OperationId> Scheduler::ready() const {
    std::vector<OperationId> ready;
    for (const int place : ready_)
        ready.push_back(flow_.function().order[static_cast<std::size_t>(place)]);
    std::stable_partition(ready.begin(), ready.end(), [&](OperationId op) { return hasBlockedSuccessor(op); });
    return ready;
}

OperationId Scheduler::lastReadyReader(OperationId op) const {
    OperationId last;
    const auto rank = [&](OperationId next) { return std::pair(!hasBlockedSuccessor(next), place_[next.at()]); };
    for (const OperationId next : after_[op.at()]) {
        if (!ready_.contains(place_[next.at()]) || flow_.operandReading(next, op) < 0) continue;
        if (!last.isValid() || rank(next) > rank(last)) last = next;
    }
    return last;
}

void Scheduler::schedule(OperationId op) {
    ready_.erase(place_[op.at()]);
    schedule_.push_back(op);
    for (const OperationId next : after_[op.at()])
        if (--waitsFor_[next.at()] == 0) ready_.insert(place_[next.at()]);
}

}  // namespace memplan::ttnn

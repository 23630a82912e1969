// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/transform/order.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace memplan::ttnn {
namespace {

/// Operations whose results each operation reads, also inside its regions.
std::vector<std::vector<OperationId>> dependencies(const Function& function, const Uses& uses) {
    std::vector<std::vector<OperationId>> needs(function.operations.size());
    for (std::size_t v = 0; v < uses.size(); ++v) {
        const OperationId producer = function.values[v].producer;
        if (!producer.isValid()) continue;
        for (const Use& use : uses[v])
            if (use.user.isValid()) needs[use.user.at()].push_back(producer);
    }
    return needs;
}

/// Puts operations in order, each behind what it reads.
class Placer {
public:
    Placer(const Function& function, const Uses& uses)
        : needs_(dependencies(function, uses)), rank_(function.operations.size(), 0),
          state_(function.operations.size(), State::Waiting) {
        for (std::size_t i = 0; i < function.order.size(); ++i)
            rank_[function.order[i].at()] = static_cast<std::int32_t>(i);
        for (auto& list : needs_)
            std::sort(list.begin(), list.end(), [this](auto a, auto b) { return rank_[a.at()] < rank_[b.at()]; });
        order_.reserve(function.order.size());
    }

    void place(OperationId op) {
        if (state_[op.at()] != State::Waiting) return;
        std::vector<std::pair<OperationId, std::size_t>> stack{{op, 0}};
        state_[op.at()] = State::Open;
        while (!stack.empty()) {
            auto& [current, next] = stack.back();
            const auto& needs = needs_[current.at()];
            if (next == needs.size()) {
                state_[current.at()] = State::Placed;
                order_.push_back(current);
                stack.pop_back();
                continue;
            }
            const OperationId need = needs[next++];
            if (state_[need.at()] != State::Waiting) continue;
            state_[need.at()] = State::Open;
            stack.emplace_back(need, 0);
        }
    }
    [[nodiscard]] std::vector<OperationId> take() { return std::move(order_); }

private:
    enum class State : std::uint8_t { Waiting, Open, Placed };
    std::vector<std::vector<OperationId>> needs_;
    std::vector<std::int32_t> rank_;
    std::vector<State> state_;
    std::vector<OperationId> order_;
};

bool isDeallocate(const Operation& op) {
    return op.is("deallocate") && op.operands.size() == 1;
}

/// Moves each deallocation that comes too early behind the last other use of its tensor.
void delayDeallocations(const Function& function, const Uses& uses, std::vector<OperationId>& order) {
    std::vector<std::size_t> position(function.operations.size(), 0);
    for (std::size_t i = 0; i < order.size(); ++i)
        position[order[i].at()] = i;
    std::vector<std::vector<OperationId>> delayed(order.size());
    std::vector<bool> moves(function.operations.size(), false);
    for (const OperationId id : order) {
        const Operation& op = function.operation(id);
        if (!isDeallocate(op)) continue;
        std::size_t last = 0;
        for (const Use& use : uses[op.operands.front().at()])
            if (use.user.isValid() && !isDeallocate(function.operation(use.user)))
                last = std::max(last, position[use.user.at()]);
        if (last <= position[id.at()]) continue;
        moves[id.at()] = true;
        delayed[last].push_back(id);
    }
    std::vector<OperationId> result;
    result.reserve(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (!moves[order[i].at()]) result.push_back(order[i]);
        result.insert(result.end(), delayed[i].begin(), delayed[i].end());
    }
    order = std::move(result);
}

}  // namespace

std::vector<OperationId> transformedOrder(const Function& function, const std::vector<OperationId>& schedule) {
    if (schedule.empty()) return function.order;
    const Uses uses = usesOf(function);
    Placer placer(function, uses);
    for (const OperationId id : schedule)
        placer.place(id);
    for (const OperationId id : function.order)
        placer.place(id);
    std::vector<OperationId> order = placer.take();
    delayDeallocations(function, uses, order);
    return order;
}

}  // namespace memplan::ttnn

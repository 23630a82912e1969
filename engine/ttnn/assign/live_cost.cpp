// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/assign/live_cost.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace memplan::ttnn {
namespace {

constexpr Bytes kAlways = std::numeric_limits<Bytes>::max();
constexpr Bytes kNever = -1;

void addOnce(std::vector<int>& list, int number) {
    if (std::find(list.begin(), list.end(), number) == list.end()) list.push_back(number);
}

bool contains(const std::vector<int>& list, int number) {
    return std::find(list.begin(), list.end(), number) != list.end();
}

}  // namespace

LiveCost::LiveCost(Evaluator& evaluator, const Assignment& assignment) : evaluator_(evaluator), a_(assignment) {
    reset();
}

void LiveCost::reset() {
    const Function& f = evaluator_.function();
    const std::size_t ops = a_.ops.size();
    position_.assign(ops, -1);
    for (std::size_t i = 0; i < a_.order.size(); ++i)
        position_[a_.order[i].at()] = static_cast<int>(i);
    states_.assign(ops, {});
    slots_.assign(3 * ops + f.arguments.size(), {});
    for (std::size_t s = 0; s < 3 * ops; ++s)
        slots_[s].maker = static_cast<int>(s / 3);
    argumentSlot_.assign(f.values.size(), -1);
    through_.assign(a_.order.size(), 0);
    slack_.assign(a_.order.size(), kAlways);
    isQueued_.assign(a_.order.size(), false);
    isTouched_.assign(slots_.size(), false);
    refused_ = sharded_ = reshards_ = 0;
    pressure_ = 0;
    ns_ = 0;
    for (std::size_t i = 0; i < f.arguments.size(); ++i) {
        const LayoutId layout = evaluator_.given(f.arguments[i]);
        if (layout < 0 || !evaluator_.isInL1(layout)) continue;
        argumentSlot_[f.arguments[i].at()] = static_cast<int>(3 * ops + i);
        slots_[3 * ops + i].bytes = evaluator_.l1Bytes(layout);
        slots_[3 * ops + i].isReturned = std::ranges::find(f.returned, f.arguments[i]) != f.returned.end();
        if (slots_[3 * ops + i].isReturned) touch(static_cast<int>(3 * ops + i));
    }
    update(a_.order);
}

Evaluation LiveCost::evaluation() const {
    Evaluation evaluation;
    evaluation.isLegal = refused_ == 0;
    evaluation.ns = ns_;
    evaluation.sharded = sharded_;
    evaluation.reshards = reshards_;
    return evaluation;
}

void LiveCost::enqueue(OperationId op) {
    const int at = position_[op.at()];
    if (at < 0 || isQueued_[static_cast<std::size_t>(at)]) return;
    isQueued_[static_cast<std::size_t>(at)] = true;
    queue_.push_back(at);
    std::push_heap(queue_.begin(), queue_.end(), std::greater<>());
}

/// In the order of the operations: what one reads is known before it.
void LiveCost::update(std::span<const OperationId> changed) {
    for (const OperationId op : changed) {
        enqueue(op);
        for (const OperationId reader : evaluator_.flow().readers(op))
            enqueue(reader);
    }
    recomputed_.clear();
    while (!queue_.empty()) {
        std::pop_heap(queue_.begin(), queue_.end(), std::greater<>());
        const auto at = static_cast<std::size_t>(queue_.back());
        queue_.pop_back();
        isQueued_[at] = false;
        recompute(a_.order[at]);
        recomputed_.push_back(a_.order[at]);
    }
    settleSlots();
    for (const OperationId op : recomputed_)
        settleSlack(op);
}

void LiveCost::swapped(std::size_t position) {
    for (const OperationId op : {a_.order[position], a_.order[position + 1]}) {
        const OpState& state = states_[op.at()];
        for (const int number : state.reads)
            touch(number);
        for (const int number : {resultSlot(op), copySlotOf(op), viewedSlot(op)})
            touch(number);
    }
    setSlack(position, kAlways);
    setSlack(position + 1, kAlways);
    position_[a_.order[position].at()] = static_cast<int>(position);
    position_[a_.order[position + 1].at()] = static_cast<int>(position) + 1;
    settleSlots();
    settleSlack(a_.order[position]);
    settleSlack(a_.order[position + 1]);
}

void LiveCost::recompute(OperationId op) {
    OpState& old = states_[op.at()];
    for (const int number : old.reads) {
        touch(number);
        std::erase(slot(number).readers, op.index);
    }
    for (const int number : {resultSlot(op), copySlotOf(op), viewedSlot(op)})
        touch(number);
    ns_ -= old.ns;
    sharded_ -= old.sharded;
    reshards_ -= static_cast<std::int64_t>(old.conversions.size());
    OpState state = stateOf(op);
    ns_ += state.ns;
    sharded_ += state.sharded;
    reshards_ += static_cast<std::int64_t>(state.conversions.size());
    for (const int number : state.reads) {
        touch(number);
        slot(number).readers.push_back(op.index);
    }
    const bool isElsewhere = state.slot != old.slot || state.copySlot != old.copySlot;
    old = std::move(state);
    if (!isElsewhere) return;
    for (const OperationId reader : evaluator_.flow().readers(op))
        enqueue(reader);
}

void LiveCost::readOperands(OperationId op, OpState& state, std::vector<LayoutId>& layouts) {
    const auto& operands = evaluator_.flow().operands(op);
    const auto& edges = a_.ops[op.at()].edges;
    for (std::size_t k = 0; k < operands.size(); ++k) {
        const EdgeChoice& edge = edges[k];
        const OperationId producer = operands[k].producer;
        LayoutId layout = evaluator_.given(operands[k].value);
        int from = argumentSlot_[operands[k].value.at()];
        if (producer.isValid()) {
            layout = edge.fromCopy ? a_.ops[producer.at()].copy : a_.ops[producer.at()].output;
            from = edge.fromCopy ? states_[producer.at()].copySlot : states_[producer.at()].slot;
        }
        if (from >= 0) addOnce(state.reads, from);
        if (edge.reshard >= 0 && layout >= 0) {
            const Answer answer = evaluator_.convert(operands[k].value, layout, edge.reshard);
            state.ns += answer.ns;
            state.conversions.push_back({from, evaluator_.l1Bytes(edge.reshard), answer.need, answer.isLegal});
            layout = edge.reshard;
            if (k == 0 && evaluator_.isInL1(layout)) state.first = viewedSlot(op);
        } else if (from >= 0) {
            addOnce(state.direct, from);
            if (k == 0) state.first = from;
        }
        layouts.push_back(layout);
    }
}

LiveCost::OpState LiveCost::stateOf(OperationId op) {
    OpState state;
    std::vector<LayoutId> layouts;
    readOperands(op, state, layouts);
    const OpChoice& choice = a_.ops[op.at()];
    const ValueId result = evaluator_.function().resultOf(op);
    slot(resultSlot(op)).bytes = slot(copySlotOf(op)).bytes = slot(viewedSlot(op)).bytes = 0;
    if (!result.isValid() || choice.output < 0) return state;
    state.runs = true;
    state.answer = evaluator_.ask(op, layouts, choice.output, choice.attrs);
    state.ns += state.answer.ns;
    state.sharded = evaluator_.isSharded(choice.output) ? 1 : 0;
    if (evaluator_.isInL1(choice.output)) {
        const bool isView = state.answer.isView && state.first >= 0;
        state.slot = isView ? state.first : resultSlot(op);
        if (!isView) state.resultBytes = slot(state.slot).bytes = evaluator_.l1Bytes(choice.output);
        if (state.slot == viewedSlot(op)) slot(state.slot).bytes = state.conversions.front().bytes;
    }
    if (choice.copy < 0) return state;
    state.hasCopy = true;
    state.copy = evaluator_.convert(result, choice.output, choice.copy);
    state.ns += state.copy.ns;
    if (!evaluator_.isInL1(choice.copy)) return state;
    state.copySlot = copySlotOf(op);
    slot(state.copySlot).bytes = evaluator_.l1Bytes(choice.copy);
    return state;
}

/// Takes a slot out of the count, before anything about it changes.
void LiveCost::touch(int number) {
    Slot& touched = slot(number);
    if (touched.isCounted) addThrough(touched, -touched.bytes);
    touched.isCounted = false;
    if (isTouched_[static_cast<std::size_t>(number)]) return;
    isTouched_[static_cast<std::size_t>(number)] = true;
    touched_.push_back(number);
}

void LiveCost::settleSlots() {
    for (const int number : touched_) {
        Slot& touched = slot(number);
        touched.begin = touched.maker < 0 ? -1 : position_[static_cast<std::size_t>(touched.maker)];
        touched.end = touched.isReturned ? static_cast<int>(a_.order.size()) : touched.begin;
        for (const int reader : touched.readers)
            touched.end = std::max(touched.end, position_[static_cast<std::size_t>(reader)]);
        if (touched.bytes == 0) continue;
        touched.isCounted = true;
        addThrough(touched, touched.bytes);
    }
    for (const int number : touched_) {
        isTouched_[static_cast<std::size_t>(number)] = false;
        for (const int reader : slot(number).readers)
            settleSlack(OperationId{reader});
    }
    touched_.clear();
}

void LiveCost::addThrough(const Slot& slot, Bytes bytes) {
    for (int at = slot.begin + 1; at < slot.end; ++at) {
        const auto p = static_cast<std::size_t>(at);
        refused_ -= through_[p] > slack_[p] ? 1 : 0;
        through_[p] += bytes;
        refused_ += through_[p] > slack_[p] ? 1 : 0;
        pressure_ += bytes;
    }
}

void LiveCost::setSlack(std::size_t position, Bytes slack) {
    refused_ -= through_[position] > slack_[position] ? 1 : 0;
    slack_[position] = slack;
    refused_ += through_[position] > slack_[position] ? 1 : 0;
}

void LiveCost::settleSlack(OperationId op) {
    if (position_[op.at()] >= 0) setSlack(positionOf(op), slackOf(op));
}

/// Beside conversion `j` stand those before it and the slots that end here and are read from there on.
Bytes LiveCost::slackOfConversion(const OpState& state, std::size_t j, int at) const {
    const Conversion& own = state.conversions[j];
    if (!own.isLegal) return kNever;
    Bytes others = 0;
    for (std::size_t i = 0; i < j; ++i)
        others += state.conversions[i].bytes;
    for (const int number : state.reads) {
        const Slot& read = slot(number);
        if (read.end > at) {
            others -= number == own.from ? read.bytes : 0;
            continue;
        }
        bool isRead = contains(state.direct, number);
        for (std::size_t i = j; i < state.conversions.size(); ++i)
            isRead = isRead || state.conversions[i].from == number;
        others += isRead && number != own.from ? read.bytes : 0;
    }
    return evaluator_.limit() - own.need - others;
}

Bytes LiveCost::slackOfRun(const OpState& state, int at) const {
    Bytes staying = 0, ending = 0;
    for (const int number : state.direct)
        (slot(number).end > at ? staying : ending) += slot(number).bytes;
    if (state.answer.isUnmodelled) {
        Bytes own = ending + state.resultBytes;
        for (const Conversion& conversion : state.conversions)
            own += conversion.bytes;
        return own > 0 ? kNever : 0;
    }
    return state.answer.isLegal ? evaluator_.limit() - state.answer.need + staying : kNever;
}

Bytes LiveCost::slackOf(OperationId op) const {
    if (evaluator_.isUndecided(op) || evaluator_.isHopeless(op)) return kAlways;
    const OpState& state = states_[op.at()];
    const int at = position_[op.at()];
    Bytes slack = kAlways;
    for (std::size_t j = 0; j < state.conversions.size(); ++j)
        slack = std::min(slack, slackOfConversion(state, j, at));
    if (state.runs) slack = std::min(slack, slackOfRun(state, at));
    if (!state.hasCopy) return slack;
    if (!state.copy.isLegal) return kNever;
    const bool isStaying = contains(state.reads, state.slot) && slot(state.slot).end > at;
    const Bytes own = isStaying ? slot(state.slot).bytes : 0;
    return std::min(slack, evaluator_.limit() - state.copy.need + own);
}

}  // namespace memplan::ttnn

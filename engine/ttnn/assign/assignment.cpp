// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/assign/assignment.h"

#include <algorithm>
#include <utility>

namespace memplan::ttnn {
namespace {

/// Conversions that were inserted, by operation of the transformed function.
std::vector<const Conversion*> insertedIn(const Transformed& transformed) {
    std::vector<const Conversion*> inserted(transformed.function.operations.size(), nullptr);
    for (const Conversion& conversion : transformed.conversions)
        if (!conversion.isInPlace) inserted[conversion.op.at()] = &conversion;
    return inserted;
}

EdgeChoice edgeOf(Evaluator& evaluator, const Transformed& transformed, const std::vector<const Conversion*>& inserted,
                  ValueId operand) {
    const Function& f = transformed.function;
    EdgeChoice edge;
    OperationId producer = f.value(operand).producer;
    if (producer.isValid() && inserted[producer.at()] && isReshard(inserted[producer.at()]->kind)) {
        edge.reshard = evaluator.idOf(*f.typeOf(operand).layout);
        operand = f.operation(producer).operands.front();
        producer = f.value(operand).producer;
    }
    edge.fromCopy = producer.isValid() && inserted[producer.at()];
    return edge;
}

/// The user wants a conversion there; it is added for itself.
bool isByHand(const PolicyInput& input, OperationId consumer, int operand) {
    return std::ranges::any_of(input.overrides, [&](const Reshard& reshard) {
        return reshard.consumer == consumer && reshard.operand == operand;
    });
}

bool isGain(double before, double after) {
    return before - after > 1e-6 * before;
}

}  // namespace

bool Evaluation::isBetterThan(const Evaluation& other) const {
    if (isLegal != other.isLegal) return isLegal;
    if (isGain(other.ns, ns)) return true;
    if (isGain(ns, other.ns)) return false;
    if (sharded != other.sharded) return sharded > other.sharded;
    return reshards < other.reshards;
}

Assignment assignmentOf(Evaluator& evaluator, const Transformed& transformed) {
    const Function& f = transformed.function;
    const auto inserted = insertedIn(transformed);
    Assignment assignment;
    assignment.ops.resize(evaluator.function().operations.size());
    for (const OperationId id : f.order) {
        if (inserted[id.at()]) continue;
        assignment.order.push_back(id);
        OpChoice& choice = assignment.ops[id.at()];
        const ValueId result = f.resultOf(id);
        if (result.isValid() && f.typeOf(result).layout) choice.output = evaluator.idOf(*f.typeOf(result).layout);
        choice.attrs = evaluator.idOf(transformed.configs[id.at()].attrs);
        for (const TensorOperand& operand : evaluator.flow().operands(id))
            choice.edges.push_back(edgeOf(evaluator, transformed, inserted,
                                          f.operation(id).operands[static_cast<std::size_t>(operand.position)]));
    }
    for (const Conversion& conversion : transformed.conversions) {
        if (conversion.isInPlace || isReshard(conversion.kind)) continue;
        const OperationId producer = f.value(conversion.value).producer;
        if (!producer.isValid()) continue;  // the copy of a returned argument is no choice
        assignment.ops[producer.at()].copy = evaluator.idOf(*f.typeOf(f.resultOf(conversion.op)).layout);
    }
    return assignment;
}

Solution solutionOf(const Evaluator& evaluator, const Assignment& assignment) {
    const Function& f = evaluator.function();
    Solution solution;
    solution.configs.resize(f.operations.size());
    solution.directUses.emplace();
    for (const OperationId id : assignment.order) {
        const OpChoice& choice = assignment.ops[id.at()];
        solution.schedule.push_back(id);
        if (choice.output >= 0 && !evaluator.isUndecided(id))
            solution.configs[id.at()] = OpConfig{evaluator.layout(choice.output), evaluator.attrs(choice.attrs)};
        if (choice.copy >= 0) (evaluator.isInL1(choice.copy) ? solution.spillToL1 : solution.spillToDram).push_back(id);
        const auto& operands = evaluator.flow().operands(id);
        for (std::size_t k = 0; k < choice.edges.size(); ++k) {
            const EdgeChoice& edge = choice.edges[k];
            const OperationId producer = operands[k].producer;
            if (edge.reshard >= 0 && !isByHand(evaluator.input(), id, operands[k].position))
                solution.reshards.push_back(
                    {id, operands[k].position, {evaluator.layout(edge.reshard)}, ReshardOrigin::Proactive});
            if (producer.isValid() && assignment.ops[producer.at()].copy >= 0 && !edge.fromCopy)
                solution.directUses->push_back({id, operands[k].position});
        }
    }
    return solution;
}

AssignmentCost::AssignmentCost(Evaluator& evaluator) : evaluator_(evaluator) {}

LayoutId AssignmentCost::source(const Assignment& assignment, const TensorOperand& operand,
                                const EdgeChoice& edge) const {
    if (!operand.producer.isValid()) return evaluator_.given(operand.value);
    const OpChoice& producer = assignment.ops[operand.producer.at()];
    return edge.fromCopy ? producer.copy : producer.output;
}

std::vector<LayoutId> AssignmentCost::inputs(const Assignment& assignment, OperationId op) const {
    std::vector<LayoutId> layouts;
    const auto& operands = evaluator_.flow().operands(op);
    const auto& edges = assignment.ops[op.at()].edges;
    for (std::size_t k = 0; k < operands.size(); ++k)
        layouts.push_back(edges[k].reshard >= 0 ? edges[k].reshard : source(assignment, operands[k], edges[k]));
    return layouts;
}

int AssignmentCost::newSlot(LayoutId layout) {
    if (layout < 0 || !evaluator_.isInL1(layout)) return -1;
    const int now = static_cast<int>(items_.size());
    slots_.push_back({evaluator_.l1Bytes(layout), now, now});
    return static_cast<int>(slots_.size()) - 1;
}

void AssignmentCost::use(int slot) {
    if (slot >= 0) slots_[static_cast<std::size_t>(slot)].last = static_cast<int>(items_.size());
}

void AssignmentCost::addItem(OperationId op, const Answer& answer, std::vector<int> own) {
    std::erase(own, -1);
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
    result_.ns += answer.ns;
    items_.push_back({op, answer, std::move(own)});
}

void AssignmentCost::addOp(const Assignment& assignment, OperationId op) {
    const OpChoice& choice = assignment.ops[op.at()];
    const auto& operands = evaluator_.flow().operands(op);
    std::vector<LayoutId> layouts;
    std::vector<int> own;
    for (std::size_t k = 0; k < operands.size(); ++k) {
        const EdgeChoice& edge = choice.edges[k];
        LayoutId layout = source(assignment, operands[k], edge);
        int slot = (edge.fromCopy ? copySlotOf_ : slotOf_)[operands[k].value.at()];
        if (edge.reshard >= 0 && layout >= 0) {
            use(slot);
            const int to = newSlot(edge.reshard);
            addItem(op, evaluator_.convert(operands[k].value, layout, edge.reshard), {slot, to});
            slot = to;
            layout = edge.reshard;
            ++result_.reshards;
        }
        own.push_back(slot);
        layouts.push_back(layout);
    }
    for (const int slot : own)
        use(slot);
    const ValueId result = evaluator_.function().resultOf(op);
    if (!result.isValid() || choice.output < 0) return;
    const Answer answer = evaluator_.ask(op, layouts, choice.output, choice.attrs);
    const bool isAlias = answer.isView && !own.empty() && own.front() >= 0 && evaluator_.isInL1(choice.output);
    const int slot = isAlias ? own.front() : newSlot(choice.output);
    slotOf_[result.at()] = slot;
    own.push_back(slot);
    addItem(op, answer, std::move(own));
    result_.sharded += evaluator_.isSharded(choice.output);
    if (choice.copy < 0) return;
    use(slot);
    const int copy = newSlot(choice.copy);
    copySlotOf_[result.at()] = copy;
    addItem(op, evaluator_.convert(result, choice.output, choice.copy), {slot, copy});
}

Evaluation AssignmentCost::operator()(const Assignment& assignment) {
    result_ = {};
    items_.clear();
    slots_.clear();
    const Function& f = evaluator_.function();
    slotOf_.assign(f.values.size(), -1);
    copySlotOf_.assign(f.values.size(), -1);
    for (const ValueId argument : f.arguments)
        slotOf_[argument.at()] = newSlot(evaluator_.given(argument));
    for (const OperationId op : assignment.order)
        addOp(assignment, op);
    std::vector<Bytes> change(items_.size() + 1, 0);
    for (const Slot& slot : slots_) {
        change[static_cast<std::size_t>(slot.first)] += slot.bytes;
        if (static_cast<std::size_t>(slot.last) + 1 < change.size())
            change[static_cast<std::size_t>(slot.last) + 1] -= slot.bytes;
    }
    Bytes live = 0;
    for (std::size_t i = 0; i < items_.size(); ++i) {
        live += change[i];
        Bytes others = live;
        for (const int slot : items_[i].own)
            others -= slots_[static_cast<std::size_t>(slot)].bytes;
        const Answer& answer = items_[i].answer;
        const bool fits = answer.need + others <= evaluator_.limit();
        const bool isFine = answer.isUnmodelled ? live == 0 : answer.isLegal && fits;
        if (isFine || evaluator_.isUndecided(items_[i].op) || evaluator_.isHopeless(items_[i].op)) continue;
        if (result_.isLegal) {
            result_.firstRefused = items_[i].op;
            result_.over = answer.isLegal ? answer.need + others - evaluator_.limit() : 0;
        }
        result_.isLegal = false;
    }
    return result_;
}

}  // namespace memplan::ttnn

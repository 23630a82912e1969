// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/assign/editor.h"

#include <algorithm>

namespace memplan::ttnn {
namespace {

constexpr int kDeepest = 24;  ///< of readers whose configuration changes because that of what they read does

}  // namespace

AssignmentEditor::AssignmentEditor(Evaluator& evaluator, Assignment& assignment)
    : evaluator_(evaluator), a_(assignment), cost_(evaluator), position_(assignment.ops.size(), -1) {
    for (std::size_t i = 0; i < a_.order.size(); ++i)
        position_[a_.order[i].at()] = static_cast<int>(i);
}

LayoutId AssignmentEditor::source(OperationId op, std::size_t operand) const {
    return cost_.source(a_, evaluator_.flow().operands(op)[operand], a_.ops[op.at()].edges[operand]);
}

bool AssignmentEditor::runs(OperationId op) const {
    const OpChoice& choice = a_.ops[op.at()];
    if (choice.output < 0 || evaluator_.isUndecided(op)) return true;
    const std::vector<LayoutId> inputs = cost_.inputs(a_, op);
    const Answer answer = evaluator_.ask(op, inputs, choice.output, choice.attrs);
    if (!answer.isUnmodelled) return answer.isLegal;
    return std::ranges::none_of(inputs, [&](LayoutId id) { return id >= 0 && evaluator_.isInL1(id); });
}

void AssignmentEditor::makeCopy(OperationId op) {
    OpChoice& choice = a_.ops[op.at()];
    if (choice.copy < 0 && choice.output >= 0 && evaluator_.isInL1(choice.output))
        choice.copy = evaluator_.dramOf(evaluator_.function().resultOf(op), choice.output);
}

void AssignmentEditor::readFromDram(OperationId op) {
    const auto& operands = evaluator_.flow().operands(op);
    for (std::size_t k = 0; k < operands.size(); ++k) {
        EdgeChoice& edge = a_.ops[op.at()].edges[k];
        edge.reshard = -1;
        const LayoutId own = source(op, k);
        if (own < 0 || !evaluator_.isInL1(own)) continue;
        if (operands[k].producer.isValid()) {
            makeCopy(operands[k].producer);
            edge.fromCopy = a_.ops[operands[k].producer.at()].copy >= 0;
        } else {
            edge.reshard = evaluator_.dramOf(operands[k].value, own);
        }
    }
}

void AssignmentEditor::demote(OperationId op) {
    readFromDram(op);
    const std::vector<LayoutId> inputs = cost_.inputs(a_, op);
    Option option = evaluator_.defaultOption(op, inputs);
    if (!option.answer.isLegal && !option.answer.isUnmodelled) {
        for (const Option& other : evaluator_.options(op, inputs)) {
            option = other;
            break;
        }
    }
    setOption(op, option);
    if (evaluator_.isInL1(option.answer.output)) evict(op, 0);
}

/// What it reads has changed so that it does not run any more.
void AssignmentEditor::chooseOption(OperationId op) {
    const auto& options = evaluator_.options(op, cost_.inputs(a_, op));
    if (options.empty() || depth_ >= kDeepest) {
        demote(op);
        return;
    }
    // The kind of result that it had, if there is one: its readers count on it.
    const LayoutId had = a_.ops[op.at()].output;
    const Option* best = &options.front();
    for (const Option& option : options) {
        const bool isAlike = evaluator_.isInL1(option.answer.output) == evaluator_.isInL1(had) &&
                             evaluator_.isSharded(option.answer.output) == evaluator_.isSharded(had);
        if (option.answer.output == had) best = &option;
        if (option.answer.output == had) break;
        if (isAlike && evaluator_.isSharded(best->answer.output) != evaluator_.isSharded(had)) best = &option;
    }
    ++depth_;
    setOption(op, *best);
    --depth_;
}

void AssignmentEditor::adapt(OperationId reader, std::size_t operand, LayoutId before) {
    EdgeChoice& edge = a_.ops[reader.at()].edges[operand];
    const LayoutId now = source(reader, operand);
    if (edge.reshard == now) edge.reshard = -1;
    if (edge.reshard >= 0 || now == before || runs(reader)) return;
    const bool mayConvert = before >= 0 && evaluator_.isInL1(before);
    if (mayConvert) {
        edge.reshard = before;
        if (runs(reader)) return;
        edge.reshard = -1;
    }
    chooseOption(reader);
}

void AssignmentEditor::adaptReaders(OperationId op, LayoutId before, int fromPosition) {
    for (const OperationId reader : evaluator_.flow().readers(op)) {
        if (position_[reader.at()] < fromPosition) continue;
        const auto& operands = evaluator_.flow().operands(reader);
        for (std::size_t k = 0; k < operands.size(); ++k)
            if (operands[k].producer == op && !a_.ops[reader.at()].edges[k].fromCopy) adapt(reader, k, before);
    }
}

void AssignmentEditor::setOption(OperationId op, const Option& option) {
    OpChoice& choice = a_.ops[op.at()];
    const LayoutId before = choice.output;
    choice.output = option.answer.output;
    choice.attrs = option.attrs;
    if (before == choice.output || choice.output < 0) return;
    const bool isInL1 = evaluator_.isInL1(choice.output);
    if (choice.copy >= 0) {
        // The copy stays one in DRAM; a value in DRAM needs none.
        choice.copy = isInL1 ? evaluator_.dramOf(evaluator_.function().resultOf(op), choice.output) : -1;
        if (!isInL1)
            for (const OperationId reader : evaluator_.flow().readers(op)) {
                const auto& operands = evaluator_.flow().operands(reader);
                for (std::size_t k = 0; k < operands.size(); ++k)
                    if (operands[k].producer == op) a_.ops[reader.at()].edges[k].fromCopy = false;
            }
    }
    adaptReaders(op, before, 0);
}

void AssignmentEditor::setEdge(OperationId op, std::size_t operand, EdgeChoice edge) {
    a_.ops[op.at()].edges[operand] = edge;
    if (edge.fromCopy) {
        const OperationId producer = evaluator_.flow().operands(op)[operand].producer;
        makeCopy(producer);
        if (a_.ops[producer.at()].copy < 0) a_.ops[op.at()].edges[operand].fromCopy = false;
    }
    if (!runs(op)) chooseOption(op);
}

void AssignmentEditor::evict(OperationId op, int fromPosition) {
    makeCopy(op);
    OpChoice& choice = a_.ops[op.at()];
    if (choice.copy < 0) return;
    const bool isCopyInL1 = evaluator_.isInL1(choice.copy);
    if (isCopyInL1) choice.copy = evaluator_.dramOf(evaluator_.function().resultOf(op), choice.output);
    for (const OperationId reader : evaluator_.flow().readers(op)) {
        if (!isCopyInL1 && position_[reader.at()] < fromPosition) continue;
        const auto& operands = evaluator_.flow().operands(reader);
        for (std::size_t k = 0; k < operands.size(); ++k) {
            EdgeChoice& edge = a_.ops[reader.at()].edges[k];
            if (operands[k].producer != op || (edge.fromCopy && !isCopyInL1)) continue;
            edge.fromCopy = true;
            adapt(reader, k, a_.ops[op.at()].output);
        }
    }
}

void AssignmentEditor::keep(OperationId op) {
    const LayoutId before = a_.ops[op.at()].copy;
    if (before < 0) return;
    for (const OperationId reader : evaluator_.flow().readers(op)) {
        const auto& operands = evaluator_.flow().operands(reader);
        for (std::size_t k = 0; k < operands.size(); ++k) {
            EdgeChoice& edge = a_.ops[reader.at()].edges[k];
            if (operands[k].producer != op || !edge.fromCopy) continue;
            edge.fromCopy = false;
            adapt(reader, k, before);
        }
    }
    tidyCopies();
}

void AssignmentEditor::tidyCopies() {
    std::vector<bool> isRead(a_.ops.size(), false);
    for (const OperationId op : a_.order) {
        const auto& operands = evaluator_.flow().operands(op);
        for (std::size_t k = 0; k < operands.size(); ++k)
            if (a_.ops[op.at()].edges[k].fromCopy) isRead[operands[k].producer.at()] = true;
    }
    for (const OperationId op : a_.order) {
        OpChoice& choice = a_.ops[op.at()];
        const bool isReturned = evaluator_.flow().isReturned(op);
        if (!isRead[op.at()] && !isReturned) choice.copy = -1;
        if (isReturned) makeCopy(op);
    }
}

}  // namespace memplan::ttnn

// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/assign/editor.h"

#include <algorithm>

namespace memplan::ttnn {
namespace {

constexpr int kDeepest = 24;  ///< of readers whose configuration changes because that of what they read does

}  // namespace

AssignmentEditor::AssignmentEditor(Evaluator& evaluator, Assignment& assignment)
    : evaluator_(evaluator), a_(assignment), cost_(evaluator) {
    takeOrder();
}

void AssignmentEditor::takeOrder() {
    position_.assign(a_.ops.size(), -1);
    for (std::size_t i = 0; i < a_.order.size(); ++i)
        position_[a_.order[i].at()] = static_cast<int>(i);
}

void AssignmentEditor::begin() {
    isInJournal_.resize(a_.ops.size(), false);
    for (const auto& [op, choice] : journal_)
        isInJournal_[op.at()] = false;
    journal_.clear();
    isRecording_ = true;
}

void AssignmentEditor::rollBack() {
    for (auto& [op, choice] : journal_)
        a_.ops[op.at()] = std::move(choice);
    begin();
}

OpChoice& AssignmentEditor::edit(OperationId op) {
    if (isRecording_ && !isInJournal_[op.at()]) {
        isInJournal_[op.at()] = true;
        journal_.emplace_back(op, a_.ops[op.at()]);
    }
    return a_.ops[op.at()];
}

double AssignmentEditor::ns(const Assignment& assignment, OperationId op) {
    const OpChoice& choice = assignment.ops[op.at()];
    const auto& operands = evaluator_.flow().operands(op);
    double sum = 0;
    std::vector<LayoutId> layouts;
    for (std::size_t k = 0; k < operands.size(); ++k) {
        const EdgeChoice& edge = choice.edges[k];
        const LayoutId from = cost_.source(assignment, operands[k], edge);
        if (edge.reshard >= 0 && from >= 0) sum += evaluator_.convert(operands[k].value, from, edge.reshard).ns;
        layouts.push_back(edge.reshard >= 0 ? edge.reshard : from);
    }
    if (choice.output < 0) return sum;
    sum += evaluator_.ask(op, layouts, choice.output, choice.attrs).ns;
    if (choice.copy >= 0) sum += evaluator_.convert(evaluator_.function().resultOf(op), choice.output, choice.copy).ns;
    return sum;
}

/// Of the changed operations and of all that read them, now and before.
AssignmentEditor::Change AssignmentEditor::change() {
    std::vector<OperationId> touched;
    for (const auto& [op, choice] : journal_) {
        touched.push_back(op);
        for (const OperationId reader : evaluator_.flow().readers(op))
            touched.push_back(reader);
    }
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    Change change;
    const auto add = [&](int sign) {
        for (const OperationId op : touched) {
            change.ns += sign * ns(a_, op);
            const LayoutId output = a_.ops[op.at()].output;
            change.sharded += output >= 0 && evaluator_.isSharded(output) ? sign : 0;
        }
    };
    add(1);
    for (auto& [op, choice] : journal_)
        std::swap(a_.ops[op.at()], choice);
    add(-1);
    for (auto& [op, choice] : journal_)
        std::swap(a_.ops[op.at()], choice);
    return change;
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
    const OpChoice& choice = a_.ops[op.at()];
    if (choice.copy < 0 && choice.output >= 0 && evaluator_.isInL1(choice.output))
        edit(op).copy = evaluator_.dramOf(evaluator_.function().resultOf(op), choice.output);
}

void AssignmentEditor::readFromDram(OperationId op) {
    const auto& operands = evaluator_.flow().operands(op);
    for (std::size_t k = 0; k < operands.size(); ++k) {
        EdgeChoice& edge = edit(op).edges[k];
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
    EdgeChoice& edge = edit(reader).edges[operand];
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

void AssignmentEditor::adaptReaders(OperationId op, LayoutId before, OperationId except) {
    for (const OperationId reader : evaluator_.flow().readers(op)) {
        if (reader == except) continue;
        const auto& operands = evaluator_.flow().operands(reader);
        for (std::size_t k = 0; k < operands.size(); ++k)
            if (operands[k].producer == op && !a_.ops[reader.at()].edges[k].fromCopy) adapt(reader, k, before);
    }
}

void AssignmentEditor::setOption(OperationId op, const Option& option) {
    place(op, option, a_.ops[op.at()].edges, {});
}

void AssignmentEditor::place(OperationId op, const Option& option, const std::vector<EdgeChoice>& edges,
                             OperationId next) {
    OpChoice& choice = edit(op);
    const LayoutId before = choice.output;
    choice.output = option.answer.output;
    choice.attrs = option.attrs;
    choice.edges = edges;
    if (before == choice.output || choice.output < 0) return;
    const bool isInL1 = evaluator_.isInL1(choice.output);
    // The copy stays one in DRAM; a value in DRAM needs none.
    if (choice.copy >= 0)
        choice.copy = isInL1 ? evaluator_.dramOf(evaluator_.function().resultOf(op), choice.output) : -1;
    if (!isInL1) readValueItself(op);
    adaptReaders(op, before, next);
}

void AssignmentEditor::readValueItself(OperationId op) {
    for (const OperationId reader : evaluator_.flow().readers(op)) {
        const auto& operands = evaluator_.flow().operands(reader);
        for (std::size_t k = 0; k < operands.size(); ++k)
            if (operands[k].producer == op && a_.ops[reader.at()].edges[k].fromCopy)
                edit(reader).edges[k].fromCopy = false;
    }
}

void AssignmentEditor::setEdge(OperationId op, std::size_t operand, EdgeChoice edge) {
    const OperationId producer = evaluator_.flow().operands(op)[operand].producer;
    edge.fromCopy = edge.fromCopy && producer.isValid();
    edit(op).edges[operand] = edge;
    if (edge.fromCopy) {
        makeCopy(producer);
        if (a_.ops[producer.at()].copy < 0) edit(op).edges[operand].fromCopy = false;
    }
    if (!runs(op)) chooseOption(op);
}

void AssignmentEditor::evict(OperationId op, int fromPosition) {
    makeCopy(op);
    if (a_.ops[op.at()].copy < 0) return;
    OpChoice& choice = edit(op);
    const bool isCopyInL1 = evaluator_.isInL1(choice.copy);
    if (isCopyInL1) choice.copy = evaluator_.dramOf(evaluator_.function().resultOf(op), choice.output);
    for (const OperationId reader : evaluator_.flow().readers(op)) {
        if (!isCopyInL1 && position_[reader.at()] < fromPosition) continue;
        const auto& operands = evaluator_.flow().operands(reader);
        for (std::size_t k = 0; k < operands.size(); ++k) {
            const EdgeChoice& edge = a_.ops[reader.at()].edges[k];
            if (operands[k].producer != op || (edge.fromCopy && !isCopyInL1)) continue;
            edit(reader).edges[k].fromCopy = true;
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
            const EdgeChoice& edge = a_.ops[reader.at()].edges[k];
            if (operands[k].producer != op || !edge.fromCopy) continue;
            edit(reader).edges[k].fromCopy = false;
            adapt(reader, k, before);
        }
    }
    tidyCopies();
}

void AssignmentEditor::tidyCopy(OperationId op) {
    if (evaluator_.flow().isReturned(op)) return makeCopy(op);
    if (a_.ops[op.at()].copy < 0) return;
    for (const OperationId reader : evaluator_.flow().readers(op)) {
        const auto& operands = evaluator_.flow().operands(reader);
        for (std::size_t k = 0; k < operands.size(); ++k)
            if (operands[k].producer == op && a_.ops[reader.at()].edges[k].fromCopy) return;
    }
    edit(op).copy = -1;
}

void AssignmentEditor::tidyCopies() {
    for (const OperationId op : a_.order)
        tidyCopy(op);
}

void AssignmentEditor::tidyChanged() {
    for (const OperationId op : changed()) {
        tidyCopy(op);
        for (const TensorOperand& operand : evaluator_.flow().operands(op))
            if (operand.producer.isValid()) tidyCopy(operand.producer);
    }
}

std::vector<OperationId> AssignmentEditor::changed() const {
    std::vector<OperationId> ops;
    for (const auto& [op, choice] : journal_)
        ops.push_back(op);
    return ops;
}

bool AssignmentEditor::swap(std::size_t position) {
    OperationId& first = a_.order[position];
    OperationId& second = a_.order[position + 1];
    const Function& f = evaluator_.function();
    // What has no result does something to its operands.
    if (f.operation(first).results.empty() || f.operation(second).results.empty()) return false;
    for (const ValueId result : f.operation(first).results)
        for (const Use& use : evaluator_.flow().uses(result))
            if (use.user == second) return false;
    std::swap(first, second);
    std::swap(position_[first.at()], position_[second.at()]);
    return true;
}

}  // namespace memplan::ttnn

// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/advice/situation.h"

#include "engine/base/text.h"
#include "engine/ttnn/layout/arithmetic.h"

#include <algorithm>

namespace memplan::ttnn {
namespace {

io::JsonValue emptyObject() {
    io::JsonValue object;
    object.type = io::JsonType::Object;
    return object;
}

Hint hintFor(const std::string& id, std::string_view key, HintValue value) {
    Hint hint;
    hint.target = "ttnn";
    hint.scopes = {"op:" + id};
    hint.key = key;
    hint.value = std::move(value);
    return hint;
}

}  // namespace

Facts::Facts(const Situation& situation)
    : s(situation), function(situation.input.function), flow(situation.input.function),
      record(situation.solution.record), inPlan_(situation.transformed.function.operations.size()),
      position_(situation.input.function.operations.size(), -1),
      measures_(situation.transformed.function.operations.size(), nullptr) {
    const auto& order = s.transformed.function.order;
    for (std::size_t i = 0; i < order.size(); ++i)
        inPlan_[order[i].at()] = OpId::of(i);
    const auto& schedule = s.solution.schedule.empty() ? function.order : s.solution.schedule;
    for (std::size_t i = 0; i < schedule.size(); ++i)
        position_[schedule[i].at()] = static_cast<Step>(i);
    for (const OpMeasure& m : s.measures.ops)
        measures_[m.op.at()] = &m;
}

const Layout* Facts::layout(OperationId op) const {
    const ValueId result = function.resultOf(op);
    if (!result.isValid()) return nullptr;
    const auto& layout = s.transformed.function.typeOf(result).layout;
    return layout ? &*layout : nullptr;
}

const Layout* Facts::read(OperationId op, int operand) const {
    const auto& operands = s.transformed.function.operation(op).operands;
    if (operand < 0 || static_cast<std::size_t>(operand) >= operands.size()) return nullptr;
    const auto& layout = s.transformed.function.typeOf(operands[static_cast<std::size_t>(operand)]).layout;
    return layout ? &*layout : nullptr;
}

std::optional<std::vector<Layout>> Facts::inputs(OperationId op) const {
    std::vector<Layout> layouts;
    for (const TensorOperand& operand : flow.operands(op)) {
        const Layout* layout = read(op, operand.position);
        if (layout == nullptr) return std::nullopt;
        layouts.push_back(*layout);
    }
    return layouts;
}

OpConfig Facts::config(OperationId op) const {
    OpConfig config = s.transformed.configs[op.at()];
    const Layout* own = layout(op);
    if (own != nullptr) config.output = *own;
    return config;
}

const OpSpace* Facts::space(OperationId op) const {
    const auto& ops = s.input.space.ops;
    return op.at() < ops.size() ? &ops[op.at()] : nullptr;
}

int Facts::chainIndex(OperationId op) const {
    return op.isValid() && op.at() < record.ops.size() ? record.ops[op.at()].chain : -1;
}

const ChainInfo* Facts::chainOf(OperationId op) const {
    const int chain = chainIndex(op);
    return chain < 0 ? nullptr : &record.chains[static_cast<std::size_t>(chain)];
}

Bytes Facts::wholeBytes(ValueId value) const {
    const Type& type = s.transformed.function.typeOf(value);
    if (!type.layout) return 0;
    return dramInterleaved(type.shape, *type.layout, s.input.model.device()).shardBytes();
}

bool Facts::runs(OperationId op, std::span<const Layout> inputs, const OpConfig& config) const {
    const Validation answer = s.input.model.validate({function, operation(op), inputs, config, 0, 0});
    return answer.ok() && !answer.constraints.outputs.empty() &&
           (!config.output || answer.constraints.outputs.front() == *config.output);
}

Hint Facts::hint(OperationId op, std::string_view key, HintValue value) const {
    return hintFor(s.hintIds[op.at()], key, std::move(value));
}

Hint Facts::layoutHint(OperationId op, const Layout& layout) const {
    return layoutHintFor(s.hintIds[op.at()], layout);
}

Hint Facts::memLayoutHint(OperationId op, MemLayout mem) const {
    io::JsonValue object = emptyObject();
    setMember(object, "mem", io::jsonString(std::string(wordOf(mem))));
    return hint(op, "output_layout", HintValue(std::move(object)));
}

std::string Facts::likeness(std::span<const OperationId> ops) const {
    std::string text;
    for (const OperationId op : ops) {
        text.append(operation(op).kind());
        for (const TensorOperand& operand : flow.operands(op))
            text += " " + text::shapeText(function.typeOf(operand.value).shape);
        const ValueId result = function.resultOf(op);
        if (result.isValid()) text += ">" + text::shapeText(function.typeOf(result).shape);
        text += ";";
    }
    return text;
}

Proposal settingProposal(std::string text, std::string_view key, std::string value) {
    Proposal proposal;
    proposal.change.text = std::move(text);
    proposal.change.settings.emplace_back(key, std::move(value));
    return proposal;
}

Proposal hintProposal(std::string text, std::vector<Hint> hints) {
    Proposal proposal;
    proposal.change.text = std::move(text);
    proposal.change.hints = std::move(hints);
    return proposal;
}

Hint layoutHintFor(const std::string& id, const Layout& layout) {
    io::JsonValue object = emptyObject();
    setMember(object, "grid", io::jsonArray({io::jsonInteger(layout.grid.rows), io::jsonInteger(layout.grid.cols)}));
    setMember(object, "buffer", io::jsonString(std::string(wordOf(layout.buffer))));
    setMember(object, "mem", io::jsonString(std::string(wordOf(layout.mem.value_or(MemLayout::Interleaved)))));
    setMember(object, "page", io::jsonString(std::string(wordOf(layout.page))));
    return hintFor(id, "output_layout", HintValue(std::move(object)));
}

HintValue wordValue(std::string_view word) {
    return HintValue(HintValue::Payload(std::string(word)));
}

std::string shortWords(const Layout& layout) {
    if (!layout.mem) return std::string(wordOf(layout.buffer));
    if (!layout.isSharded()) return std::string(wordOf(layout.buffer)) + " " + std::string(wordOf(*layout.mem));
    return std::string(wordOf(*layout.mem)) + " " + std::to_string(layout.grid.rows) + "x" +
           std::to_string(layout.grid.cols) + (layout.isTiled() ? "" : " row_major");
}

}  // namespace memplan::ttnn

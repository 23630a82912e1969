// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/sharding/sharding_state.h"

#include "engine/ttnn/chains/op_kinds.h"
#include "engine/ttnn/layout/arithmetic.h"

#include <algorithm>
#include <utility>

namespace memplan::ttnn {
namespace {

std::vector<std::optional<OpConfig>> layoutsAsGiven(const Flow& flow) {
    std::vector<std::optional<OpConfig>> configs(flow.size());
    for (std::size_t i = 0; i < flow.size(); ++i) {
        if (!flow.hasTensorResult(OperationId::of(i))) continue;
        const std::optional<Layout>& layout =
            flow.function().typeOf(flow.function().resultOf(OperationId::of(i))).layout;
        if (layout) configs[i] = OpConfig{*layout, {}};
    }
    return configs;
}

Refusal refusalOf(OperationId op, Validation& validation) {
    Refusal refusal{op, std::move(validation.message), 0, 0};
    if (refusal.message.empty()) refusal.message = wordOf(validation.status);
    if (validation.status != ValidationStatus::OutOfMemoryError) return refusal;
    refusal.needed = validation.need;
    refusal.available = validation.limit;
    return refusal;
}

const Resident* findResident(std::span<const Resident> held, OperationId source) {
    const auto found = std::ranges::find(held, source, &Resident::source);
    return found == held.end() ? nullptr : &*found;
}

}  // namespace

ShardingState::ShardingState(const PolicyInput& in)
    : input(in), flow(in.function), residency(flow.size()), positions_(flow.size(), -1), chainOf_(flow.size(), -1),
      asGiven_(layoutsAsGiven(flow)) {
    record.ops.resize(flow.size());
    rules = {{}, in.options.concatChains, &in.options.chainHints};
    for (const OpSpace& space : in.space.ops)
        rules.hasSharded.push_back(!space.sharded.empty());
}

void ShardingState::buildChains() {
    Chaining chaining = ttnn::buildChains(flow, rules);
    schedule = std::move(chaining.schedule);
    for (std::size_t p = 0; p < schedule.size(); ++p)
        positions_[schedule[p].at()] = static_cast<Step>(p);
    for (std::size_t i = 0; i < flow.size(); ++i)
        record.ops[i].whyNone = chaining.notChained[i];
    for (Chain& chain : chaining.chains)
        addChain(std::move(chain));
}

int ShardingState::addChain(Chain chain) {
    const int at = static_cast<int>(chains.size());
    for (const OperationId op : chain.ops()) {
        chainOf_[op.at()] = at;
        record.ops[op.at()].chain = at;
        record.ops[op.at()].whyNone.reset();
    }
    TraceEvent& event = trace(TraceKind::ChainBuilt, at, chain.last());
    event.after = std::ssize(chain.ops());
    event.text = wordOf(chain.info().endedBy);
    chains.push_back(std::move(chain));
    reshards.emplace_back();
    return at;
}

int ShardingState::completedChainEndingIn(OperationId op) const {
    if (!op.isValid()) return -1;
    const int at = chainOf(op);
    return at >= 0 && chain(at).isCompleted() && chain(at).last() == op ? at : -1;
}

const OpConfig* ShardingState::configOf(OperationId op) const {
    const int at = chainOf(op);
    if (at >= 0 && chain(at).isCompleted()) return chain(at).configOf(op);
    return asGiven_[op.at()] ? &*asGiven_[op.at()] : nullptr;
}

Step ShardingState::lastReader(OperationId op) const {
    Step last = -1;
    for (const OperationId reader : flow.readers(op))
        last = std::max(last, positionOf(reader));
    return last;
}

bool ShardingState::hasHint(const std::vector<std::string>& locations, OperationId op) const {
    const std::string& name = flow.operation(op).location.name;
    return !name.empty() && std::ranges::find(locations, name) != locations.end();
}

std::optional<SpillWish> ShardingState::spillWish(OperationId op) const {
    const std::string& name = flow.operation(op).location.name;
    const auto& wishes = input.options.chainHints.spill;
    const auto found =
        std::ranges::find_if(wishes, [&](const auto& wish) { return !name.empty() && wish.first == name; });
    return found == wishes.end() ? std::nullopt : std::optional(found->second);
}

const Layout* ShardingState::reshardLayout(OperationId op, int operand) const {
    const int at = chainOf(op);
    if (at < 0 || !chain(at).isCompleted()) return nullptr;
    for (const Reshard& reshard : reshards[static_cast<std::size_t>(at)])
        if (reshard.consumer == op && reshard.operand == operand) return &reshard.candidates.front();
    return nullptr;
}

const Layout* ShardingState::residentLayout(OperationId producer, std::span<const Resident> held) const {
    if (!producer.isValid()) return nullptr;
    if (const Resident* resident = findResident(held, producer)) return &resident->layout;
    return residency.layoutOf(producer);
}

const Layout* ShardingState::inputLayout(OperationId op, const TensorOperand& operand,
                                         std::span<const Resident> held) const {
    if (const Layout* layout = reshardLayout(op, operand.position)) return layout;
    if (operand.producer.isValid()) {
        const int at = chainOf(op);
        if (at >= 0 && at == chainOf(operand.producer) && chain(at).isCompleted())
            return &*chain(at).configOf(operand.producer)->output;
    }
    if (const Layout* layout = residentLayout(operand.producer, held)) return layout;
    const std::optional<Layout>& given = flow.function().typeOf(operand.value).layout;
    return given ? &*given : nullptr;
}

std::optional<std::vector<Layout>> ShardingState::inputLayouts(OperationId op, std::span<const Resident> held) const {
    std::vector<Layout> layouts;
    for (const TensorOperand& operand : flow.operands(op)) {
        const Layout* layout = inputLayout(op, operand, held);
        if (layout == nullptr) return std::nullopt;
        layouts.push_back(*layout);
    }
    return layouts;
}

/// Reserved and held bytes, but for the operation's own result, which its peak holds already. What is an operand too is
/// named as such, so that the model counts it once.
void ShardingState::countHeld(const Question& question, OpQuery& query) const {
    const std::vector<TensorOperand>& operands = flow.operands(question.op);
    const auto isOperand = [&](OperationId source, const Layout& layout) {
        for (std::size_t k = 0; k < operands.size(); ++k)
            if (operands[k].producer == source && question.inputs[k] == layout) return true;
        return false;
    };
    const auto count = [&](OperationId source, const Layout& layout, Bytes bytes) {
        if (source == question.op && question.config.output == layout) return;
        query.additional += bytes;
        if (isOperand(source, layout)) query.additionalOperands += bytes;
    };
    const Step position = positionOf(question.op);
    for (const Reservation& reservation : residency.reservations())
        if (reservation.positions.contains(position))
            count(reservation.source, *residency.layoutOf(reservation.source), reservation.bytes);
    for (const Resident& resident : question.held)
        count(resident.source, resident.layout, resident.bytes());
}

Outcome ShardingState::validate(const Question& question) {
    OpQuery query{flow.function(), flow.operation(question.op), question.inputs, question.config, 0, 0};
    countHeld(question, query);
    Validation answer = input.model.validate(query);
    if (answer.ok()) return std::nullopt;
    return refusalOf(question.op, answer);
}

Validation ShardingState::validateAlone(OperationId op, std::span<const Layout> inputs, const OpConfig& config) {
    return input.model.validate({flow.function(), flow.operation(op), inputs, config, 0, 0});
}

Outcome ShardingState::validateAsChosen(OperationId op, std::span<const Resident> held) {
    const std::optional<std::vector<Layout>> inputs = inputLayouts(op, held);
    if (!inputs) return Refusal{op, "an operand has no layout", 0, 0};
    return validate({op, *inputs, *configOf(op), held});
}

Outcome ShardingState::validateAt(Step position, std::span<const Resident> held, const Modified& modified) {
    const OperationId op = schedule[static_cast<std::size_t>(position)];
    const Operation& operation = flow.operation(op);
    if (isConversion(operation) || !flow.hasTensorResult(op)) return std::nullopt;
    if (isReduction(operation))
        for (const TensorOperand& operand : flow.operands(op))
            if (const Layout* layout = residentLayout(operand.producer, held); layout != nullptr && layout->isSharded())
                return Refusal{op, "a reduction does not read a sharded value", 0, 0};
    const auto tried = modified.find(op);
    const OpConfig* config = tried == modified.end() ? configOf(op) : &tried->second;
    if (config == nullptr) return Refusal{op, "its result has no layout", 0, 0};
    const std::optional<std::vector<Layout>> inputs = inputLayouts(op, held);
    if (!inputs) return Refusal{op, "an operand has no layout", 0, 0};
    return validate({op, *inputs, *config, held});
}

Outcome ShardingState::validateRange(PositionRange range, std::span<const Resident> held, const Modified& modified) {
    const Step end = std::min(range.end, static_cast<Step>(schedule.size()));
    for (Step p = std::max(range.begin, Step{0}); p < end; ++p)
        if (Outcome refused = validateAt(p, held, modified)) return refused;
    return std::nullopt;
}

std::optional<Layout> ShardingState::interleavedResult(OperationId op) {
    const OpConfig* given = asGiven_[op.at()] ? &*asGiven_[op.at()] : nullptr;
    if (given == nullptr || given->output->isInL1()) return std::nullopt;
    const Device& device = input.model.device();
    const auto inL1 = [&](ValueId value, const Layout& like) {
        return l1Interleaved(flow.function().typeOf(value).shape, like, device);
    };
    std::vector<Layout> inputs;
    for (const TensorOperand& operand : flow.operands(op)) {
        const std::optional<Layout>& layout = flow.function().typeOf(operand.value).layout;
        if (!layout) return std::nullopt;
        inputs.push_back(inL1(operand.value, *layout));
    }
    // Data type and pages are those of the result that is kept, as its chain has chosen it.
    const OpConfig config{inL1(flow.function().resultOf(op), *configOf(op)->output), {}};
    const Validation answer = validateAlone(op, inputs, config);
    if (!answer.ok() || answer.constraints.outputL1 <= 0) return std::nullopt;
    return config.output;
}

void ShardingState::reserve(Resident resident, Step last, std::string purpose) {
    TraceEvent& event = trace(TraceKind::ReservationAdded, chainOf(resident.source), resident.source);
    event.after = resident.bytes();
    event.text = purpose;
    const Step first = positionOf(resident.source);
    residency.add(std::move(resident), {first, std::max(first, last) + 1}, std::move(purpose));
}

TraceEvent& ShardingState::trace(TraceKind kind, int chain, OperationId op) {
    TraceEvent event;
    event.kind = kind;
    event.chain = chain;
    event.op = op;
    return record.trace.emplace_back(std::move(event));
}

Outcome refuseShrinking(const Operation& operation, OperationId op, std::span<const Layout> inputs,
                        const Layout& output) {
    if (!output.isSharded()) return std::nullopt;
    std::int64_t cores = 0;
    for (const Layout& layout : inputs)
        if (layout.isSharded()) cores = std::max(cores, layout.grid.volume());
    if (!shrinksCores(operation.kind(), output.grid.volume(), cores, 0)) return std::nullopt;
    return Refusal{op, "the output would use fewer cores than an input", 0, 0};
}

}  // namespace memplan::ttnn

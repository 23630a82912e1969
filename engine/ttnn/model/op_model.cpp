// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/model/op_model.h"

#include "engine/base/small_vector.h"
#include "engine/ttnn/model/budget.h"
#include "engine/ttnn/model/interned.h"
#include "engine/ttnn/model/known_ops.h"
#include "engine/ttnn/model/runtime.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>
#include <unordered_map>

namespace memplan::ttnn {
namespace {

using model::Case;
using model::Demand;
using model::Environment;
using model::Interned;
using model::KnownOps;
using model::OpFacts;
using model::Outcome;

/// Numbers of an operation's facts, its inputs, its output (0: none) and its attributes.
using Key = std::u32string;

struct KeyHash {
    using is_transparent = void;
    std::size_t operator()(std::u32string_view key) const { return std::hash<std::u32string_view>{}(key); }
};
template <class T> using ByKey = std::unordered_map<Key, T, KeyHash, std::equal_to<>>;

/// An answer with its layouts and its message by number.
struct Answer {
    ValidationStatus status = ValidationStatus::Success;
    std::int32_t message = -1;
    Demand demand;
    bool aliasesInput = false;
    SmallVector<std::int32_t, 2> outputs;
};

}  // namespace

struct OpModel::Data {
    Environment environment;
    OpModelOptions options;
    Counters counters;
    KnownOps known;
    Interned<Layout> layouts;
    Interned<OpAttrs> attrs;
    Interned<std::string> messages;
    ByKey<Answer> answers;
    ByKey<Runtime> runtimes;
    Key scratch;

    void makeKey(const KnownOps::Known& op, const OpQuery& query);
    const Answer& answer(const KnownOps::Known& op, const OpQuery& query, bool isCounted);
    Answer compute(const OpFacts& facts, const OpQuery& query);
    void takeOutputs(Answer& into, const Case& c, const Outcome& outcome);
    Answer refusal(ValidationStatus status, const std::string& message);
    Validation validation(const Answer& answer, const OpQuery& query) const;
};

void OpModel::Data::makeKey(const KnownOps::Known& op, const OpQuery& query) {
    scratch.clear();
    scratch.push_back(static_cast<char32_t>(op.number));
    for (const Layout& input : query.inputs)
        scratch.push_back(static_cast<char32_t>(layouts.numberOf(input)));
    scratch.push_back(query.config.output ? static_cast<char32_t>(layouts.numberOf(*query.config.output) + 1) : 0);
    const bool hasAttrs = query.config.attrs.index() != 0;
    scratch.push_back(hasAttrs ? static_cast<char32_t>(attrs.numberOf(query.config.attrs) + 1) : 0);
}

Answer OpModel::Data::refusal(ValidationStatus status, const std::string& message) {
    Answer answer;
    answer.status = status;
    answer.message = messages.numberOf(message);
    return answer;
}

void OpModel::Data::takeOutputs(Answer& into, const Case& c, const Outcome& outcome) {
    for (std::size_t i = 0; i < c.facts.results.size(); ++i) {
        const Layout layout =
            i == 0 ? outcome.output : model::interleaved(c.facts.results[i], outcome.output.page, BufferType::Dram, c);
        into.outputs.push_back(layouts.numberOf(layout));
    }
}

Answer OpModel::Data::compute(const OpFacts& facts, const OpQuery& query) {
    if (facts.status != ValidationStatus::Success) return refusal(facts.status, facts.problem);
    const Case c{facts, query.inputs, query.config, environment};
    if (const auto problem = model::layoutProblem(c)) return refusal(problem->status, problem->message);
    const Outcome outcome = model::outcomeOf(c);
    if (outcome.status != ValidationStatus::Success) return refusal(outcome.status, outcome.message);
    Answer answer;
    answer.demand = model::demandOf(c, outcome, options.strictL1Accounting);
    answer.aliasesInput = outcome.first == model::FirstOperand::Aliased;
    takeOutputs(answer, c, outcome);
    return answer;
}

const Answer& OpModel::Data::answer(const KnownOps::Known& op, const OpQuery& query, bool isCounted) {
    makeKey(op, query);
    counters.calls += isCounted;
    const auto it = answers.find(std::u32string_view(scratch));
    if (it != answers.end()) {
        counters.hits += isCounted;
        return it->second;
    }
    return answers.emplace(scratch, compute(*op.facts, query)).first->second;
}

Validation OpModel::Data::validation(const Answer& answer, const OpQuery& query) const {
    Validation v;
    v.limit = options.limit;
    v.status = answer.status;
    if (answer.message >= 0) v.message = messages.value(answer.message);
    if (!v.ok()) return v;
    const Demand& demand = answer.demand;
    v.constraints.cbPeak = demand.cb;
    v.constraints.tensorPeak = demand.tensorPeak;
    v.constraints.peak = demand.peak;
    v.constraints.residentInputs = demand.residents;
    v.constraints.outputL1 = demand.outputL1;
    v.constraints.aliasesInput = answer.aliasesInput;
    v.constraints.outputs.reserve(answer.outputs.size());
    for (const std::int32_t number : answer.outputs)
        v.constraints.outputs.push_back(layouts.value(number));
    v.need = model::needOf(demand, query.additional, query.additionalOperands);
    v.message = model::budgetProblem(demand, query.additional, v.need, v.limit);
    if (!v.message.empty()) v.status = ValidationStatus::OutOfMemoryError;
    return v;
}

namespace {

/// The caller gave too few or too many layouts.
std::string countProblem(const OpFacts& facts, const OpQuery& query) {
    if (facts.operands.size() == query.inputs.size()) return {};
    return facts.word + " has " + std::to_string(facts.operands.size()) + " tensor operands, and " +
           std::to_string(query.inputs.size()) + " layouts were given";
}

}  // namespace

OpModel::OpModel(const Device& device, const OpModelOptions& options) : data_(std::make_unique<Data>()) {
    data_->environment = {device, options.figures, options.conservativeMatmulCb};
    data_->options = options;
}
OpModel::~OpModel() = default;
OpModel::OpModel(OpModel&&) noexcept = default;
OpModel& OpModel::operator=(OpModel&&) noexcept = default;

const Device& OpModel::device() const {
    return data_->environment.device;
}

const OpModelOptions& OpModel::options() const {
    return data_->options;
}

OpModel::Counters OpModel::counters() const {
    return data_->counters;
}

Validation OpModel::validate(const OpQuery& query) {
    const KnownOps::Known op = data_->known.of(query.function, query.operation);
    const std::string problem = countProblem(*op.facts, query);
    if (!problem.empty() && op.facts->isModelled()) {
        Validation v;
        v.status = ValidationStatus::MetalBackendError;
        v.message = problem;
        v.limit = data_->options.limit;
        return v;
    }
    return data_->validation(data_->answer(op, query, true), query);
}

Runtime OpModel::runtime(const OpQuery& query) {
    const KnownOps::Known op = data_->known.of(query.function, query.operation);
    if (!countProblem(*op.facts, query).empty()) return {};
    const Answer& answer = data_->answer(op, query, false);
    const auto it = data_->runtimes.find(std::u32string_view(data_->scratch));
    if (it != data_->runtimes.end()) return it->second;
    const Case c{*op.facts, query.inputs, query.config, data_->environment};
    Layout output;
    if (!answer.outputs.empty())
        output = data_->layouts.value(answer.outputs[0]);
    else if (query.config.output)
        output = *query.config.output;
    const Runtime runtime = model::runtimeOf(c, output, answer.aliasesInput);
    data_->runtimes.emplace(data_->scratch, runtime);
    return runtime;
}

Runtime OpModel::conversion(const Type& tensor, const Layout& from, const Layout& to) {
    model::TensorFacts facts;
    if (!tensor.shape.empty())
        facts.shape = tensor.shape;
    else
        facts.shape = {1};
    const bool isCounted = std::all_of(facts.shape.begin(), facts.shape.end(), [](std::int64_t e) { return e > 0; });
    if (!isCounted) return {};
    facts.tiles = tiledShape(facts.shape);
    return model::conversionOf(facts, from, to, data_->environment);
}

}  // namespace memplan::ttnn

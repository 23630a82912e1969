// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/model/op_model.h"

#include "engine/ttnn/model/budget.h"
#include "engine/ttnn/model/interned.h"
#include "engine/ttnn/model/known_ops.h"
#include "engine/ttnn/model/runtime.h"

#include <optional>
#include <vector>

namespace memplan::ttnn {
namespace {

using model::Case;
using model::Demand;
using model::Environment;
using model::Interned;
using model::KeyTable;
using model::KnownOps;
using model::OpFacts;
using model::Outcome;

/// An answer with its layout and its message by number.
struct Answer {
    ValidationStatus status = ValidationStatus::Success;
    bool aliasesInput = false;
    std::int32_t message = -1;
    std::int32_t output = -1;  ///< of the first result; -1: none
    Demand demand;
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
    KeyTable keys;  ///< numbers of an operation's facts, of its inputs, its output and its attributes (0: none)
    std::vector<Answer> answers;                   ///< by key
    std::vector<std::optional<Runtime>> runtimes;  ///< by key, those that were asked for
    std::vector<std::int32_t> scratch;

    KeyTable::Found keyOf(const KnownOps::Known& op, const OpQuery& query);
    std::size_t answerTo(const KnownOps::Known& op, const OpQuery& query, bool isCounted);
    Answer compute(const OpFacts& facts, const OpQuery& query);
    Answer refusal(ValidationStatus status, const std::string& message);
    Validation validation(const Answer& answer, const OpFacts& facts, const OpQuery& query) const;
    void addOutputs(const Answer& answer, const OpFacts& facts, std::vector<Layout>& to) const;
};

KeyTable::Found OpModel::Data::keyOf(const KnownOps::Known& op, const OpQuery& query) {
    scratch.clear();
    scratch.push_back(op.number);
    for (const Layout& input : query.inputs)
        scratch.push_back(layouts.numberOf(input));
    scratch.push_back(query.config.output ? layouts.numberOf(*query.config.output) + 1 : 0);
    const bool hasAttrs = query.config.attrs.index() != 0;
    scratch.push_back(hasAttrs ? attrs.numberOf(query.config.attrs) + 1 : 0);
    return keys.numberOf(scratch);
}

Answer OpModel::Data::refusal(ValidationStatus status, const std::string& message) {
    Answer answer;
    answer.status = status;
    answer.message = messages.numberOf(message);
    return answer;
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
    if (!facts.results.empty()) answer.output = layouts.numberOf(outcome.output);
    return answer;
}

std::size_t OpModel::Data::answerTo(const KnownOps::Known& op, const OpQuery& query, bool isCounted) {
    const KeyTable::Found found = keyOf(op, query);
    counters.calls += isCounted;
    counters.hits += isCounted && !found.isNew;
    if (found.isNew) answers.push_back(compute(*op.facts, query));
    return found.number;
}

void OpModel::Data::addOutputs(const Answer& answer, const OpFacts& facts, std::vector<Layout>& to) const {
    if (answer.output < 0) return;
    to.reserve(facts.results.size());
    to.push_back(layouts.value(answer.output));
    for (std::size_t i = 1; i < facts.results.size(); ++i)
        to.push_back(model::furtherOutput(facts.results[i], to.front().page, environment.device));
}

Validation OpModel::Data::validation(const Answer& answer, const OpFacts& facts, const OpQuery& query) const {
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
    addOutputs(answer, facts, v.constraints.outputs);
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
    return data_->validation(data_->answers[data_->answerTo(op, query, true)], *op.facts, query);
}

Runtime OpModel::runtime(const OpQuery& query) {
    const KnownOps::Known op = data_->known.of(query.function, query.operation);
    if (!countProblem(*op.facts, query).empty()) return {};
    const std::size_t at = data_->answerTo(op, query, false);
    if (data_->runtimes.size() <= at) data_->runtimes.resize(at + 1);
    std::optional<Runtime>& runtime = data_->runtimes[at];
    if (runtime) return *runtime;
    const Answer& answer = data_->answers[at];
    Layout output;
    if (answer.output >= 0)
        output = data_->layouts.value(answer.output);
    else if (query.config.output)
        output = *query.config.output;
    const Case c{*op.facts, query.inputs, query.config, data_->environment};
    runtime = model::runtimeOf(c, output, answer.aliasesInput);
    return *runtime;
}

Runtime OpModel::conversion(const Type& tensor, const Layout& from, const Layout& to) {
    if (!model::canBeCounted(tensor.shape)) return {};
    model::TensorFacts facts;
    facts.shape = tensor.shape.empty() ? model::Shape{1} : tensor.shape;
    facts.tiles = tiledShape(facts.shape);
    return model::conversionOf({facts, from}, {facts, to}, data_->environment);
}

}  // namespace memplan::ttnn

// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/solver/chain_checks.h"

#include "engine/ttnn/chains/op_kinds.h"
#include "engine/ttnn/layout/arithmetic.h"

#include <algorithm>

namespace memplan::ttnn {
namespace {

constexpr std::size_t kMessages = 16;  ///< of one edge; the numbers in them make many
constexpr const char* kUnmatched = "the layout that the model gives is none of the legal ones";
constexpr const char* kFewerCores = "the output would use fewer cores than the input";

std::string messageOf(Validation& validation) {
    return validation.message.empty() ? std::string(wordOf(validation.status)) : std::move(validation.message);
}

}  // namespace

/// Its operation and the layouts of its operands, of which that of the edge is filled in by the question.
struct ChainChecks::End {
    int edge = kEntryEdge;
    OperationId op;
    std::size_t slot = 0;  ///< of the edge's operand in `inputs`
    std::vector<Layout> inputs;
    bool hasLayouts = true;
};

ChainChecks::ChainChecks(const SolverContext& context, const SolverProblem& problem)
    : context_(context), problem_(problem), refusals_(problem.edges.size() + 1), answers_(problem.edges.size() + 1) {}

ChainChecks::End ChainChecks::endOf(int edge) {
    End end;
    end.edge = edge;
    const SolverEdge* inner = edge == kEntryEdge ? nullptr : &problem_.edges[static_cast<std::size_t>(edge)];
    end.op = problem_.ops[inner == nullptr ? 0 : inner->to].id;
    const int position = inner == nullptr ? 0 : inner->operand;
    bool hasSlot = false;
    for (const TensorOperand& operand : context_.flow.operands(end.op)) {
        const std::optional<Layout>& layout = context_.flow.function().typeOf(operand.value).layout;
        if (operand.position == position) {
            end.slot = end.inputs.size();
            hasSlot = true;
        }
        end.hasLayouts = end.hasLayouts && layout.has_value();
        end.inputs.push_back(layout.value_or(Layout{}));
    }
    end.hasLayouts = end.hasLayouts && hasSlot;
    if (!end.hasLayouts) refuse(edge, "an operand has no layout");
    return end;
}

const std::vector<OpConfig>& ChainChecks::configsOf(OperationId op) const {
    return context_.space.ops[op.at()].sharded;
}

const std::vector<TestConfig>& ChainChecks::testsOf(OperationId op) {
    const auto [entry, isNew] = tests_.try_emplace(op.index);
    if (isNew) entry->second = testConfigs(context_.flow.operation(op), configsOf(op));
    return entry->second;
}

void ChainChecks::refuse(int edge, std::string message) {
    ++refusals_[static_cast<std::size_t>(edge + 1)][std::move(message)];
}

Refusals ChainChecks::refusals(int edge) const {
    const auto& counted = refusals_[static_cast<std::size_t>(edge + 1)];
    Refusals list(counted.begin(), counted.end());
    std::ranges::sort(list, [](const auto& a, const auto& b) {
        return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    if (list.size() <= kMessages) return list;
    std::int64_t others = 0;
    for (std::size_t i = kMessages; i < list.size(); ++i)
        others += list[i].second;
    list.resize(kMessages);
    list.emplace_back(kOtherMessages, others);
    return list;
}

/// The layout of the module in interleaved DRAM; row-major where an override of the producer's output says so. What no
/// decision changes, an argument or the result of a conversion in the module, stays in L1 if it is there.
Layout ChainChecks::entryLayout(const TensorOperand& operand) const {
    const Value& value = context_.flow.function().value(operand.value);
    const Type& type = value.type;
    Layout like = *type.layout;
    const bool isFixed = !value.producer.isValid() || isConversion(context_.flow.operation(value.producer));
    if (isFixed && like.isInL1()) return like;
    if (operand.producer.isValid()) {
        const std::string& name = context_.flow.operation(operand.producer).location.name;
        for (const auto& [location, wish] : context_.options.outputLayouts)
            if (!name.empty() && location == name && wish.page == PageLayout::RowMajor)
                like.page = PageLayout::RowMajor;
    }
    return dramInterleaved(type.shape, like, context_.model.device());
}

ConfigSet ChainChecks::entryConfigs() {
    ConfigSet valid;
    End end = endOf(kEntryEdge);
    if (!end.hasLayouts) return valid;
    const Operation& operation = context_.flow.operation(end.op);
    end.inputs[end.slot] = entryLayout(context_.flow.operands(end.op)[end.slot]);
    const std::vector<OpConfig>& configs = configsOf(end.op);
    const std::size_t count = std::min<std::size_t>(configs.size(), ConfigSet::kCapacity);
    for (std::size_t i = 0; i < count; ++i) {
        OpConfig config = configs[i];
        if (isAskedWithoutGrid(operation)) config.output = withoutGrid(*config.output);
        Validation answer = context_.model.validate({context_.flow.function(), operation, end.inputs, config, 0, 0});
        if (!answer.ok())
            refuse(kEntryEdge, messageOf(answer));
        else if (!answer.constraints.outputs.empty() && answer.constraints.outputs.front() == *configs[i].output)
            valid.add(static_cast<int>(i));
        else
            refuse(kEntryEdge, kUnmatched);
    }
    return valid;
}

ChainChecks::Answer ChainChecks::check(const End& end, const TestConfig& test, Layout& actual) {
    Validation said = context_.model.validate(
        {context_.flow.function(), context_.flow.operation(end.op), end.inputs, test.config, 0, 0});
    std::vector<Layout>& outputs = said.constraints.outputs;
    if (!said.ok()) {
        Answer no;
        no.need = said.need;
        no.limit = said.limit;
        if (said.status == ValidationStatus::OutOfMemoryError) {
            no.said = PairAnswer::OutOfMemory;
            if (!outputs.empty()) no.config = matchingConfig(test, configsOf(end.op), outputs.front());
        }
        refuse(end.edge, messageOf(said));
        return no;
    }
    if (!outputs.empty()) actual = std::move(outputs.front());
    const int match = matchingConfig(test, configsOf(end.op), actual);
    if (match >= 0) return {match, PairAnswer::Fits};
    refuse(end.edge, kUnmatched);
    return {-1, PairAnswer::OtherLayout};
}

/// An answer names one of the configurations that the test stands for; the model gives none of the others.
void ChainChecks::note(PairAnswers& answers, int producer, const TestConfig& test, const Answer& answer) {
    for (const int c : test.consumers) {
        const bool isMeant = answer.config < 0 || answer.config == c;
        PairAnswer& pair =
            answers.list[static_cast<std::size_t>(producer) * static_cast<std::size_t>(answers.consumers) +
                         static_cast<std::size_t>(c)];
        pair = std::max(pair, isMeant ? answer.said : PairAnswer::OtherLayout);
    }
}

void ChainChecks::noteShortage(const End& end, int producer, const TestConfig& test, const Answer& answer) {
    PairAnswers& answers = answersOf(end.edge);
    if (answer.said != PairAnswer::OutOfMemory || (answers.need > 0 && answers.need <= answer.need)) return;
    answers.closest = {producer, answer.config < 0 ? test.consumers.front() : answer.config};
    answers.input = end.inputs[end.slot];
    answers.need = answer.need;
    answers.limit = answer.limit;
}

std::vector<ConfigPath> ChainChecks::paths(int edge, const ConfigSet& producers) {
    std::vector<ConfigPath> paths;
    End end = endOf(edge);
    if (!end.hasLayouts) return paths;
    const OperationId producer = problem_.ops[problem_.edges[static_cast<std::size_t>(edge)].from].id;
    const std::string_view kind = context_.flow.operation(end.op).kind();
    PairAnswers& answers = answersOf(edge);
    answers.consumers = static_cast<int>(configsOf(end.op).size());
    answers.list.assign(configsOf(producer).size() * configsOf(end.op).size(), PairAnswer::NotAsked);
    Layout actual;
    for (int i = producers.first(); i >= 0; i = producers.next(i + 1)) {
        const Layout& input = *configsOf(producer)[static_cast<std::size_t>(i)].output;
        end.inputs[end.slot] = input;
        ConfigSet found;
        for (const TestConfig& test : testsOf(end.op)) {
            Answer answer = check(end, test, actual);
            const int j = answer.config;
            const bool isNew = answer.said == PairAnswer::Fits && j < ConfigSet::kCapacity && !found.has(j);
            if (isNew && input.isSharded() && actual.isSharded() &&
                shrinksCores(kind, actual.grid.volume(), input.grid.volume(), 0)) {
                refuse(edge, kFewerCores);
                answer.said = PairAnswer::FewerCores;
            }
            note(answers, i, test, answer);
            noteShortage(end, i, test, answer);
            if (!isNew || answer.said != PairAnswer::Fits) continue;
            found.add(j);
            paths.emplace_back(static_cast<std::uint16_t>(i), static_cast<std::uint16_t>(j));
        }
    }
    return paths;
}

std::vector<const Layout*> ChainChecks::allCandidates(const End& end) {
    std::vector<const Layout*> list;
    if (!end.hasLayouts) return list;
    const Type& type = context_.flow.function().typeOf(context_.flow.operands(end.op)[end.slot].value);
    const auto add = [&](PageLayout page) {
        for (const Layout& layout : context_.layouts.of(type.shape, type.dtype, page).sharded)
            list.push_back(&layout);
    };
    if (context_.options.rowMajor) add(PageLayout::RowMajor);
    add(PageLayout::Tile);
    return list;
}

ReshardTable ChainChecks::reshards(int edge) {
    ReshardTable table;
    End end = endOf(edge);
    const std::vector<const Layout*> list = allCandidates(end);
    answersOf(edge).reshardsTried = static_cast<int>(list.size());
    Layout actual;
    for (std::size_t n = 0; n < list.size(); ++n) {
        end.inputs[end.slot] = *list[n];
        for (const TestConfig& test : testsOf(end.op)) {
            const Answer answer = check(end, test, actual);
            if (answer.said == PairAnswer::Fits) table[answer.config].push_back(static_cast<int>(n));
            noteShortage(end, -1, test, answer);
        }
    }
    return table;
}

std::vector<Layout> ChainChecks::candidates(int edge, const std::vector<int>& numbers) {
    const std::vector<const Layout*> all = allCandidates(endOf(edge));
    std::vector<Layout> chosen;
    for (const int number : numbers)
        chosen.push_back(*all[static_cast<std::size_t>(number)]);
    return chosen;
}

}  // namespace memplan::ttnn

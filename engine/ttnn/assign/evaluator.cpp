// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/assign/evaluator.h"

#include "engine/ttnn/layout/arithmetic.h"
#include "engine/ttnn/transform/config_analysis.h"

#include <algorithm>
#include <array>

namespace memplan::ttnn {
namespace {

constexpr std::size_t kTargetsOfAKind = 4;  ///< of conversions (12.4)
constexpr std::size_t kShardedOfAKind = 4;  ///< results of an operation that reads nothing sharded

std::size_t hashOf(const Layout& layout) {
    std::size_t hash = static_cast<std::size_t>(layout.buffer) * 7 + static_cast<std::size_t>(layout.page);
    hash = hash * 31 + static_cast<std::size_t>(layout.mem ? static_cast<int>(*layout.mem) + 1 : 0);
    hash = hash * 31 + static_cast<std::size_t>(layout.dtype);
    for (const std::int64_t part :
         {std::int64_t{layout.grid.rows}, std::int64_t{layout.grid.cols}, layout.shard[0], layout.shard[1]})
        hash = hash * 1000003 + static_cast<std::size_t>(part);
    return hash;
}

char32_t letter(std::int32_t number) {
    return static_cast<char32_t>(number + 1);
}

void makeKey(std::u32string& key, OperationId op, std::span<const LayoutId> inputs) {
    key.clear();
    key.push_back(letter(op.index));
    for (const LayoutId id : inputs)
        key.push_back(letter(id));
}

void addText(std::string& text, std::string_view part) {
    text.append(part).push_back('|');
}

void addTypes(std::string& text, const Function& function, const std::vector<ValueId>& values, bool withLayout) {
    for (const ValueId value : values) {
        const Type& type = function.typeOf(value);
        for (const std::int64_t extent : type.shape)
            addText(text, std::to_string(extent));
        addText(text, type.isTensor ? wordOf(type.dtype) : std::string_view(type.text));
        const bool isFirst = value == values.front();
        addText(text, isFirst ? "a" : "b");
        if (withLayout && type.layout) addText(text, std::to_string(hashOf(*type.layout)));
    }
    addText(text, "/");
}

/// Everything that the model and the search space look at.
std::string signatureOf(const Function& function, const Operation& op, bool isOverridden) {
    std::string text = op.name + "|";
    for (const auto* attributes : {&op.properties, &op.attributes})
        for (const Attribute& attribute : *attributes) {
            addText(text, attribute.name);
            addText(text, attribute.text);
        }
    addTypes(text, function, op.operands, false);
    addTypes(text, function, op.results, true);
    const bool isAlone = isOverridden || op.is("to_layout") || op.is("to_memory_config");
    if (isAlone) addText(text, std::to_string(op.results.empty() ? -1 : op.results.front().index));
    return text;
}

}  // namespace

Evaluator::Evaluator(const PolicyInput& input) : input_(input), flow_(input.function) {
    attrs_.emplace_back();
    const Function& f = input.function;
    given_.assign(f.values.size(), -1);
    converterByValue_.assign(f.values.size(), OperationId{});
    for (std::size_t v = 0; v < f.values.size(); ++v)
        if (f.values[v].type.layout) given_[v] = idOf(*f.values[v].type.layout);
    attrsOf_.resize(f.operations.size());
    configs_.resize(f.operations.size());
    for (std::size_t i = 0; i < f.operations.size() && i < input.space.ops.size(); ++i)
        for (const OpConfig& config : input.space.ops[i].configs) {
            const AttrsId attrs = idOf(config.attrs);
            if (std::find(attrsOf_[i].begin(), attrsOf_[i].end(), attrs) == attrsOf_[i].end())
                attrsOf_[i].push_back(attrs);
            if (config.output) configs_[i].emplace_back(idOf(*config.output), attrs);
        }
    hopeless_.assign(f.operations.size(), -1);
    for (const Operation& op : f.operations)
        isOverridden_.push_back(std::ranges::any_of(input.options.outputLayouts, [&](const auto& entry) {
            return !op.location.name.empty() && entry.first == op.location.name;
        }));
    findClasses();
}

void Evaluator::findClasses() {
    std::unordered_map<std::string, OperationId> first;
    const auto& operations = function().operations;
    for (std::size_t i = 0; i < operations.size(); ++i) {
        const std::string signature = signatureOf(function(), operations[i], isOverridden_[i]) +
                                      (input_.options.conv2dConfigs.empty() ? "" : operations[i].location.name);
        classOf_.push_back(first.try_emplace(signature, OperationId::of(i)).first->second);
    }
}

bool Evaluator::isHopeless(OperationId op) {
    std::int8_t& known = hopeless_[op.at()];
    if (known >= 0) return known != 0;
    std::vector<LayoutId> asGiven;
    for (const TensorOperand& operand : flow_.operands(op))
        asGiven.push_back(given(operand.value));
    known = options(op, inDram(op)).empty() && options(op, asGiven).empty() ? 1 : 0;
    return known != 0;
}

std::vector<LayoutId> Evaluator::inDram(OperationId op) {
    std::vector<LayoutId> inputs;
    for (const TensorOperand& operand : flow_.operands(op)) {
        const LayoutId layout = given(operand.value);
        inputs.push_back(layout >= 0 && isInL1(layout) ? dramOf(operand.value, layout) : layout);
    }
    return inputs;
}

LayoutId Evaluator::idOf(const Layout& layout) {
    const std::size_t hash = hashOf(layout);
    const auto [first, last] = layoutIds_.equal_range(hash);
    for (auto it = first; it != last; ++it)
        if (layouts_[static_cast<std::size_t>(it->second)] == layout) return it->second;
    const auto id = static_cast<LayoutId>(layouts_.size());
    layouts_.push_back(layout);
    const bool isInL1 = layout.isInL1();
    kinds_.push_back(!isInL1 ? Kind::Elsewhere : layout.isSharded() ? Kind::Sharded : Kind::InterleavedL1);
    bytes_.push_back(isInL1 ? layout.shardBytes() : 0);
    layoutIds_.emplace(hash, id);
    return id;
}

AttrsId Evaluator::idOf(const OpAttrs& attrs) {
    const auto it = std::find(attrs_.begin(), attrs_.end(), attrs);
    if (it != attrs_.end()) return static_cast<AttrsId>(it - attrs_.begin());
    attrs_.push_back(attrs);
    return static_cast<AttrsId>(attrs_.size() - 1);
}

LayoutId Evaluator::dramOf(ValueId value, LayoutId like) {
    return idOf(dramInterleaved(function().typeOf(value).shape, layout(like), input_.model.device()));
}

LayoutId Evaluator::interleavedL1Of(ValueId value, LayoutId like) {
    return idOf(l1Interleaved(function().typeOf(value).shape, layout(like), input_.model.device()));
}

Answer Evaluator::compute(OperationId op, std::span<const LayoutId> inputs, LayoutId output, AttrsId attrs) {
    inputLayouts_.clear();
    for (const LayoutId id : inputs) {
        if (id < 0) return {.isUnmodelled = true};
        inputLayouts_.push_back(layout(id));
    }
    OpConfig config;
    if (output >= 0) config.output = layout(output);
    config.attrs = this->attrs(attrs);
    const OpQuery query{function(), function().operation(op), inputLayouts_, config};
    const Validation validation = input_.model.validate(query);
    Answer answer;
    answer.isUnmodelled = validation.status == ValidationStatus::NotImplemented;
    if (!validation.ok() || validation.constraints.outputs.empty()) {
        answer.output = output;
        if (answer.isUnmodelled && output >= 0) answer.ns = input_.model.runtime(query).ns;
        return answer;
    }
    answer.output = idOf(validation.constraints.outputs.front());
    answer.isLegal = output < 0 || answer.output == output;
    answer.isView = validation.constraints.aliasesInput;
    answer.need = validation.need;
    const Runtime runtime = input_.model.runtime(query);
    answer.ns = runtime.ns;
    answer.dramRead = runtime.dramRead;
    answer.cores = static_cast<std::int32_t>(runtime.cores);
    return answer;
}

Answer Evaluator::ask(OperationId op, std::span<const LayoutId> inputs, LayoutId output, AttrsId attrs) {
    op = classOf_[op.at()];
    makeKey(scratch_, op, inputs);
    scratch_.push_back(letter(output));
    scratch_.push_back(letter(attrs));
    const auto it = answers_.find(std::u32string_view(scratch_));
    if (it != answers_.end()) return it->second;
    Key key = scratch_;
    const Answer answer = compute(op, inputs, output, attrs);
    answers_.emplace(std::move(key), answer);
    return answer;
}

OperationId Evaluator::converter(ValueId value) {
    OperationId& known = converterByValue_[value.at()];
    if (known.isValid()) return known;
    const Type& type = function().typeOf(value);
    const auto [it, isNew] = converterOf_.try_emplace({type.shape, type.dtype});
    if (isNew) {
        Type plain = type;
        plain.layout.reset();
        Operation op;
        op.name = "ttnn.to_layout";
        op.operands = {converters_.addValue(plain)};
        op.results = {converters_.addValue(plain)};
        it->second = converters_.addOperation(std::move(op));
    }
    known = it->second;
    return known;
}

Answer Evaluator::convert(ValueId value, LayoutId from, LayoutId to) {
    const OperationId op = converter(value);
    const std::array<LayoutId, 2> ends{from, to};
    makeKey(scratch_, op, ends);
    const auto it = conversions_.find(std::u32string_view(scratch_));
    if (it != conversions_.end()) return it->second;
    OpConfig config;
    config.output = layout(to);
    const std::array<Layout, 1> inputs{layout(from)};
    const OpQuery query{converters_, converters_.operation(op), inputs, config};
    const Validation validation = input_.model.validate(query);
    Answer answer;
    answer.isLegal = validation.ok();
    answer.output = to;
    answer.need = validation.need;
    const Runtime runtime = input_.model.runtime(query);
    answer.ns = runtime.ns;
    answer.dramRead = runtime.dramRead;
    conversions_.emplace(scratch_, answer);
    return answer;
}

void Evaluator::addOption(std::vector<Option>& options, OperationId op, std::span<const LayoutId> inputs,
                          LayoutId output, AttrsId attrs) {
    const Answer answer = ask(op, inputs, output, attrs);
    if (!answer.isLegal) return;
    for (Option& other : options) {
        if (other.answer.output != output) continue;
        const bool isBetter =
            answer.ns < other.answer.ns || (answer.ns == other.answer.ns && answer.need < other.answer.need);
        if (isBetter) other = {attrs, answer};
        return;
    }
    options.push_back({attrs, answer});
}

/// The layouts that the model gives by itself, confirmed when asked for.
void Evaluator::addDerived(std::vector<Option>& options, OperationId op, std::span<const LayoutId> inputs) {
    for (const AttrsId attrs : attrsOf(op)) {
        const Answer own = ask(op, inputs, -1, attrs);
        const bool mayBe = own.isLegal && own.output >= 0 && (mayShard() || !isSharded(own.output));
        if (mayBe && isProgramOf(own.output, attrs)) addOption(options, op, inputs, own.output, attrs);
    }
}

/// A program is that of one sharded layout (3.4): another layout that it would write has a program of its own.
bool Evaluator::isProgramOf(LayoutId output, AttrsId attrs) const {
    const auto* product = std::get_if<MatmulAttrs>(&attrs_[static_cast<std::size_t>(attrs)]);
    if (product == nullptr || !product->program) return true;
    const Layout& written = layout(output);
    if (!written.isL1Sharded() || !written.cores) return false;
    return boundingGrid(*written.cores) == std::array{product->program->gridX, product->program->gridY};
}

void Evaluator::addConfigured(std::vector<Option>& options, OperationId op, std::span<const LayoutId> inputs,
                              bool withSharded) {
    for (const auto& [output, attrs] : configs_[op.at()])
        if (withSharded || !isSharded(output)) addOption(options, op, inputs, output, attrs);
}

std::vector<Option> Evaluator::findOptions(OperationId op, std::span<const LayoutId> inputs) {
    std::vector<Option> options;
    constexpr std::size_t kFewAttrs = 4;  // with more, each goes with a layout of its own
    if (!isOverridden(op) && attrsOf(op).size() <= kFewAttrs) addDerived(options, op, inputs);
    const bool isDerived = std::ranges::any_of(options, [this](const Option& o) { return isSharded(o.answer.output); });
    addConfigured(options, op, inputs, !isDerived || attrsOf(op).size() > 1);
    std::stable_sort(options.begin(), options.end(), [this](const Option& a, const Option& b) {
        if (a.answer.ns != b.answer.ns) return a.answer.ns < b.answer.ns;
        if (isSharded(a.answer.output) != isSharded(b.answer.output)) return isSharded(a.answer.output);
        return a.answer.cores > b.answer.cores;
    });
    std::array<std::size_t, 8> counts{};
    std::erase_if(options, [&](const Option& option) {
        if (!isSharded(option.answer.output)) return false;
        const auto mem = static_cast<std::size_t>(*layout(option.answer.output).mem);
        return ++counts[mem] > kShardedOfAKind;
    });
    return options;
}

const std::vector<Option>& Evaluator::options(OperationId op, std::span<const LayoutId> inputs) {
    op = classOf_[op.at()];
    makeKey(scratch_, op, inputs);
    const auto it = options_.find(std::u32string_view(scratch_));
    if (it != options_.end()) return it->second;
    Key key = scratch_;
    return options_.emplace(std::move(key), findOptions(op, inputs)).first->second;
}

bool Evaluator::takesSharded(OperationId op, std::size_t operand) {
    op = classOf_[op.at()];
    takesSharded_.resize(flow_.size());
    auto& known = takesSharded_[op.at()];
    known.resize(flow_.operands(op).size(), -1);
    if (known[operand] >= 0) return known[operand] != 0;
    std::vector<LayoutId> inputs = inDram(op);
    const auto runsWith = [&](LayoutId layout) {
        inputs[operand] = layout;
        return !options(op, inputs).empty();
    };
    bool takes = false;
    if (inputs[operand] >= 0) {
        const ValueId value = flow_.operands(op)[operand].value;
        for (const LayoutId target : targets(value, inputs[operand]))
            takes = takes || runsWith(target);
        takes = takes || (isSharded(given(value)) && runsWith(given(value)));
    }
    takesSharded_[op.at()][operand] = takes ? 1 : 0;
    return takes;
}

Option Evaluator::defaultOption(OperationId op, std::span<const LayoutId> inputs) {
    const OpConfig* config =
        op.at() < input_.space.ops.size() ? defaultConfig(function(), input_.space.ops[op.at()], op) : nullptr;
    const ValueId result = function().resultOf(op);
    Option option;
    LayoutId output = result.isValid() ? given(result) : -1;
    if (config) {
        option.attrs = idOf(config->attrs);
        if (config->output) output = idOf(*config->output);
    }
    option.answer = ask(op, inputs, output, option.attrs);
    option.answer.output = output;
    return option;
}

const std::vector<LayoutId>& Evaluator::targets(ValueId value, LayoutId like) {
    const Type& type = function().typeOf(value);
    const auto [it, isNew] = targets_.try_emplace({converter(value).index, like});
    if (!isNew) return it->second;
    if (!mayShard()) return it->second;
    std::vector<LayoutId> found;
    std::array<std::size_t, 8> counts{};
    const Layout own = layout(like);
    for (const Layout& sharded : input_.layouts.of(type.shape, own.dtype, own.page).sharded) {
        if (!sharded.isInL1() || ++counts[static_cast<std::size_t>(*sharded.mem)] > kTargetsOfAKind) continue;
        found.push_back(idOf(sharded));
    }
    it->second = std::move(found);
    return it->second;
}

const std::vector<AttrsId>& Evaluator::attrsOf(OperationId op) {
    std::vector<AttrsId>& known = attrsOf_[op.at()];
    if (known.empty()) known.push_back(0);
    return known;
}

}  // namespace memplan::ttnn

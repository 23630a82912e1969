// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/transform/legality.h"

#include "engine/ttnn/measure/addresses.h"
#include "engine/ttnn/measure/measure.h"
#include "engine/ttnn/transform/config_analysis.h"
#include "engine/ttnn/transform/override_reshards.h"
#include "engine/ttnn/transform/transform.h"

#include <algorithm>
#include <set>
#include <utility>

namespace memplan::ttnn {
namespace {

bool contains(const std::vector<OperationId>& ops, OperationId op) {
    return std::find(ops.begin(), ops.end(), op) != ops.end();
}

class Revision {
public:
    Revision(const PolicyInput& input, Solution& solution) : input_(input), f_(input.function), solution_(solution) {
        solution_.configs.resize(f_.operations.size());
    }

    void run() {
        const std::size_t most = 4 * f_.operations.size() + 16;  // each round takes something back
        for (std::size_t round = 0; round < most && reviseFirst(); ++round)
            if (input_.control.cancelled()) break;
    }

private:
    bool reviseFirst();
    bool revise(const OpMeasure& found);
    bool reviseFragmented();
    /// Of the values in L1 beside an operation: the largest, or the one that is read last, of those that the policy has
    /// put there; or the largest of all.
    enum class Victim : std::uint8_t { Largest, ReadLast, AnyLargest };
    bool spillOther(const OpMeasure& found, Victim victim);
    bool readSpilledCopy(OperationId source, const OpMeasure& found);
    void listDirectUses();
    void dropReshard(const Use& use);
    bool revertProducers(const OpMeasure& found);
    bool spillProducers(const OpMeasure& found);
    bool takeGivenLayout(const OpMeasure& found, std::span<const Layout> inputs);
    bool rescue(const OpMeasure& found);
    bool leaveOutReshards(const OpMeasure& found);
    bool revert(OperationId op, const OpMeasure& found);
    void failChain(int chain, const OpMeasure& found);
    void forget(OperationId op);
    void forgetResident(OperationId source);
    void rejectMergesOf(OperationId source);
    void say(OperationId op, std::string_view what, const OpMeasure& found);

    /// The operation of the input that an operation of the transformed function stands for: a reshard for its
    /// consumer, a spill for its producer.
    [[nodiscard]] OperationId standsFor(OperationId op) const;
    /// The operation whose operand a conversion of the input was made the reshard of; none for others.
    [[nodiscard]] OperationId resharded(OperationId op) const;
    [[nodiscard]] bool isDecided(OperationId op) const;
    [[nodiscard]] int chainOf(OperationId op) const;

    const PolicyInput& input_;
    const Function& f_;
    Solution& solution_;
    Transformed transformed_;
    Measures measures_;
    std::set<OperationId> hopeless_, rescued_;
};

bool Revision::reviseFirst() {
    Solution trial = solution_;
    applyOverrideReshards(input_.overrides, trial);
    completeConfigs(f_, input_.space, trial);
    transformed_ = transformGraph(f_, trial, input_.model.device(), input_.options);
    measures_ = measure(transformed_, input_.model);
    for (const std::size_t i : violations(measures_)) {
        const OpMeasure& found = measures_.ops[i];
        const OperationId op = standsFor(found.op);
        if (hopeless_.contains(op)) continue;
        if (revise(found)) return true;
        hopeless_.insert(op);
    }
    return input_.options.addressSimulation && reviseFragmented();
}

/// Where buffers do not fit below the tensors the one that is read last goes to DRAM.
bool Revision::reviseFragmented() {
    const auto fragmented = firstFragmented(measures_, input_.model.device().l1Alignment);
    if (!fragmented) return false;
    const auto it = std::ranges::find(measures_.ops, fragmented->position, &OpMeasure::position);
    if (it == measures_.ops.end()) return false;
    OpMeasure found = *it;
    found.status = ValidationStatus::OutOfMemoryError;
    found.message = wordsOf(*fragmented);
    return spillOther(found, Victim::ReadLast) || revert(standsFor(found.op), found) || revertProducers(found) ||
           spillOther(found, Victim::AnyLargest);
}

bool Revision::revise(const OpMeasure& found) {
    if (rescued_.contains(found.op)) return leaveOutReshards(found);
    const bool isRoom =
        found.status == ValidationStatus::OutOfMemoryError || found.status == ValidationStatus::NotImplemented;
    if (isRoom && found.additional > 0 && spillOther(found, Victim::Largest)) return true;
    if (revert(standsFor(found.op), found) || revertProducers(found) || spillProducers(found)) return true;
    if (isRoom && found.additional > 0 && spillOther(found, Victim::AnyLargest)) return true;
    return rescue(found) || leaveOutReshards(found);
}

/// A layout that was forced by hand stays in L1 only for readers that take it.
bool Revision::spillProducers(const OpMeasure& found) {
    bool isChanged = false;
    for (const ValueId operand : transformed_.function.operation(found.op).operands) {
        const Value& value = transformed_.function.value(operand);
        if (!value.producer.isValid() || !value.type.layout || !value.type.layout->isInL1()) continue;
        const OperationId source = standsFor(value.producer);
        if (!source.isValid() || source == found.op || contains(solution_.spillToDram, source)) continue;
        solution_.spillToDram.push_back(source);
        say(source, "its result goes to DRAM", found);
        isChanged = true;
    }
    return isChanged;
}

/// An operation that does not run even without a policy, with its operands in DRAM: any configuration that does, its
/// result in DRAM or spilled to it.
bool Revision::rescue(const OpMeasure& found) {
    const OperationId op = found.op;
    if (op.at() >= input_.space.ops.size() || !rescued_.insert(op).second) return false;
    std::vector<Layout> inputs;
    for (const ValueId operand : tensorOperands(transformed_.function, transformed_.function.operation(op))) {
        const auto& layout = transformed_.function.typeOf(operand).layout;
        if (!layout) return false;
        inputs.push_back(*layout);
    }
    for (const OpConfig& config : input_.space.ops[op.at()].configs) {
        if (!config.output || (config.output->isInL1() && !config.output->isSharded())) continue;
        const Validation validation = input_.model.validate({f_, f_.operation(op), inputs, config, found.additional});
        if (!validation.ok() || validation.constraints.outputs.front() != *config.output) continue;
        solution_.configs[op.at()] = config;
        if (config.output->isInL1()) solution_.spillToDram.push_back(op);
        say(op, "it gets the first configuration that runs", found);
        return true;
    }
    return takeGivenLayout(found, inputs);
}

/// None of its configurations runs, as where a layout was forced that it cannot give: the layout of the module.
bool Revision::takeGivenLayout(const OpMeasure& found, std::span<const Layout> inputs) {
    const ValueId result = f_.resultOf(found.op);
    if (!result.isValid() || !f_.typeOf(result).layout) return false;
    // A product has the program that follows from its layouts.
    const bool isProduct = f_.operation(found.op).is("matmul") || f_.operation(found.op).is("linear");
    const OpConfig config{*f_.typeOf(result).layout, isProduct ? OpAttrs(MatmulAttrs{}) : OpAttrs()};
    const Validation validation = input_.model.validate({f_, f_.operation(found.op), inputs, config, found.additional});
    if (!validation.ok() || validation.constraints.outputs.front() != *config.output) return false;
    solution_.configs[found.op.at()] = config;
    say(found.op, "it keeps the layout of the module", found);
    return true;
}

/// Reshards that were forced by hand (8.3) go where the operation runs with none of them.
bool Revision::leaveOutReshards(const OpMeasure& found) {
    const OperationId op = standsFor(found.op);
    bool isChanged = false;
    for (const Reshard& reshard : input_.overrides) {
        const Use use{reshard.consumer, reshard.operand};
        if (reshard.consumer != op || isLeftOut(solution_, use)) continue;
        solution_.leftOutOverrides.push_back(use);
        isChanged = true;
    }
    if (!isChanged) return false;
    std::erase_if(solution_.reshards, [&](const Reshard& reshard) {
        return reshard.consumer == op && reshard.origin == ReshardOrigin::Override;
    });
    forget(op);
    rescued_.erase(op);
    say(op, "its forced reshards are left out", found);
    return true;
}

OperationId Revision::standsFor(OperationId op) const {
    for (const Conversion& conversion : transformed_.conversions) {
        if (conversion.op != op || conversion.isInPlace) continue;
        return conversion.consumer.isValid() ? conversion.consumer : f_.value(conversion.value).producer;
    }
    return op;
}

OperationId Revision::resharded(OperationId op) const {
    const auto it = std::ranges::find_if(transformed_.conversions, [&](const Conversion& c) {
        return c.op == op && c.isInPlace && c.kind != ConversionKind::Override;
    });
    return it == transformed_.conversions.end() ? OperationId{} : it->consumer;
}

int Revision::chainOf(OperationId op) const {
    const auto& chains = solution_.record.chains;
    for (std::size_t c = 0; c < chains.size(); ++c)
        if (chains[c].state == ChainState::Completed && contains(chains[c].ops, op)) return static_cast<int>(c);
    return -1;
}

bool Revision::isDecided(OperationId op) const {
    const auto isOnOp = [&](const Reshard& r) { return r.consumer == op && r.origin != ReshardOrigin::Override; };
    return solution_.configs[op.at()] || chainOf(op) >= 0 ||
           std::any_of(solution_.reshards.begin(), solution_.reshards.end(), isOnOp);
}

bool Revision::spillOther(const OpMeasure& found, Victim victim) {
    const Operation& op = transformed_.function.operation(found.op);
    const auto isOwn = [&](ValueId value) {
        return std::find(op.operands.begin(), op.operands.end(), value) != op.operands.end() ||
               std::find(op.results.begin(), op.results.end(), value) != op.results.end();
    };
    const L1Tensor* chosen = nullptr;
    for (const L1Tensor& tensor : measures_.residency.tensors) {
        if (!tensor.positions.contains(static_cast<Step>(found.position)) || isOwn(tensor.value)) continue;
        const OperationId maker = transformed_.function.value(tensor.value).producer;
        if (!maker.isValid() || (victim != Victim::AnyLargest && !isDecided(standsFor(maker)))) continue;
        const auto rank = [&](const L1Tensor& t) {
            return victim == Victim::ReadLast ? Bytes{t.positions.end} : t.bytes;
        };
        if (!chosen || rank(tensor) > rank(*chosen)) chosen = &tensor;
    }
    if (!chosen) return false;
    const OperationId maker = transformed_.function.value(chosen->value).producer;
    // A conversion of the module that is a chain's reshard goes with the chain.
    if (const OperationId reader = resharded(maker); reader.isValid()) return revert(reader, found);
    const OperationId source = standsFor(maker);
    if (contains(solution_.spillToDram, source)) return readSpilledCopy(source, found) || revert(source, found);
    std::erase(solution_.spillToL1, source);
    solution_.spillToDram.push_back(source);
    forgetResident(source);
    const int chain = chainOf(source);
    if (chain >= 0) solution_.record.chains[static_cast<std::size_t>(chain)].spill = SpillLocation::Dram;
    say(source, "its result goes to DRAM", found);
    return true;
}

/// Readers of a spilled value that took it from L1 (7 step 4) read the copy.
bool Revision::readSpilledCopy(OperationId source, const OpMeasure& found) {
    if (!solution_.directUses) listDirectUses();
    const std::size_t before = solution_.directUses->size();
    forgetResident(source);
    if (solution_.directUses->size() == before) return false;
    say(source, "all readers take its copy in DRAM", found);
    return true;
}

/// A conversion that the transformation has left out, since its reader takes the value itself.
void Revision::dropReshard(const Use& use) {
    std::erase_if(solution_.reshards, [&](const Reshard& reshard) {
        return reshard.consumer == use.user && reshard.operand == use.operand;
    });
    for (EdgeInfo& edge : solution_.record.edges) {
        if (edge.consumer != use.user || edge.operand != use.operand) continue;
        edge.isResharded = false;
        edge.reshard.reset();
    }
}

/// Writes down what the transformation has done by its own rule.
void Revision::listDirectUses() {
    solution_.directUses.emplace();
    const Function& after = transformed_.function;
    for (const OperationId id : f_.order)
        for (std::size_t k = 0; k < f_.operation(id).operands.size(); ++k) {
            const ValueId value = f_.operation(id).operands[k];
            const OperationId producer = f_.value(value).producer;
            if (!producer.isValid() || !contains(solution_.spillToDram, producer)) continue;
            const int operand = static_cast<int>(k);
            const ValueId read = after.operation(id).operands[k];
            const OperationId reader = after.value(read).producer;
            const bool isReshard =
                read != value && after.operation(reader).operands.front() == value && standsFor(reader) == id;
            if (read == value) dropReshard({id, operand});
            if (read == value || isReshard) solution_.directUses->push_back({id, operand});
        }
}

bool Revision::revertProducers(const OpMeasure& found) {
    bool isChanged = false;
    for (const ValueId operand : transformed_.function.operation(found.op).operands) {
        const Value& value = transformed_.function.value(operand);
        if (!value.producer.isValid() || !value.type.layout || !value.type.layout->isInL1()) continue;
        isChanged = revert(standsFor(value.producer), found) || isChanged;
    }
    return isChanged;
}

bool Revision::revert(OperationId op, const OpMeasure& found) {
    if (!op.isValid() || !isDecided(op)) return false;
    const int chain = chainOf(op);
    if (chain >= 0)
        failChain(chain, found);
    else
        forget(op);
    say(op, chain >= 0 ? "its chain fails" : "it is as without the policy", found);
    return true;
}

void Revision::failChain(int chain, const OpMeasure& found) {
    ChainInfo& info = solution_.record.chains[static_cast<std::size_t>(chain)];
    for (const OperationId op : info.ops) {
        forget(op);
        if (op.at() < solution_.record.ops.size()) solution_.record.ops[op.at()].selected = -1;
    }
    info.state = ChainState::Failed;
    info.spill = SpillLocation::None;
    info.coreUsage = 0;
    ChainFailure failure;
    failure.consumer = standsFor(found.op);
    failure.stage = "position";
    failure.reasons.emplace_back(found.message, 1);
    info.failure = std::move(failure);
    for (MergeInfo& merge : solution_.record.merges) {
        const bool isOf = merge.target == chain ||
                          std::find(merge.sources.begin(), merge.sources.end(), chain) != merge.sources.end();
        if (!isOf || !merge.isAccepted) continue;
        merge.isAccepted = false;
        merge.rejectedBy = "position";
    }
}

void Revision::forget(OperationId op) {
    solution_.configs[op.at()].reset();
    std::erase_if(solution_.reshards, [&](const Reshard& reshard) {
        return reshard.consumer == op && reshard.origin != ReshardOrigin::Override;
    });
    std::erase(solution_.spillToDram, op);
    std::erase(solution_.spillToL1, op);
    forgetResident(op);
}

void Revision::forgetResident(OperationId source) {
    std::erase_if(solution_.record.reservations, [&](const Reservation& r) { return r.source == source; });
    rejectMergesOf(source);
    if (!solution_.directUses) return;
    const ValueId value = f_.resultOf(source);
    std::erase_if(*solution_.directUses, [&](const Use& use) {
        return use.user.isValid() && use.operand >= 0 &&
               f_.operation(use.user).operands[static_cast<std::size_t>(use.operand)] == value;
    });
}

/// Merges that counted on its result in L1.
void Revision::rejectMergesOf(OperationId source) {
    const auto& chains = solution_.record.chains;
    for (MergeInfo& merge : solution_.record.merges) {
        const bool isOf = std::ranges::any_of(
            merge.sources, [&](int chain) { return chains[static_cast<std::size_t>(chain)].ops.back() == source; });
        if (!isOf || !merge.isAccepted) continue;
        merge.isAccepted = false;
        merge.rejectedBy = "position";
    }
}

void Revision::say(OperationId op, std::string_view what, const OpMeasure& found) {
    const Operation& operation = f_.operation(op);
    std::string sentence = operation.name;
    if (!operation.location.name.empty()) sentence += " " + operation.location.name;
    sentence.append(": ").append(what).append(", since ");
    sentence += transformed_.function.operation(found.op).name + " does not hold at its position: " + found.message;
    solution_.takenBack.push_back({std::string(codeOf(found.status)), op, std::move(sentence)});
}

}  // namespace

void makeLegal(const PolicyInput& input, Solution& solution) {
    Revision(input, solution).run();
}

}  // namespace memplan::ttnn

// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/measure/measure.h"

#include "engine/ttnn/layout/arithmetic.h"
#include "engine/ttnn/measure/views.h"

#include <algorithm>

namespace memplan::ttnn {
namespace {

class Measurer {
public:
    Measurer(const Transformed& transformed, OpModel& model)
        : t_(transformed), f_(transformed.function), model_(model), conversionOf_(f_.operations.size(), nullptr) {
        for (const Conversion& conversion : t_.conversions)
            conversionOf_[conversion.op.at()] = &conversion;
        m_.residency = residencyOf(f_);
        m_.occupied = m_.residency.live;
        m_.limit = model.options().limit;
    }

    Measures run() {
        for (std::size_t at = 0; at < f_.order.size(); ++at)
            measureOp(at);
        measureResidency();
        const double workers = static_cast<double>(model_.device().workers.volume());
        if (m_.opNs > 0) m_.coreUtilisation = weightedCores_ / (m_.opNs * workers);
        if (m_.tensorOps > 0) m_.meanCores = static_cast<double>(m_.coreUsageSum) / static_cast<double>(m_.tensorOps);
        return std::move(m_);
    }

private:
    [[nodiscard]] bool isInserted(OperationId id) const {
        return conversionOf_[id.at()] && !conversionOf_[id.at()]->isInPlace;
    }
    void measureOp(std::size_t at);
    [[nodiscard]] Bytes readTwice(OperationId id) const;
    void ask(OpMeasure& measure, const OpConfig& config, std::span<const Layout> inputs);
    void leaveUnasked(OpMeasure& measure, const OpConfig& config, std::span<const Layout> inputs);
    void countOp(const OpMeasure& measure);
    void countConversion(const OpMeasure& measure);
    void measureResidency();
    [[nodiscard]] Layout layoutOf(ValueId value) const { return ttnn::layoutOf(f_.typeOf(value), model_.device()); }
    [[nodiscard]] Bytes wholeBytes(ValueId value) const {
        return dramInterleaved(f_.typeOf(value).shape, layoutOf(value), model_.device()).shardBytes();
    }

    const Transformed& t_;
    const Function& f_;
    OpModel& model_;
    std::vector<const Conversion*> conversionOf_;  ///< by OperationId
    double weightedCores_ = 0;
    Measures m_;
};

void Measurer::measureOp(std::size_t at) {
    const OperationId id = f_.order[at];
    const Operation& op = f_.operation(id);
    const ValueId result = f_.resultOf(id);
    if (!result.isValid() || !f_.typeOf(result).isTensor) return;
    OpMeasure measure;
    measure.op = id;
    measure.position = at;
    if (conversionOf_[id.at()]) measure.conversion = conversionOf_[id.at()]->kind;
    measure.additional = m_.residency.others(f_, at);
    std::vector<Layout> inputs;
    bool hasLayouts = f_.typeOf(result).layout.has_value();
    for (const ValueId operand : tensorOperands(f_, op)) {
        hasLayouts = hasLayouts && f_.typeOf(operand).layout.has_value();
        inputs.push_back(layoutOf(operand));
    }
    OpConfig config = t_.configs[id.at()];
    config.output = layoutOf(result);
    if (hasLayouts)
        ask(measure, config, inputs);
    else
        leaveUnasked(measure, config, inputs);
    m_.peakL1 = std::max(m_.peakL1, measure.need);
    m_.dramRead += measure.runtime.dramRead;
    m_.dramWritten += measure.runtime.dramWritten;
    if (measure.conversion) countConversion(measure);
    if (isInserted(id))
        m_.conversionNs += measure.runtime.ns;
    else
        countOp(measure);
    m_.ops.push_back(std::move(measure));
}

/// Bytes of operands that show the storage of another operand, as a view and its value: the model, which knows no views
/// of others, counts each value.
Bytes Measurer::readTwice(OperationId id) const {
    std::vector<int> storages;
    std::vector<ValueId> seen;
    Bytes bytes = 0;
    for (const ValueId operand : f_.operation(id).operands) {
        const int storage = m_.residency.tensorOf[operand.at()];
        if (storage < 0 || std::ranges::find(seen, operand) != seen.end()) continue;
        seen.push_back(operand);
        const bool isKnown = std::ranges::find(storages, storage) != storages.end();
        if (isKnown && model_.options().strictL1Accounting)
            bytes += m_.residency.tensors[static_cast<std::size_t>(storage)].bytes;
        storages.push_back(storage);
    }
    return bytes;
}

void Measurer::ask(OpMeasure& measure, const OpConfig& config, std::span<const Layout> inputs) {
    const OpQuery query{f_, f_.operation(measure.op), inputs, config, measure.additional - readTwice(measure.op)};
    Validation validation = model_.validate(query);
    measure.status = validation.status;
    measure.message = std::move(validation.message);
    measure.need = validation.need;
    measure.cb = validation.constraints.cbPeak;
    measure.tensorL1 = validation.constraints.tensorPeak;
    measure.residentInputs = validation.constraints.residentInputs;
    const auto& outputs = validation.constraints.outputs;
    if (validation.ok() && !outputs.empty() && outputs.front() != *config.output) {
        measure.status = ValidationStatus::UnmatchedReferenceConfig;
        measure.message = "the actual layout of its result is another one";
    }
    measure.runtime = model_.runtime(query);
    if (validation.status == ValidationStatus::NotImplemented) return;
    const bool isView = isViewInL1(f_, f_.operation(measure.op));
    m_.occupied[measure.position] = measure.need + (isView ? config.output->shardBytes() : 0);
}

/// Without a layout nothing can be asked; its time is that of its tensors in DRAM.
void Measurer::leaveUnasked(OpMeasure& measure, const OpConfig& config, std::span<const Layout> inputs) {
    measure.status = ValidationStatus::NotImplemented;
    measure.message = "a tensor of it has no layout";
    measure.runtime = model_.runtime({f_, f_.operation(measure.op), inputs, config, measure.additional});
}

void Measurer::countOp(const OpMeasure& measure) {
    const Type& type = f_.typeOf(f_.resultOf(measure.op));
    ++m_.tensorOps;
    if (type.layout && type.layout->isL1Sharded()) ++m_.shardedOps;
    if (type.layout && type.layout->isInL1() && type.layout->isInterleaved()) ++m_.l1Ops;
    if (measure.status == ValidationStatus::Success)
        ++m_.validatedOps;
    else if (measure.status == ValidationStatus::NotImplemented)
        ++m_.unmodelledOps;
    else
        ++m_.refusedOps;
    m_.opNs += measure.runtime.ns;
    m_.coreUsageSum += measure.runtime.cores;
    weightedCores_ += measure.runtime.ns * static_cast<double>(measure.runtime.cores);
}

void Measurer::countConversion(const OpMeasure& measure) {
    const Bytes bytes = wholeBytes(f_.resultOf(measure.op));
    switch (*measure.conversion) {
    case ConversionKind::Forced:
        ++m_.forced;
        break;
    case ConversionKind::Override:
        ++m_.overridden;
        break;
    case ConversionKind::Proactive:
        ++m_.proactive;
        break;
    case ConversionKind::Spill:
        ++m_.spills;
        break;
    case ConversionKind::ToL1:
        ++m_.toL1;
        break;
    }
    (isReshard(*measure.conversion) ? m_.reshardBytes : m_.spillBytes) += bytes;
}

/// A result counts with its own bytes, in L1 or not as its last reader finds it behind inserted conversions (15.1).
void Measurer::measureResidency() {
    std::vector<ValueId> lastOperand(f_.values.size());  // by result of an operation of the input
    for (const OperationId id : f_.order) {
        if (isInserted(id) || f_.operation(id).is("deallocate")) continue;
        for (const ValueId operand : f_.operation(id).operands) {
            ValueId root = operand;
            while (f_.value(root).producer.isValid() && isInserted(f_.value(root).producer))
                root = f_.operation(f_.value(root).producer).operands.front();
            if (f_.value(root).producer.isValid() && f_.typeOf(root).isTensor) lastOperand[root.at()] = operand;
        }
    }
    for (std::size_t v = 0; v < lastOperand.size(); ++v) {
        if (!lastOperand[v].isValid()) continue;
        const Bytes bytes = wholeBytes(ValueId::of(v));
        m_.readResultBytes += bytes;
        if (layoutOf(lastOperand[v]).isInL1()) m_.l1ReadBytes += bytes;
    }
}

double share(double part, double whole) {
    return whole > 0 ? part / whole : 0;
}

}  // namespace

double Measures::l1ResidencyShare() const {
    return share(static_cast<double>(l1ReadBytes), static_cast<double>(readResultBytes));
}

double Measures::shardedShare() const {
    return share(static_cast<double>(shardedOps), static_cast<double>(tensorOps));
}

Layout layoutOf(const Type& type, const Device& device) {
    if (type.layout) return *type.layout;
    LayoutChoice choice;
    choice.dtype = type.dtype;
    return makeLayout(type.shape, choice, device);
}

Measures measure(const Transformed& transformed, OpModel& model) {
    return Measurer(transformed, model).run();
}

std::vector<std::size_t> violations(const Measures& measures) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < measures.ops.size(); ++i) {
        const OpMeasure& op = measures.ops[i];
        const bool isUnmodelled = op.status == ValidationStatus::NotImplemented;
        if (isUnmodelled ? measures.residency.live[op.position] > 0 : op.status != ValidationStatus::Success)
            found.push_back(i);
    }
    return found;
}

}  // namespace memplan::ttnn

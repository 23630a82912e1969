// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/compile/plan_builder.h"

#include "engine/pipeline/hint_states.h"
#include "engine/pipeline/plan_frame.h"
#include "engine/pipeline/plan_metrics.h"
#include "engine/plan/ttnn_data.h"
#include "engine/ttnn/compile/figures.h"
#include "engine/ttnn/compile/reasons.h"
#include "engine/ttnn/compile/snapshot_text.h"
#include "engine/ttnn/layout/arithmetic.h"
#include "engine/ttnn/options/config_text.h"
#include "engine/ttnn/plan_file/codec.h"
#include "engine/ttnn/texts/reasons.h"

#include <algorithm>
#include <array>
#include <limits>

namespace memplan::ttnn {
namespace {

DType dtypeOf(DataType type) {
    static constexpr std::array<DType, 14> kTypes{DType::F32,  DType::F16,  DType::BF16, DType::BFP8, DType::BFP8,
                                                  DType::BFP4, DType::BFP4, DType::BFP4, DType::BFP4, DType::U32,
                                                  DType::U16,  DType::U8,   DType::I32,  DType::Bool};
    return kTypes[static_cast<std::size_t>(type)];
}

/// Bytes of the whole tensor as it lies in memory, padding included.
Bytes wholeBytes(const Type& type, const Layout& layout) {
    const auto matrix = physicalShape(type.shape, layout.page);
    if (!layout.isTiled()) return matrix[0] * matrix[1] * elementBytes(layout.dtype);
    return ceilDiv(matrix[0], kTile) * ceilDiv(matrix[1], kTile) * tileBytes(layout.dtype);
}

std::string classOf(const Operation& op, bool isInserted) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kClasses{{
        {"matmul", "matmul"},
        {"linear", "matmul"},
        {"conv2d", "conv"},
        {"conv_transpose2d", "conv"},
        {"to_layout", "conversion"},
        {"to_memory_config", "conversion"},
        {"concat", "copy"},
        {"reshape", "view"},
        {"permute", "copy"},
        {"transpose", "copy"},
    }};
    if (isInserted) return "conversion";
    const auto it = std::ranges::find(kClasses, op.kind(), &std::pair<std::string_view, std::string_view>::first);
    return it == kClasses.end() ? "eltwise" : std::string(it->second);
}

TtnnConversion conversionOf(std::optional<ConversionKind> kind) {
    if (!kind) return TtnnConversion::None;
    switch (*kind) {
    case ConversionKind::Forced:
        return TtnnConversion::Forced;
    case ConversionKind::Override:
        return TtnnConversion::Override;
    case ConversionKind::Proactive:
        return TtnnConversion::Proactive;
    case ConversionKind::Spill:
        return TtnnConversion::SpillToDram;
    case ConversionKind::ToL1:
        return TtnnConversion::SpillToL1;
    }
    return TtnnConversion::None;
}

class Builder {
public:
    Builder(const CompileRequest& request, const State& state, RunFacts facts)
        : request_(request), state_(state), facts_(std::move(facts)), function_(state.current()),
          names_(operationNames(function_)), plan_(std::make_shared<Plan>()),
          data_(editTargetData<TtnnData>(plan_->targetData)) {}

    std::shared_ptr<Plan> build() {
        copyRequest();
        placeOperations();
        addBuffers();
        addOperations();
        addRecord();
        addMemory();
        addMetrics();
        putRun(facts_, *plan_);
        addDecisions();
        addProblems();
        sealPlan(request_, *plan_);
        if (!data_.policy.empty()) data_.hashes = partHashes(*plan_);
        return plan_;
    }

private:
    const CompileRequest& request_;
    const State& state_;
    RunFacts facts_;
    const Function& function_;
    std::vector<std::string> names_;  ///< by OperationId
    std::shared_ptr<Plan> plan_;
    TtnnData& data_;
    std::vector<OperationId> order_;          ///< operations of the plan
    std::vector<OpId> positions_;             ///< by OperationId: position in the plan
    std::vector<BufferId> buffers_;           ///< by ValueId
    std::vector<const OpMeasure*> measures_;  ///< by OperationId

    void copyRequest() {
        putRequest(request_, *plan_);
        putHints(request_, facts_.hintStates, *plan_);
        plan_->solver = state_.hasSolution ? wordOf(state_.options.policy) : "none";
    }

    void placeOperations() {
        order_ = function_.order;
        positions_.resize(function_.operations.size());
        for (std::size_t i = 0; i < order_.size(); ++i)
            positions_[order_[i].at()] = OpId::of(i);
        measures_.resize(function_.operations.size());
        if (!state_.measures) return;
        for (const OpMeasure& m : state_.measures->ops)
            measures_[m.op.at()] = &m;
    }

    // ---- values ------------------------------------------------------------------------------------------------

    void addBuffers() {
        buffers_.resize(function_.values.size());
        for (const ValueId argument : function_.arguments)
            addBuffer(argument);
        for (const OperationId op : order_) {
            for (const ValueId result : function_.operation(op).results)
                addBuffer(result);
        }
        for (const ValueId value : function_.returned) {
            if (buffers_[value.at()].isValid())
                plan_->buffers[buffers_[value.at()].at()].role = BufferRole::GraphOutput;
        }
    }

    void addBuffer(ValueId id) {
        const Value& value = function_.value(id);
        if (!value.type.isTensor) return;
        PlanBuffer b;
        b.name = bufferName(value);
        b.producer = value.producer.isValid() ? positions_[value.producer.at()] : OpId{};
        b.role = roleOf(value);
        const Layout layout = layoutOf(value.type, *state_.device);
        b.size = wholeBytes(value.type, layout);
        b.sizePerCore = layout.isInL1() ? layout.shardBytes() : 0;
        b.cores = layout.grid.volume();
        b.space = layout.isInL1() ? MemorySpace::L1 : MemorySpace::Dram;
        b.shape = value.type.shape;
        b.dtype = dtypeOf(layout.dtype);
        const Step start = b.producer.isValid() ? b.producer.index : 0;
        b.life = {start, start};
        if (value.producer.isValid()) b.uses.push_back(b.producer), b.life.end = start + 1;
        // A compile that was stopped before has decided nothing about values between operations.
        const bool isDecided = state_.transformed || b.role != BufferRole::Intermediate;
        if (!layout.isInL1() && isDecided) b.reason = reasonOf(state_, id, names_);
        buffers_[id.at()] = BufferId::of(plan_->buffers.size());
        if (isAsGiven(id, layout)) data_.layoutsAsGiven.push_back(buffers_[id.at()]);
        plan_->buffers.push_back(std::move(b));
    }

    /// A layout that the source states and that is not the one of the shape.
    [[nodiscard]] bool isAsGiven(ValueId id, const Layout& layout) const {
        const bool isOfSource = id.at() < state_.input().values.size() && state_.input().typeOf(id).layout == layout;
        if (!isOfSource || layout.mem == MemLayout::NdSharded) return false;
        const LayoutChoice same{layout.dtype, layout.page, layout.buffer, layout.mem, layout.grid};
        return makeLayout(function_.typeOf(id).shape, same, *state_.device).shard != layout.shard;
    }

    std::string bufferName(const Value& value) const {
        if (value.producer.isValid())
            return names_[value.producer.at()] +
                   (value.result > 0 ? "." + std::to_string(value.result) : std::string());
        const std::string* given = findAttribute(value.attributes, "ttir.name");
        if (given != nullptr) {
            if (const auto text = stringOf(*given)) return *text;
        }
        return value.name.empty() ? "arg" + std::to_string(value.argument) : value.name;
    }

    static BufferRole roleOf(const Value& value) {
        if (value.producer.isValid()) return BufferRole::Intermediate;
        const std::string* type = findAttribute(value.attributes, "ttcore.argument_type");
        const bool isInput = type == nullptr || type->find("input") != std::string::npos;
        return isInput ? BufferRole::GraphInput : BufferRole::Parameter;
    }

    // ---- operations --------------------------------------------------------------------------------------------

    void addOperations() {
        for (std::size_t i = 0; i < order_.size(); ++i)
            addOperation(order_[i], static_cast<Step>(i));
        // A returned value stays to the end.
        for (PlanBuffer& b : plan_->buffers) {
            if (b.role == BufferRole::GraphOutput) b.life.end = std::max(b.life.end, static_cast<Step>(order_.size()));
        }
    }

    void addOperation(OperationId id, Step at) {
        const Operation& op = function_.operation(id);
        const OpMeasure* measured = measures_[id.at()];
        const bool isInserted = id.at() >= state_.input().operations.size();
        PlanOp shown;
        shown.name = names_[id.at()];
        shown.type = std::string(op.kind());
        shown.kind = classOf(op, isInserted);
        TtnnOp own;
        own.name = op.name;
        for (const Attribute& a : op.properties)
            own.attributes.emplace_back(a.name, a.text);
        for (const ValueId operand : op.operands)
            addOperand(operand, at, shown, own);
        for (const ValueId result : op.results) {
            if (!buffers_[result.at()].isValid()) continue;
            shown.outputs.push_back(buffers_[result.at()]);
            own.results.push_back({buffers_[result.at()], layoutOf(function_.typeOf(result), *state_.device)});
        }
        if (isInserted) shown.addedBy = "graph_transformation";
        if (id.at() < state_.sources.size()) shown.sourceOps = state_.sources[id.at()];
        shown.origin.op = op.name;
        shown.origin.node = op.location.name;
        own.locationText = op.location.text;
        if (state_.transformed && id.at() < state_.transformed->configs.size())
            own.config = state_.transformed->configs[id.at()].attrs;
        if (std::holds_alternative<std::monostate>(own.config)) own.config = givenConfig(op);
        if (measured != nullptr) addFigures(*measured, shown, own);
        // A conversion of the source is an operation like others, even where its target was changed.
        if (!isInserted) own.conversion = TtnnConversion::None;
        if (state_.measures) own.residentInputs = residentInputs(op);
        plan_->ops.push_back(std::move(shown));
        data_.ops.push_back(std::move(own));
    }

    /// Where nothing was decided the configuration of a convolution or a product is that of the module, as the model
    /// has it.
    static OpAttrs givenConfig(const Operation& op) {
        if (op.is("matmul") || op.is("linear")) {
            const std::string* text = op.find("matmul_program_config");
            auto program = text != nullptr ? matmulProgramOf(*text) : std::nullopt;
            return program ? OpAttrs(MatmulAttrs{*std::move(program), std::nullopt}) : OpAttrs();
        }
        if (!op.is("conv2d") && !op.is("conv_transpose2d")) return {};
        const std::string* text = op.find("conv2d_config");
        auto config = text != nullptr ? conv2dConfigOf(*text) : std::nullopt;
        if (!config) return {};
        Conv2dAttrs attrs;
        attrs.config = *std::move(config);
        return attrs;
    }

    void addOperand(ValueId operand, Step at, PlanOp& shown, TtnnOp& own) {
        const BufferId buffer = buffers_[operand.at()];
        if (!buffer.isValid()) return;
        own.operands.push_back({buffer, layoutOf(function_.typeOf(operand), *state_.device)});
        PlanBuffer& b = plan_->buffers[buffer.at()];
        b.life.end = std::max(b.life.end, at + 1);
        if (std::ranges::find(shown.inputs, buffer) != shown.inputs.end()) return;
        shown.inputs.push_back(buffer);
        b.uses.push_back(OpId{at});
    }

    /// Bytes of one core of its operands in L1, each storage once and none that its result shares.
    [[nodiscard]] Bytes residentInputs(const Operation& op) const {
        const L1Residency& residency = state_.measures->residency;
        std::vector<int> seen;
        const auto isNew = [&](ValueId value) {
            const int tensor = residency.tensorOf[value.at()];
            if (tensor < 0 || std::ranges::find(seen, tensor) != seen.end()) return false;
            seen.push_back(tensor);
            return true;
        };
        for (const ValueId result : op.results)
            isNew(result);
        Bytes bytes = 0;
        for (const ValueId operand : op.operands) {
            if (isNew(operand)) bytes += residency.tensors[static_cast<std::size_t>(seen.back())].bytes;
        }
        return bytes;
    }

    static void addFigures(const OpMeasure& m, PlanOp& shown, TtnnOp& own) {
        shown.cores = std::max<std::int64_t>(1, m.runtime.cores);
        shown.offChipRead = own.dramRead = m.runtime.dramRead;
        shown.offChipWrite = own.dramWritten = m.runtime.dramWritten;
        own.conversion = conversionOf(m.conversion);
        own.status = wordOf(m.status);
        own.message = m.message;
        own.boundBy = wordOf(m.runtime.boundBy);
        own.cb = m.cb;
        own.tensorL1 = m.tensorL1;
        own.reserved = m.additional;
        own.need = m.need;
        own.ns = m.runtime.ns;
    }

    // ---- record ------------------------------------------------------------------------------------------------

    void put(OperationId& id) const { id = id.isValid() ? positions_[id.at()] : OpId{}; }

    /// Positions of the schedule, which knows no conversions, as positions of the plan: from the operation at its begin
    /// to the last of its readers.
    PositionRange inPlan(PositionRange positions) const {
        const auto& schedule = state_.solution.schedule;
        const auto at = [&](Step p) {
            const auto i = static_cast<std::size_t>(std::clamp<Step>(p, 0, static_cast<Step>(schedule.size()) - 1));
            return positions_[schedule[i].at()].index;
        };
        if (schedule.empty()) return positions;
        return {at(positions.begin), at(positions.end - 1) + 1};
    }

    void addRecord() {
        data_.function = state_.input().name;
        data_.device = *state_.device;
        data_.l1UsageCap = state_.cap;
        if (!state_.measures) return;
        addModule();
        data_.policy = plan_->solver;
        data_.hasChains = state_.hasChains;
        data_.advice = state_.advice;
        ChainRecord record = state_.solution.record;
        for (ChainInfo& chain : record.chains) {
            for (OperationId& op : chain.ops)
                put(op);
            put(chain.endedAt);
            if (chain.failure) put(chain.failure->producer), put(chain.failure->consumer);
        }
        for (EdgeInfo& edge : record.edges)
            put(edge.producer), put(edge.consumer);
        for (Reservation& r : record.reservations) {
            put(r.source);
            r.positions = inPlan(r.positions);
        }
        for (MergeInfo& m : record.merges)
            put(m.joinOp), put(m.rejectedAt);
        for (ResidencyTrial& t : record.trials)
            put(t.source), put(t.rejectedAt);
        for (TraceEvent& event : record.trace)
            put(event.op), put(event.other);
        std::vector<OpRecord> ops(plan_->ops.size());
        for (std::size_t i = 0; i < record.ops.size(); ++i) {
            if (positions_[i].isValid()) ops[positions_[i].at()] = std::move(record.ops[i]);
        }
        record.ops = std::move(ops);
        data_.record = std::move(record);
        addGoals();
    }

    /// The optimised module, for its files; and what was forced, as one option string.
    void addModule() {
        Module module = state_.module;
        module.functions[state_.function] = function_;
        module.device = *state_.device;
        data_.module = std::make_shared<const Module>(std::move(module));
        const Options& o = state_.options;
        const auto add = [&](std::string_view option, const std::string& text) {
            if (text.empty()) return;
            data_.overrides += (data_.overrides.empty() ? "" : " ") + std::string(option) + "=" + text;
        };
        add("insert-memreconfig", overrideText(o.insertMemreconfig));
        add("override-output-layout", overrideText(o.outputLayouts));
        add("override-conv2d-config", overrideText(o.conv2dConfigs));
        add("override-conv3d-config", overrideText(o.conv3dConfigs));
    }

    void addGoals() {
        const Measures& m = *state_.measures;
        TtnnGoals& g = data_.goals;
        g.residentBytes = m.l1ReadBytes;
        g.readBytes = m.readResultBytes;
        g.dramBytes = m.dramRead + m.dramWritten;
        g.shardedOps = m.shardedOps;
        g.tensorOps = m.tensorOps;
        g.coreUtilisation = m.coreUtilisation;
        g.meanCores = m.meanCores;
        for (const ChainInfo& chain : data_.record.chains)
            g.coreUsageSum += chain.state == ChainState::Completed ? chain.coreUsage : 0;
        g.validatedOps = m.validatedOps;
        g.unmodelledOps = m.unmodelledOps;
        for (const TtnnOp& op : data_.ops)
            addConversion(op, g);
        g.lowerBoundNs = state_.lowerBoundNs;
    }

    void addConversion(const TtnnOp& op, TtnnGoals& g) const {
        g.estimatedNs += op.ns;
        if (op.conversion == TtnnConversion::None) return;
        g.conversionNs += op.ns;
        g.forcedReshards += op.conversion == TtnnConversion::Forced ? 1 : 0;
        g.overrideReshards += op.conversion == TtnnConversion::Override ? 1 : 0;
        g.proactiveReshards += op.conversion == TtnnConversion::Proactive ? 1 : 0;
        g.spills += op.conversion == TtnnConversion::SpillToDram ? 1 : 0;
        const bool isSpill = op.conversion == TtnnConversion::SpillToDram || op.conversion == TtnnConversion::SpillToL1;
        if (!isSpill) g.reshardBytes += plan_->buffer(op.results.front().buffer).size;
    }

    // ---- figures -----------------------------------------------------------------------------------------------

    void addMemory() {
        PlanMemory& memory = plan_->memory;
        memory.capacity = state_.limit;
        memory.physical = state_.device->l1Size;
        memory.alignment = state_.device->l1Alignment;
        for (std::size_t i = 0; i < data_.ops.size(); ++i) {
            const Bytes bytes = state_.measures ? state_.measures->occupied[i] : data_.ops[i].need;
            memory.occupancy.push_back({static_cast<Step>(i), bytes});
            if (bytes > memory.livePeak) memory.livePeak = bytes, memory.livePeakStep = static_cast<Step>(i);
        }
        memory.peak = memory.livePeak;
    }

    void addMetrics() {
        fillMetrics(*plan_, {state_.device->workers.volume(), 0});
        PlanMetrics& m = plan_->metrics;
        m.opsOverSpan = 0;
        m.coreUtilisation = data_.goals.coreUtilisation;
        m.provedOptimal = false;
        m.opsBelowHalf = 0;
        const std::int64_t half = state_.device->workers.volume() / 2;
        for (const PlanOp& op : plan_->ops)
            m.opsBelowHalf += op.addedBy.empty() && op.cores < half ? 1 : 0;
        if (!state_.measures) return;
        m.estimatedMicroseconds = data_.goals.estimatedNs / 1000;
        m.own = ownFigures(data_.goals);
    }

    // ---- decisions and problems --------------------------------------------------------------------------------

    void addDecisions() {
        if (!state_.transformed) return;
        for (std::size_t i = 0; i < plan_->ops.size(); ++i) {
            if (plan_->ops[i].addedBy.empty() && !data_.ops[i].results.empty())
                plan_->decisions.push_back(layoutDecision(i));
        }
    }

    [[nodiscard]] std::string_view decidingPass() const {
        if (state_.hasSolution) return "memory_layout_analysis";
        return state_.options.enableOptimizer ? "op_config_analysis" : "ttir_to_ttnn";
    }

    [[nodiscard]] Statement reasonWithoutChain() const {
        if (state_.hasSolution) return {say::kByPolicy, wordOf(state_.options.policy)};
        return state_.options.enableOptimizer ? say::kByDefault : say::kAsGiven;
    }

    [[nodiscard]] Decision layoutDecision(std::size_t i) const {
        Decision d;
        d.pass = decidingPass();
        d.op = OpId::of(i);
        d.buffer = data_.ops[i].results.front().buffer;
        d.kind = DecisionKind::Layout;
        d.chosen = {say::kLayout, layoutWords(data_.ops[i].results.front().layout)};
        const OpRecord* record = i < data_.record.ops.size() ? &data_.record.ops[i] : nullptr;
        if (record == nullptr || record->selected < 0 || record->acc.size() != record->sharded.size()) {
            d.why = reasonWithoutChain();
            return d;
        }
        const auto chosen = static_cast<std::size_t>(record->selected);
        d.why = {say::kInChain, std::int64_t{record->chain}, static_cast<std::int64_t>(record->acc[chosen])};
        for (std::size_t c = 0; c < record->sharded.size() && d.alternatives.size() < 32; ++c) {
            const bool isDropped = c < record->clearedEdge.size() && record->clearedEdge[c] != -1;
            d.alternatives.push_back({{say::kLayout, layoutWords(record->sharded[c])},
                                      isDropped ? std::numeric_limits<double>::infinity() : record->acc[c]});
        }
        return d;
    }

    void addProblems() {
        for (std::size_t i = 0; i < plan_->buffers.size(); ++i)
            addRefusal(BufferId::of(i));
    }

    /// What a user can change is a problem; that arguments and results are in DRAM is none.
    void addRefusal(BufferId id) {
        static constexpr std::array kTold{ReasonCode::ChainFailed, ReasonCode::MergeRejected, ReasonCode::ForkRejected};
        const PlanBuffer& b = plan_->buffer(id);
        if (!b.reason || std::ranges::find(kTold, b.reason->code) == kTold.end()) return;
        Diagnostic d = refusalOf(*plan_, id, "\"" + b.name + "\" is not in L1: ");
        d.pass = "memory_layout_analysis";
        if (b.producer.isValid()) d.ops = {b.producer};
        plan_->problems.push_back(std::move(d));
    }
};

}  // namespace

std::shared_ptr<Plan> buildPlan(const CompileRequest& request, const State& state, RunFacts facts) {
    return Builder(request, state, std::move(facts)).build();
}

}  // namespace memplan::ttnn

// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/compile/plan_builder.h"

#include "engine/pipeline/hint_states.h"
#include "engine/pipeline/plan_frame.h"
#include "engine/pipeline/plan_metrics.h"
#include "engine/torchwright/compile/figures.h"
#include "engine/torchwright/compile/lives.h"
#include "engine/torchwright/compile/snapshot_text.h"
#include "engine/torchwright/report/occupancy.h"
#include "engine/torchwright/texts/reasons.h"

#include <algorithm>
#include <map>

namespace memplan::torchwright {
namespace {

constexpr Bytes kColumnBytes = 4;  ///< one float32 a column and token position

std::string_view typeOf(const PlannedOp& op) {
    return op.attention != nullptr ? opName(op.attention->kind) : opName(op.mlp->kind);
}

class Builder {
public:
    Builder(const CompileRequest& request, const State& state, RunFacts facts)
        : request_(request), state_(state), facts_(std::move(facts)),
          graph_(state.scheduled ? *state.scheduled : state.graph), plan_(std::make_shared<Plan>()),
          data_(editTargetData<TorchwrightData>(plan_->targetData)) {}

    std::shared_ptr<Plan> build() {
        copyRequest();
        addBuffers();
        if (state_.schedule) addSchedule();
        putRun(facts_, *plan_);
        if (state_.schedule) addDecisions();
        sealPlan(request_, *plan_);
        return plan_;
    }

private:
    const CompileRequest& request_;
    const State& state_;
    RunFacts facts_;
    const NodeGraph& graph_;
    std::shared_ptr<Plan> plan_;
    TorchwrightData& data_;
    std::map<int, Step> firstOps_;  ///< of each layer that has one

    void copyRequest() {
        putRequest(request_, *plan_);
        putHints(request_, facts_.hintStates, *plan_);
        plan_->solver = request_.settings.integer("torchwright.optimize") > 0 ? "exact" : "heuristic";
    }

    [[nodiscard]] static BufferId bufferOf(NodeId id) { return BufferId::of(id.at()); }
    [[nodiscard]] PlanBuffer& edit(NodeId id) { return plan_->buffers[id.at()]; }

    // ---- values ------------------------------------------------------------------------------------------------

    void addBuffers() {
        std::map<std::string_view, TensorId> tensors;
        for (std::size_t i = 0; request_.graph && i < request_.graph->tensors.size(); ++i)
            tensors.emplace(request_.graph->tensors[i].id, TensorId::of(i));
        for (const Node& node : graph_.nodes) {
            PlanBuffer b;
            b.name = std::to_string(node.number);
            b.role = roleOf(node);
            b.size = b.sizePerCore = kColumnBytes * node.width;
            b.space = MemorySpace::Dram;
            b.shape = {node.width};
            b.dtype = DType::F32;
            const auto it = tensors.find(b.name);
            if (it != tensors.end() && !state_.neutral) b.graphTensor = it->second;
            const auto lowered = state_.graphTensors.find(node.number);
            if (lowered != state_.graphTensors.end()) b.graphTensor = lowered->second;
            plan_->buffers.push_back(std::move(b));
        }
        for (const NodeId id : graph_.outputs())
            edit(id).role = BufferRole::GraphOutput;
    }

    static BufferRole roleOf(const Node& node) {
        if (!isInputLike(node.kind)) return BufferRole::Intermediate;
        return node.is(NodeKind::LiteralValue) ? BufferRole::Constant : BufferRole::GraphInput;
    }

    /// Who holds columns, where and how long.
    void placeBuffers() {
        const std::vector<ColumnLife> lives = columnLives(*state_.schedule, state_.ops);
        for (std::size_t i = 0; i < lives.size(); ++i) {
            const Holding& holding = state_.schedule->holdings[i];
            PlanBuffer& b = edit(holding.owner);
            b.space = MemorySpace::Residual;
            if (!holding.columns.empty()) b.address = kColumnBytes * holding.columns.runs().front().first;
            b.life = lives[i].life;
            if (lives[i].takesOver.isValid()) b.inPlaceOf = bufferOf(lives[i].takesOver);
        }
        for (std::size_t i = 0; i < graph_.size(); ++i) {
            if (plan_->buffers[i].space != MemorySpace::Residual) explain(NodeId::of(i));
        }
    }

    /// Why a value owns no columns.
    void explain(NodeId id) {
        const Node& node = graph_.at(id);
        PlanBuffer& b = edit(id);
        b.sizePerCore = 0;
        Reason reason;
        reason.code = ReasonCode::HasNoColumns;
        reason.stated = statementOf(node, b);
        b.reason = std::move(reason);
        const Step at = b.producer.isValid() ? b.producer.index : 0;
        b.life = {at, at + 1};
    }

    [[nodiscard]] Statement statementOf(const Node& node, const PlanBuffer& b) const {
        if (node.is(NodeKind::Concatenate)) return {say::kConcatenate};
        if (node.is(NodeKind::Placeholder)) return {say::kPlaceholder};
        if (!b.producer.isValid()) return {say::kNeverComputed};
        const std::string& chain = plan_->op(b.producer).name;
        return node.is(NodeKind::ReLU) ? Statement(say::kChainRelu, chain) : Statement(say::kChainFirst, chain);
    }

    // ---- operations --------------------------------------------------------------------------------------------

    void addSchedule() {
        for (std::size_t i = 0; i < state_.ops.size(); ++i)
            addOperation(state_.ops[i], OpId::of(i));
        placeBuffers();
        addData();
        addMemory();
        addMetrics();
    }

    void addOperation(const PlannedOp& op, OpId id) {
        firstOps_.emplace(op.layer, id.index);
        PlanOp shown;
        shown.name = op.name;
        shown.type = typeOf(op);
        shown.kind = op.attention != nullptr ? "attention" : "mlp";
        shown.addedBy = isAdded(op) ? "schedule" : "";
        if (op.node.isValid()) {
            const Node& node = graph_.at(op.node);
            shown.groupPath = node.annotation;
            shown.origin = {std::string(kindName(node.kind)), node.name, "torchwright"};
            addSource(op.node, shown);
        }
        std::vector<NodeId> computed;
        if (!isAdded(op)) computed = computedBy(op);
        for (const NodeId node : computed) {
            if (node != op.node) addSource(node, shown);
            edit(node).producer = id;
            edit(node).uses.push_back(id);
        }
        if (op.node.isValid()) shown.outputs.push_back(bufferOf(op.node));
        if (!isAdded(op)) addInputs(op, id, shown);
        plan_->ops.push_back(std::move(shown));
    }

    static bool isAdded(const PlannedOp& op) {
        return !op.node.isValid() || (op.mlp != nullptr && op.mlp->kind == MlpKind::Bias);
    }

    /// The node, and of a chain its members; a first Linear that others read too has an operation of its own.
    [[nodiscard]] std::vector<NodeId> computedBy(const PlannedOp& op) const {
        std::vector<NodeId> nodes{op.node};
        if (op.mlp == nullptr) return nodes;
        for (const NodeId member : chainMembers(graph_, *op.mlp)) {
            const bool isOwner = state_.schedule->holdingOf(member) >= 0;
            if (!isOwner && !plan_->buffers[member.at()].producer.isValid()) nodes.push_back(member);
        }
        return nodes;
    }

    void addSource(NodeId node, PlanOp& shown) const {
        const auto it = state_.graphOps.find(graph_.at(node).number);
        if (it != state_.graphOps.end()) shown.sourceOps.push_back(it->second);
    }

    /// What it reads: of a chain the inputs of its first Linear.
    void addInputs(const PlannedOp& op, OpId id, PlanOp& shown) {
        NodeId reader = op.node;
        if (op.mlp != nullptr) {
            const std::vector<NodeId> members = chainMembers(graph_, *op.mlp);
            if (!members.empty()) reader = members.front();
        }
        for (const NodeId input : graph_.at(reader).inputs) {
            for (const NodeId leaf : leavesOf(graph_, input)) {
                if (std::ranges::find(shown.inputs, bufferOf(leaf)) != shown.inputs.end()) continue;
                shown.inputs.push_back(bufferOf(leaf));
                edit(leaf).uses.push_back(id);
            }
        }
    }

    void addData() {
        const TorchwrightData& report = state_.report;
        data_.graph = state_.scheduled;
        if (state_.unfused && state_.unfused->size() != state_.scheduled->size()) data_.unfused = state_.unfused;
        data_.schedule = *state_.schedule;
        for (const ColumnsByAnnotation& columns : occupancyOf(*state_.scheduled, *state_.schedule))
            data_.occupancy.emplace_back(columns.begin(), columns.end());
        data_.path = report.path;
        data_.annotations = report.annotations;
        data_.plateaus = report.plateaus;
        data_.clusters = report.clusters;
        data_.advice = report.advice;
        data_.isReported = report.isReported;
        data_.probe = report.probe;
        data_.weights = state_.weights;
        data_.isFresh = true;
    }

    // ---- figures -----------------------------------------------------------------------------------------------

    void addMemory() {
        const Schedule& s = *state_.schedule;
        PlanMemory& memory = plan_->memory;
        memory.capacity = memory.physical = kColumnBytes * s.options.d;
        memory.alignment = kColumnBytes;
        for (const auto& [layer, step] : firstOps_)
            memory.occupancy.push_back({step, kColumnBytes * s.layers[static_cast<std::size_t>(layer)].occupiedBefore});
        memory.livePeak = kColumnBytes * s.peakOccupied;
        memory.livePeakStep = peakStep(s);
        for (const Holding& holding : s.holdings) {
            for (const ColumnRun& run : holding.columns.runs())
                memory.peak = std::max(memory.peak, kColumnBytes * (run.first + run.count));
        }
    }

    /// The first operation before which the stream is fullest; of a peak after the last layer, the last operation.
    [[nodiscard]] Step peakStep(const Schedule& s) const {
        for (const auto& [layer, step] : firstOps_) {
            if (s.layers[static_cast<std::size_t>(layer)].occupiedBefore == s.peakOccupied) return step;
        }
        return std::max<Step>(0, static_cast<Step>(plan_->ops.size()) - 1);
    }

    void addMetrics() {
        fillMetrics(*plan_, {1, 0});
        PlanMetrics& m = plan_->metrics;
        m.unpinnedBytes = 0;  // what has no columns lives in hidden slots or in its parts
        m.upperBoundBytes = m.pinnedBytes;
        m.provedOptimal = false;
        m.own = ownFigures(graph_, *state_.schedule);
    }

    // ---- decisions ---------------------------------------------------------------------------------------------

    void addDecisions() {
        for (std::size_t i = 0; i < state_.ops.size(); ++i) {
            const PlannedOp& op = state_.ops[i];
            if (isAdded(op)) continue;
            Decision d;
            d.pass = "schedule";
            d.op = OpId::of(i);
            d.buffer = bufferOf(op.node);
            d.kind = DecisionKind::Placed;
            const ColumnList& target = op.attention != nullptr ? op.attention->target : op.mlp->target;
            d.chosen = {say::kColumns, columnsText(target)};
            d.why = {say::kInLayer, op.layer, std::string(typeOf(op))};
            const BufferId taken = plan_->buffer(d.buffer).inPlaceOf;
            if (taken.isValid()) {
                d.kind = DecisionKind::InPlace;
                d.why = {say::kTakesOver, plan_->buffer(taken).name};
            }
            plan_->decisions.push_back(std::move(d));
        }
    }
};

}  // namespace

std::shared_ptr<Plan> buildPlan(const CompileRequest& request, const State& state, RunFacts facts) {
    return Builder(request, state, std::move(facts)).build();
}

}  // namespace memplan::torchwright

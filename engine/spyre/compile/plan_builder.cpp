// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/compile/plan_builder.h"

#include "engine/base/parallel.h"
#include "engine/base/text.h"
#include "engine/pipeline/hint_states.h"
#include "engine/pipeline/plan_frame.h"
#include "engine/pipeline/plan_metrics.h"
#include "engine/plan/plan_hash.h"
#include "engine/plan/spyre_data.h"
#include "engine/spyre/compile/plan_loops.h"
#include "engine/spyre/division/core_view.h"
#include "engine/spyre/division/iteration_space.h"
#include "engine/spyre/estimate/estimate.h"
#include "engine/spyre/joint/relayout.h"
#include "engine/spyre/scratchpad/moves.h"
#include "engine/spyre/scratchpad/traffic.h"
#include "engine/spyre/texts/decisions.h"

#include <algorithm>

namespace memplan::spyre {
namespace {

using spyre::OpClass;

constexpr std::size_t kItemsOfAThread = 1024;

/// Buffers of the program that the plan shows, and where each went.
struct BufferMap {
    std::vector<BufferId> kept;    ///< program ids in plan order
    std::vector<BufferId> planId;  ///< parallel to the program's buffers, invalid = dropped
};

BufferMap mapBuffers(const State& state) {
    BufferMap map;
    const spyre::Program& p = state.program;
    map.planId.resize(p.buffers.size());
    std::vector<bool> wanted(p.buffers.size(), false);
    const auto add = [&](BufferId id) {
        if (!id.isValid() || wanted[id.at()]) return;
        wanted[id.at()] = true;
        map.planId[id.at()] = BufferId::of(map.kept.size());
        map.kept.push_back(id);
    };
    for (const BufferId in : p.inputs) {
        const bool used = !state.scratchpad.entries[in.at()].uses.empty();
        const bool returned = std::find(p.outputs.begin(), p.outputs.end(), in) != p.outputs.end();
        if (used || returned || p.buffers[in.at()].kind == spyre::BufferKind::Input) add(in);
    }
    for (const spyre::Op& op : p.ops) {
        for (const spyre::Access& read : op.reads)
            add(read.buffer);
        add(op.write.buffer);
        for (const BufferId extra : op.extraWrites)
            add(extra);
    }
    return map;
}

std::string kindText(const spyre::Op& op) {
    if (op.kind == OpClass::Extern) return "extern";  // also a clone or a restickify that became a fallback kernel
    if (op.fn == "ReStickifyOpHBM") return "restickify";
    if (op.fn == "clone") return "clone";
    if (op.fn == spyre::joint::kRelayoutFn) return "relayout";
    if (spyre::isEvict(op)) return "evict";
    if (spyre::isReload(op)) return "reload";
    if (op.isMatmul()) return "matmul";
    switch (op.kind) {
    case OpClass::Pointwise:
        return "pointwise";
    case OpClass::Reduction:
        return "reduction";
    case OpClass::Constant:
        return "constant";
    case OpClass::Extern:
    case OpClass::Mutation:
        break;
    }
    return "mutation";
}

class Builder {
public:
    explicit Builder(PlanParts& parts)
        : parts_(parts), state_(parts.state), program_(parts.state.program),
          map_(mapBuffers(parts.state)), options_{parts.request.settings.boolean("spyre.k_fast")},
          threads_(threadCount(parts.request.settings.integer("engine.threads"))) {}

    std::shared_ptr<Plan> build() {
        auto plan = std::make_shared<Plan>();
        copyRequest(*plan);
        addOps(*plan);
        addBuffers(*plan);
        addViews(*plan);
        addBundleData(*plan);
        addMemory(*plan);
        fillOccupancy(*plan);
        fillMetrics(*plan, {plan->settings.integer("spyre.cores"), parts_.machine.spanLimitSeed});
        // The hash goes over the whole input and needs nothing of the rest.
        const unsigned threads = program_.ops.size() < kItemsOfAThread ? 1 : threads_;
        parallelRanges(2, 1, threads, [&](std::size_t, std::size_t begin, std::size_t end) {
            for (std::size_t task = begin; task < end; ++task) {
                if (task == 0) addEstimate(*plan);
                if (task == 1) plan->inputHash = inputHash(parts_.request);
            }
        });
        plan->passes = std::move(parts_.facts.passes);
        plan->decisions = decisions(*plan);
        addProblems(*plan);
        plan->planHash = planHash(*plan);
        return plan;
    }

private:
    PlanParts& parts_;
    const State& state_;
    const spyre::Program& program_;
    BufferMap map_;
    spyre::CoreMapOptions options_;
    unsigned threads_;

    void copyRequest(Plan& plan) const {
        putRequest(parts_.request, plan);
        putHints(parts_.request, parts_.facts.hintStates, plan);
        plan.solver = state_.scratchpad.solver;
    }

    /// Loops, kernels and what the searches say of themselves; the operations' own data are there already.
    void addBundleData(Plan& plan) const {
        SpyreData data = bundleData(state_, map_.planId, parts_.facts.passes);
        SpyreData& own = editSpyreData(plan);
        data.ops = std::move(own.ops);
        data.opSpecs = state_.opSpecs;
        data.coOptimization = state_.scratchpad.coOptimization;
        data.operationOrder = state_.scratchpad.operationOrder;
        own = std::move(data);
    }

    /// Ranks plans of one graph; needs divisions, so a compile that stopped early has none.
    void addEstimate(Plan& plan) const {
        if (!parts_.facts.provided.contains("splits")) return;
        spyre::cost::EstimateInput input;
        input.program = &program_;
        input.threads = threads_;
        input.inLx = [this](BufferId id) { return state_.scratchpad.entries[id.at()].address.has_value(); };
        CostEstimate estimate = spyre::cost::estimate(input, parts_.calibration);
        plan.metrics.estimatedMicroseconds = estimate.totalMicroseconds;
        editSpyreData(plan).costEstimate = std::move(estimate);
    }

    // ---- operations ----------------------------------------------------------------------------------

    void addOps(Plan& plan) const {
        const auto traffic = spyre::trafficPerOp(program_, state_.scratchpad.entries);
        const std::size_t count = program_.ops.size();
        plan.ops.resize(count);
        std::vector<SpyreOpData>& data = editSpyreData(plan).ops;
        data.resize(count);
        parallelRanges(count, kItemsOfAThread, threads_, [&](std::size_t, std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                plan.ops[i] = planOp(i);
                plan.ops[i].offChipRead = traffic[i].read;
                plan.ops[i].offChipWrite = traffic[i].write;
                data[i] = dataOf(i);
            }
        });
        for (const auto& t : traffic)
            plan.metrics.mainMemoryElements += t.elements;
    }

    PlanOp planOp(std::size_t i) const {
        const spyre::Op& op = program_.ops[i];
        PlanOp result;
        result.name = op.name;
        result.type = op.fn;
        result.kind = kindText(op);
        for (const spyre::Access& read : op.reads) {
            const BufferId id = map_.planId[read.buffer.at()];
            const bool known = std::find(result.inputs.begin(), result.inputs.end(), id) != result.inputs.end();
            if (!known) result.inputs.push_back(id);
        }
        if (op.write.buffer.isValid()) result.outputs.push_back(map_.planId[op.write.buffer.at()]);
        for (const BufferId extra : op.extraWrites)
            result.outputs.push_back(map_.planId[extra.at()]);
        result.cores = program_.coresOf(OpId::of(i));
        result.loopPath = op.loop.groupId;
        result.loopCounts = op.loop.counts;
        const BufferId written = op.write.buffer;
        if (written.isValid() && written.at() < program_.namedDims.size())
            result.namedDims = program_.namedDims[written.at()];
        result.origin = op.origin;
        result.groupPath = op.groupPath;
        result.addedBy = op.addedBy;
        result.sourceOps = op.sourceOps;
        result.fillValue = op.constantValue.value_or(0);
        const spyre::Splits splits = splitsOf(i);
        std::optional<spyre::IterationSpace> space;
        if (op.isComputed() && layoutsKnown(op)) {
            if (auto found = spyre::iterationSpace(program_, op)) space = std::move(found).value();
        }
        addIterationSpace(op, splits, space, result);
        addAccesses(op, splits, space, result);
        return result;
    }

    spyre::Splits splitsOf(std::size_t i) const {
        const bool divided = i < program_.divisions.size() && !program_.divisions[i].splits.empty();
        return divided ? program_.divisions[i].splits : spyre::Splits(program_.ops[i].loops.size(), 1);
    }

    static void addIterationSpace(const spyre::Op& op, const spyre::Splits& splits,
                                  const std::optional<spyre::IterationSpace>& space, PlanOp& result) {
        result.iterationSpace.reserve(op.loops.size());
        for (std::size_t v = 0; v < op.loops.size(); ++v) {
            const spyre::LoopVar& loop = op.loops[v];
            const std::int64_t eps = space ? space->stickEps[v] : 0;
            const std::int64_t adjusted = space ? space->adjusted[v] : loop.extent;
            result.iterationSpace.push_back({loop.name, loop.extent, adjusted, eps, loop.isReduction, splits[v]});
        }
    }

    bool layoutsKnown(const spyre::Op& op) const {
        const auto known = [&](const spyre::Access& a) { return program_.buffers[a.buffer.at()].layout.has_value(); };
        return known(op.write) && std::all_of(op.reads.begin(), op.reads.end(), known);
    }

    void addAccesses(const spyre::Op& op, const spyre::Splits& splits,
                     const std::optional<spyre::IterationSpace>& space, PlanOp& result) const {
        const bool divided = op.isComputed() && layoutsKnown(op);
        result.accesses.reserve(op.reads.size() + 1);
        const auto add = [&](const spyre::Access& access, bool isWrite) {
            PlanAccess a;
            a.buffer = map_.planId[access.buffer.at()];
            a.coefficients = access.index.coefficients;
            a.offset = access.index.offset;
            a.isWrite = isWrite;
            a.isIndirect = access.indirect;
            if (divided && result.cores > 1) {
                const spyre::PerCoreView view = spyre::perCoreView(program_, op, access, splits, options_);
                a.sliceDims = view.dimsAndSplits();
                a.coreSlots.reserve(view.slices.size());
                for (const spyre::CoreSlice& slice : view.slices)
                    a.coreSlots.push_back(view.slotsOf(slice));
            }
            result.accesses.push_back(std::move(a));
        };
        for (const spyre::Access& read : op.reads)
            add(read, false);
        if (op.write.buffer.isValid()) add(op.write, true);
        if (!divided) return;
        result.kAdjacent = spyre::kAdjacent(op, splits, options_);
        if (space) result.maxSpan = spyre::maxSpan(*space, splits);
    }

    SpyreOpData dataOf(std::size_t i) const {
        const spyre::Op& op = program_.ops[i];
        SpyreOpData data;
        for (const spyre::LoopVar& v : op.loops)
            (v.isReduction ? data.reductionRanges : data.ranges).push_back(v.extent);
        addTilingData(program_, i, data);
        if (i >= program_.divisions.size()) return data;
        const spyre::Division& division = program_.divisions[i];
        for (std::size_t v = 0; v < division.committed.size(); ++v) {
            if (division.committed[v] > 1) data.committedSplits.emplace_back(op.loops[v].name, division.committed[v]);
        }
        if (!division.written) return data;
        const spyre::SplitEncoding encoding = spyre::encodeSplits(division.splits, spyre::splitIndices(op));
        data.outputSplits.assign(encoding.output.begin(), encoding.output.end());
        data.reductionSplits.assign(encoding.reduction.begin(), encoding.reduction.end());
        return data;
    }

    // ---- buffers -------------------------------------------------------------------------------------

    void addBuffers(Plan& plan) const {
        plan.buffers.resize(map_.kept.size());
        parallelRanges(map_.kept.size(), kItemsOfAThread, threads_,
                       [&](std::size_t, std::size_t begin, std::size_t end) {
                           for (std::size_t i = begin; i < end; ++i)
                               plan.buffers[i] = planBuffer(map_.kept[i]);
                       });
        for (std::size_t i = plan.ops.size(); i-- > 0;) {
            for (const BufferId out : plan.ops[i].outputs) {
                // Who makes the room is not who makes the value.
                OpId& producer = plan.buffers[out.at()].producer;
                if (!producer.isValid() || !program_.ops[i].isAllocation()) producer = OpId::of(i);
            }
        }
        for (PlanBuffer& b : plan.buffers) {
            if (b.role == BufferRole::GraphInput || b.role == BufferRole::Parameter) b.producer = {};
        }
    }

    void addViews(Plan& plan) const {
        for (const TensorView& v : program_.views) {
            const BufferId buffer = map_.planId[v.buffer.at()];
            if (buffer.isValid()) plan.views.push_back({v.tensor, buffer, v.strides, v.offset});
        }
    }

    PlanBuffer planBuffer(BufferId id) const {
        const spyre::Buffer& source = program_.buffers[id.at()];
        const ScratchpadState::Entry& e = state_.scratchpad.entries[id.at()];
        PlanBuffer b;
        b.name = source.name;
        b.role = roleOf(source, e);
        b.size = e.size;
        b.sizePerCore = e.sizePerCore;
        b.cores = e.cores;
        b.life = e.life;
        b.uses = e.uses;
        b.space = e.address ? MemorySpace::Lx : MemorySpace::Hbm;
        b.address = e.address;
        if (e.inPlaceOf.isValid()) b.inPlaceOf = map_.planId[e.inPlaceOf.at()];
        if (source.cloneOf.isValid()) b.cloneOf = map_.planId[source.cloneOf.at()];
        if (!e.address) b.reason = reasonOf(e);
        b.shape = source.size;
        b.dtype = source.graphDType;
        b.layout = layoutOf(source);
        b.graphTensor = source.graphTensor;
        b.trafficSaved = spyre::savedBy(program_, e, id);
        if (const auto slot = program_.pool.offsets.find(id); slot != program_.pool.offsets.end())
            b.poolOffset = slot->second;
        return b;
    }

    static BufferRole roleOf(const spyre::Buffer& b, const ScratchpadState::Entry&) {
        if (b.kind == spyre::BufferKind::Input) return BufferRole::GraphInput;
        if (b.kind == spyre::BufferKind::Parameter) return BufferRole::Parameter;
        if (b.kind == spyre::BufferKind::Constant) return BufferRole::Constant;
        return b.isOutput ? BufferRole::GraphOutput : BufferRole::Intermediate;
    }

    /// None where the compile was stopped before anything was decided.
    std::optional<Reason> reasonOf(const ScratchpadState::Entry& e) const {
        if (!e.reason) return std::nullopt;
        Reason r = *e.reason;
        for (BufferId& blocker : r.blockers)
            blocker = map_.planId[blocker.at()];
        return r;
    }

    static std::optional<BufferLayout> layoutOf(const spyre::Buffer& b) {
        if (!b.layout) return std::nullopt;
        BufferLayout layout;
        layout.size = b.size;
        layout.stride = b.stride;
        layout.deviceSize = b.layout->deviceSize;
        layout.strideMap = b.layout->strideMap;
        layout.deviceDtype = std::string(spyre::deviceFormat(b.layout->dtype));
        layout.perTileFixed = b.perTileFixed;
        switch (b.layout->arrangement) {
        case spyre::Arrangement::Standard:
            break;
        case spyre::Arrangement::Dl16ToFp32:
            layout.elementArrangement = "DL16_TO_FP32";
            break;
        case spyre::Arrangement::Dl16ToFp8:
            layout.elementArrangement = "DL16_TO_FP8";
            break;
        case spyre::Arrangement::Exx2:
            layout.elementArrangement = "EXX2";
            break;
        }
        return layout;
    }

    // ---- memory, decisions, problems -----------------------------------------------------------------

    void addMemory(Plan& plan) const {
        const ScratchpadState& pad = state_.scratchpad;
        plan.memory.capacity = pad.capacity;
        plan.memory.physical = parts_.machine.lxBytesPerCore;
        plan.memory.alignment = parts_.machine.lxAlignment;
        plan.memory.boundPerStep = pad.boundPerStep;
        plan.memory.boundPerStep.resize(plan.ops.size(), 0);
        plan.metrics.upperBoundBytes = pad.pinnedUpperBound;
        plan.metrics.peakLowerBound = pad.peakLowerBound;
        plan.metrics.spillLowerBound = pad.spillLowerBound;
    }

    /// Subjects of decisions are ids of the program at that time; buffers keep theirs, ops are found by name.
    std::vector<Decision> decisions(const Plan& plan) const {
        std::vector<Decision> result = std::move(parts_.facts.decisions);
        for (Decision& d : result) {
            if (d.buffer.isValid()) d.buffer = map_.planId[d.buffer.at()];
            quoteSteps(plan, d);
        }
        return result;
    }

    /// The solver saw clones that found no place and are gone: steps are those of the plan's schedule.
    static void quoteSteps(const Plan& plan, Decision& d) {
        if (!d.buffer.isValid() || !d.why.is(say::kFreeForSteps)) return;
        const PlanBuffer& b = plan.buffer(d.buffer);
        if (b.address) d.why = {say::kFreeForSteps, b.life.begin, b.life.end - 1};
    }

    void addProblems(Plan& plan) const {
        for (PassRun& run : plan.passes) {
            for (Diagnostic& d : run.diagnostics) {
                for (BufferId& b : d.buffers)
                    b = b.isValid() ? map_.planId[b.at()] : b;
                std::erase_if(d.buffers, [](BufferId b) { return !b.isValid(); });
                plan.problems.push_back(d);
            }
        }
        for (std::size_t i = 0; i < plan.buffers.size(); ++i)
            addRefusal(plan, BufferId::of(i));
    }

    /// What a user can fix is a problem; that inputs and outputs are in main memory is none.
    static void addRefusal(Plan& plan, BufferId id) {
        const PlanBuffer& b = plan.buffer(id);
        const bool computed = b.role == BufferRole::Intermediate || b.role == BufferRole::GraphOutput;
        if (!computed || !b.reason || !isWorthTelling(b.reason->code)) return;
        Diagnostic d = refusalOf(plan, id, "Buffer \"" + b.name + "\" cannot be on chip: ");
        if (b.reason->code == ReasonCode::NeverRead) d.severity = Severity::Note;
        const bool forBoundaries = b.reason->code == ReasonCode::NoRoom && b.reason->gapStep < 0;
        d.hint = forBoundaries ? "tile or fuse so that one kernel holds all its users" : fixFor(plan, b.reason->code);
        d.pass = "scratchpad_planning.push";
        if (b.producer.isValid()) d.ops = {b.producer};
        plan.problems.push_back(std::move(d));
    }

    static bool isWorthTelling(ReasonCode code) {
        return code == ReasonCode::CoreDivMismatch || code == ReasonCode::NoRoom ||
               code == ReasonCode::LargerThanMemory || code == ReasonCode::SolverStopped ||
               code == ReasonCode::PartialRead || code == ReasonCode::ReadByRestickify || code == ReasonCode::NeverRead;
    }

    /// The solver in use has had its turn.
    static std::string fixForRoom(const std::string& solver) {
        const std::string others = solver == "greedy"     ? "firstfit or bestfit, "
                                   : solver == "firstfit" ? "bestfit or exact, "
                                   : solver == "exact"    ? ""
                                                          : "exact, ";
        return "try " + others + "a smaller reserved fraction, or more cores";
    }

    static std::string fixFor(const Plan& plan, ReasonCode code) {
        switch (code) {
        case ReasonCode::CoreDivMismatch:
            return "give its writer and readers the same split, or use fewer cores";
        case ReasonCode::NoRoom:
            return fixForRoom(plan.settings.text("spyre.layout_solver"));
        case ReasonCode::LargerThanMemory:
            return "use more cores or tile the operation";
        case ReasonCode::SolverStopped:
            return "raise engine.time_limit_seconds";
        case ReasonCode::ReadByRestickify:
            return "give its producer the stick that its reader needs";
        case ReasonCode::PartialRead:
            return "read it whole, or copy the part that is needed";
        default:
            return "remove the operation if its result is not needed";
        }
    }
};

}  // namespace

std::shared_ptr<Plan> buildSpyrePlan(PlanParts parts) {
    return Builder(parts).build();
}

}  // namespace memplan::spyre

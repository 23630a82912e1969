// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/record/execution_record.h"

#include "engine/base/numeric.h"
#include "engine/plan/spyre_data.h"
#include "engine/sim/device_map.h"
#include "engine/sim/eval/functions.h"
#include "engine/spyre/bundle/sdsc/work_division.h"
#include "engine/spyre/bundle/strides.h"
#include "engine/spyre/record/meaning.h"
#include "engine/spyre/record/record_steps.h"

#include <algorithm>

namespace memplan::spyre {
namespace {

using sim::RecordArg;
using sim::RecordMemory;
using sim::RecordRole;

/// The OpSpec of an op with the loops around it.
struct SpecOf {
    const bundle::OpSpec* spec = nullptr;
    std::vector<const bundle::SpecNode*> loops;
};

/// Ops of a spec tree in order; null for those that have no OpSpec form.
void flatten(const bundle::SpecTree& tree, std::vector<const bundle::SpecNode*>& open, std::vector<SpecOf>& out) {
    for (const bundle::SpecNode& node : tree) {
        if (node.kind != bundle::SpecKind::Loop) {
            out.push_back({node.kind == bundle::SpecKind::Op ? &node.op : nullptr, open});
            continue;
        }
        open.push_back(&node);
        flatten(node.body, open, out);
        open.pop_back();
    }
}

RecordMemory memoryOf(bundle::Space space) {
    switch (space) {
    case bundle::Space::Lx:
        return RecordMemory::Lx;
    case bundle::Space::Pool:
        return RecordMemory::Pool;
    case bundle::Space::Hbm:
        break;
    }
    return RecordMemory::Hbm;
}

std::string roleText(BufferRole role) {
    switch (role) {
    case BufferRole::GraphInput:
        return "input";
    case BufferRole::Parameter:
        return "parameter";
    case BufferRole::Constant:
        return "constant";
    case BufferRole::GraphOutput:
        return "output";
    case BufferRole::Intermediate:
        break;
    }
    return "intermediate";
}

/// The graph says by loops and indices what the op computes; of an op that copies elements the lowering keeps them in
/// its own form alone.
bool hasFormula(const Graph& graph, const Op& op) {
    const auto depends = [](const OperandMap& map) {
        return map && std::any_of(map->begin(), map->end(), [](const IndexExpr& e) { return e.dataDependent; });
    };
    const bool isOfElements =
        op.kind == OpKind::Pointwise || op.kind == OpKind::Reduction || op.kind == OpKind::Constant;
    const bool isEmpty = std::any_of(op.iter.begin(), op.iter.end(), [](const IterDim& d) { return d.size == 0; });
    if (!isOfElements || !op.hasIter || isEmpty || op.outputs.size() != 1) return false;
    return graph.tensor(op.outputs.front()).dtype != DType::Str &&
           std::none_of(op.inMaps.begin(), op.inMaps.end(), depends) &&
           std::none_of(op.outMaps.begin(), op.outMaps.end(), depends);
}

class Recorder {
public:
    explicit Recorder(const Plan& plan)
        : plan_(plan), kernelOf_(plan.ops.size(), -1), specs_(plan.ops.size()), isTile_(plan.buffers.size(), false),
          model_(bundle::strideModelNamed(plan.settings.textOf("spyre.stride_model"))
                     .value_or(bundle::StrideModel::DeviceRowMajor)) {}

    sim::ExecutionRecord run() {
        findSpecs();
        findTiles();
        meanings_ = meanings(plan_, isTile_);
        head();
        for (std::size_t b = 0; b < plan_.buffers.size(); ++b)
            out_.buffers.push_back(buffer(b));
        for (std::size_t i = 0; i < plan_.ops.size(); ++i)
            out_.ops.push_back(op(OpId::of(i)));
        forgetInexpressible();
        out_.steps = recordSteps(plan_);
        for (const PlanKernel& k : *spyreData(plan_).kernels)
            out_.kernels.push_back(kernel(k));
        for (const TensorId tensor : plan_.graph->outputs)
            output(tensor);
        return std::move(out_);
    }

private:
    const Plan& plan_;
    sim::ExecutionRecord out_;
    std::vector<int> kernelOf_;  ///< per op, -1 for allocations
    std::vector<SpecOf> specs_;  ///< per op
    std::vector<bool> isTile_;   ///< per buffer
    bundle::StrideModel model_;
    std::vector<std::optional<Meaning>> meanings_;

    // ---- what belongs together ---------------------------------------------------------------------

    /// Kernels outside the planner have no tree; all others stand in the same order in both lists.
    void findSpecs() {
        const std::vector<bundle::Kernel>& trees = *spyreData(plan_).opSpecs;
        std::size_t next = 0;
        for (std::size_t k = 0; k < spyreData(plan_).kernels->size(); ++k) {
            const PlanKernel& kernel = (*spyreData(plan_).kernels)[k];
            for (const OpId op : kernel.ops)
                kernelOf_[op.at()] = static_cast<int>(k);
            if (next >= trees.size() || trees[next].name != kernel.name) continue;
            std::vector<SpecOf> flat;
            std::vector<const bundle::SpecNode*> open;
            flatten(trees[next++].specs, open, flat);
            for (std::size_t i = 0; i < std::min(flat.size(), kernel.ops.size()); ++i)
                specs_[kernel.ops[i].at()] = std::move(flat[i]);
        }
    }

    /// The OpSpec argument of an access; null where the op has no OpSpec.
    const bundle::TensorArg* specArg(OpId op, std::size_t access) const {
        const bundle::OpSpec* spec = specs_[op.at()].spec;
        const bool fits = spec != nullptr && spec->args.size() == plan_.op(op).accesses.size();
        return fits ? &spec->args[access] : nullptr;
    }

    void findTiles() {
        for (std::size_t i = 0; i < plan_.ops.size(); ++i) {
            const auto& accesses = plan_.ops[i].accesses;
            for (std::size_t a = 0; a < accesses.size(); ++a) {
                const bundle::TensorArg* arg = specArg(OpId::of(i), a);
                if (arg != nullptr && arg->perTileFixed) isTile_[accesses[a].buffer.at()] = true;
            }
        }
        for (std::size_t b = 0; b < isTile_.size(); ++b) {
            const auto& layout = plan_.buffers[b].layout;
            isTile_[b] = isTile_[b] || (layout && layout->perTileFixed);
        }
        // A tile that a copy carries out of its loop has no mark in its layout, and may have no OpSpec either.
        if (!spyreData(plan_).propagation) return;
        for (const PlanPropagation& p : *spyreData(plan_).propagation) {
            const auto named = [&p](const PlanBuffer& b) { return b.name == p.buffer; };
            const auto tile = std::find_if(plan_.buffers.begin(), plan_.buffers.end(), named);
            if (p.kind == "copy" && tile != plan_.buffers.end())
                isTile_[static_cast<std::size_t>(tile - plan_.buffers.begin())] = true;
        }
    }

    // ---- parts -------------------------------------------------------------------------------------

    void head() {
        out_.target = plan_.target;
        out_.cores = plan_.settings.integer("spyre.cores");
        out_.lxBytes = plan_.memory.physical;
        out_.lxCapacity = plan_.memory.capacity;
        out_.alignment = plan_.memory.alignment;
        out_.hasPool = spyreData(plan_).pool && spyreData(plan_).pool->first > 0;
        out_.claimedReadBytes = plan_.metrics.mainMemoryReadBytes;
        out_.claimedWriteBytes = plan_.metrics.mainMemoryWriteBytes;
        out_.graph = plan_.graph;
    }

    sim::RecordBuffer buffer(std::size_t index) const {
        const PlanBuffer& source = plan_.buffers[index];
        sim::RecordBuffer b;
        b.name = source.name;
        b.role = roleText(source.role);
        b.itemBytes = itemBytes(source);
        b.hostSize = source.shape;
        if (source.layout) {
            b.deviceSize = source.layout->deviceSize;
            b.strideMap = source.layout->strideMap;
        }
        if (source.address) {
            b.memory = RecordMemory::Lx;
            b.address = *source.address;
        } else if (source.poolOffset) {
            b.memory = RecordMemory::Pool;
            b.address = *source.poolOffset;
        }
        b.start = source.life.begin;
        b.end = source.life.end;
        b.inPlaceOf = source.inPlaceOf.index;
        if (meanings_[index]) b.denotes = plan_.graph->tensor(meanings_[index]->tensor).id;
        return b;
    }

    static std::int64_t itemBytes(const PlanBuffer& b) {
        const bundle::DeviceFormat* format = b.layout ? bundle::deviceFormatNamed(b.layout->deviceDtype) : nullptr;
        if (format != nullptr) return format->bytes;
        return std::max<std::int64_t>(1, dtypeBits(b.dtype) / 8);
    }

    sim::RecordOp op(OpId id) const {
        const PlanOp& source = plan_.op(id);
        sim::RecordOp op;
        op.name = source.name;
        op.kind = kindOf(source);
        op.role = roleOf(source);
        op.fn = functionOf(source, op.role);
        op.fillValue = op.role == RecordRole::Fill ? source.fillValue : 0;
        for (const GraphOpId graphOp : source.sourceOps)
            op.source.push_back(plan_.graph->ops[graphOp.at()].id);
        if (op.role == RecordRole::Compute) op.attributes = attributesOf(source);
        op.space = spaceOf(source);
        op.kFirst = source.kAdjacent;
        op.cores = source.cores;
        for (std::size_t a = 0; a < source.accesses.size(); ++a)
            op.args.push_back(arg(id, a, op));
        addFurtherOutputs(id, op);
        if (op.role == RecordRole::Outside) addViews(id, op);
        return op;
    }

    /// A kernel of its own that no loops describe. One that fell back to a kernel keeps its loops, of which extents of
    /// 1 leave none.
    bool isOpaque(const PlanOp& op) const {
        if (op.kind != "extern" || !op.iterationSpace.empty()) return false;
        if (op.type == "clone" || op.type == "batchmatmul") return false;
        const Op* source = graphOp(op);
        return source == nullptr || !hasFormula(*plan_.graph, *source);
    }

    /// The graph op whose whole result the op computes; a convolution that became a product and an addition has two.
    const Op* graphOp(const PlanOp& op) const {
        return op.sourceOps.size() == 1 ? &plan_.graph->ops[op.sourceOps.front().at()] : nullptr;
    }

    std::string kindOf(const PlanOp& op) const {
        if (op.kind == "mutation") return "pointwise";
        if (op.kind != "extern" || isOpaque(op)) return op.kind;
        if (op.type == "batchmatmul") return "matmul";
        const Op* source = isPlainMove(op) ? nullptr : graphOp(op);
        const bool reduces = source != nullptr && (source->kind == OpKind::Reduction || source->kind == OpKind::Pool);
        return reduces ? "reduction" : "pointwise";
    }

    RecordRole roleOf(const PlanOp& op) const {
        if (isAllocation(op)) return RecordRole::Allocate;
        if (op.kind == "constant") return RecordRole::Fill;
        if (isOpaque(op)) return RecordRole::Outside;
        return isPlainMove(op) ? RecordRole::Move : RecordRole::Compute;
    }

    static std::string functionOf(const PlanOp& op, RecordRole role) {
        // A move between cores: its source lies in the slices of the op that wrote it.
        if (op.kind == "relayout") return op.type;
        if (role == RecordRole::Move) return "identity";
        return sim::canonicalFunction(op.type);
    }

    std::string attributesOf(const PlanOp& op) const {
        const Op* source = graphOp(op);
        const bool isPart = source == nullptr || source->kind == OpKind::Conv;
        return isPart ? std::string() : sim::functionAttributes(*source);
    }

    // ---- arguments ---------------------------------------------------------------------------------

    RecordArg arg(OpId id, std::size_t access, const sim::RecordOp& op) const {
        const PlanAccess& source = plan_.op(id).accesses[access];
        RecordArg a;
        a.buffer = source.buffer.index;
        a.isInput = !source.isWrite;
        a.index = linearIndex(source);
        a.isIndirect = source.isIndirect;
        place(id, source.buffer, a);
        if (const bundle::TensorArg* spec = specArg(id, access)) {
            takeSpec(id, *spec, a);
        } else {
            advanceByLayout(id, a);
        }
        addElement(id, op, a);
        return a;
    }

    /// Where the plan has put the buffer: in a kernel without an OpSpec that is all there is.
    void place(OpId id, BufferId buffer, RecordArg& a) const {
        const PlanBuffer& b = plan_.buffer(buffer);
        if (b.address || b.poolOffset) {
            a.memory = b.address ? RecordMemory::Lx : RecordMemory::Pool;
            a.base = b.address ? *b.address : *b.poolOffset;
            return;
        }
        a.memory = RecordMemory::Hbm;
        if (kernelOf_[id.at()] < 0) return;
        const auto& arguments = (*spyreData(plan_).kernels)[static_cast<std::size_t>(kernelOf_[id.at()])].arguments;
        const auto slot = std::find(arguments.begin(), arguments.end(), buffer) - arguments.begin();
        a.base = (slot + (out_.hasPool ? 1 : 0)) * sim::kSegmentBytes;
    }

    void takeSpec(OpId id, const bundle::TensorArg& spec, RecordArg& a) const {
        if (spec.allocation) {
            a.memory = memoryOf(spec.allocation->space);
            a.base = spec.allocation->address;
        }
        a.perTileFixed = spec.perTileFixed;
        const SpecOf& of = specs_[id.at()];
        Diagnostics ignored;
        const auto moved =
            bundle::argStrides(*of.spec, spec, bundle::levelSymbols(*of.spec, of.loops, ignored), model_);
        if (moved && !moved.value().empty()) {
            a.advance.assign(of.loops.size(), 0);
            for (const auto& [level, bytes] : moved.value())
                a.advance[static_cast<std::size_t>(level)] = bytes;
        }
        auto division = bundle::workDivisionOf(spec);
        if (!division) return;
        std::sort(division->begin(), division->end(), [](const auto& x, const auto& y) { return x.every < y.every; });
        for (const bundle::DividedSymbol& part : *division) {
            const auto& space = of.spec->iterationSpace;
            const auto it =
                std::find_if(space.begin(), space.end(), [&](const auto& e) { return e.symbol == part.symbol; });
            if (it != space.end()) a.writerSlices.emplace_back(static_cast<int>(it - space.begin()), part.slices);
        }
    }

    /// An op without an OpSpec, of a function or layout that has no device form, moves on with its loops all the same.
    void advanceByLayout(OpId id, RecordArg& a) const {
        const auto b = static_cast<std::size_t>(a.buffer);
        const auto& layout = plan_.buffers[b].layout;
        a.perTileFixed = isTile_[b];
        if (isTile_[b] || !layout || a.isIndirect || plan_.op(id).loopCounts.empty()) return;
        const sim::DeviceMap map(layout->deviceSize, layout->strideMap);
        std::vector<std::int64_t> advance;
        for (const std::int64_t elements : advanceOf(plan_, id, a.index))
            advance.push_back(saturatedMul(stepOf(map, elements, *layout), itemBytes(plan_.buffers[b])));
        if (std::any_of(advance.begin(), advance.end(), [](std::int64_t v) { return v != 0; })) a.advance = advance;
    }

    /// Elements of memory between two host elements `elements` apart (spyre-coarse-tiling-and-bundle 10).
    std::int64_t stepOf(const sim::DeviceMap& map, std::int64_t elements, const BufferLayout& layout) const {
        const auto at = map.coordinates(elements);
        if (!at) return 0;
        std::int64_t step = 0;
        std::int64_t inner = 1;
        for (std::size_t d = at->size(); d-- > 0;) {
            const std::int64_t unit =
                model_ == bundle::StrideModel::HostStrideMap ? std::max<std::int64_t>(layout.strideMap[d], 0) : inner;
            step = saturatedAdd(step, saturatedMul((*at)[d], unit));
            inner = saturatedMul(inner, layout.deviceSize[d]);
        }
        return step;
    }

    void addElement(OpId id, const sim::RecordOp& op, RecordArg& a) const {
        const std::optional<Meaning>& meaning = meanings_[static_cast<std::size_t>(a.buffer)];
        if (!meaning || isOpaque(plan_.op(id))) return;
        const auto element = meaning->elementOf(a.index, op.space);
        if (!element) return;
        const std::vector<std::int64_t> advance = meaning->isTile ? meaning->advance : advanceOf(plan_, id, *element);
        if (*element != a.index) a.element = element;
        const bool moves = std::any_of(advance.begin(), advance.end(), [](std::int64_t v) { return v != 0; });
        if (moves && advance.size() == plan_.op(id).loopCounts.size()) a.elementAdvance = advance;
    }

    /// Kernels outside the planner may have more results than the one that has an access.
    void addFurtherOutputs(OpId id, sim::RecordOp& op) const {
        const auto& outputs = plan_.op(id).outputs;
        for (std::size_t k = 1; k < outputs.size(); ++k) {
            RecordArg a;
            a.buffer = outputs[k].index;
            a.isInput = false;
            place(id, outputs[k], a);
            op.args.push_back(std::move(a));
        }
    }

    /// A read whose elements are no sum over the loops, as of heads that a copy repeated, takes its buffer's meaning:
    /// naming elements wrongly is worse than not naming them.
    void forgetInexpressible() {
        std::vector<bool> isKnown(plan_.buffers.size(), true);
        for (std::size_t i = 0; i < out_.ops.size(); ++i) {
            const bool hasLoops = out_.ops[i].role != RecordRole::Outside && out_.ops[i].role != RecordRole::Allocate;
            for (const RecordArg& a : out_.ops[i].args) {
                const auto& meaning = meanings_[static_cast<std::size_t>(a.buffer)];
                const bool isLost = meaning && hasLoops && a.isInput && !meaning->elementOf(a.index, out_.ops[i].space);
                // What the host fills must be known whoever reads it, and how.
                const bool isComputed = plan_.buffers[static_cast<std::size_t>(a.buffer)].producer.isValid();
                if (isLost && isComputed) isKnown[static_cast<std::size_t>(a.buffer)] = false;
            }
        }
        for (std::size_t b = 0; b < isKnown.size(); ++b) {
            if (!isKnown[b]) out_.buffers[b].denotes.clear();
        }
        for (sim::RecordOp& op : out_.ops) {
            for (RecordArg& a : op.args) {
                if (isKnown[static_cast<std::size_t>(a.buffer)]) continue;
                a.element.reset();
                a.elementAdvance.clear();
            }
        }
    }

    const TensorView* viewOf(TensorId tensor) const {
        const auto it = std::find_if(plan_.views.begin(), plan_.views.end(),
                                     [&](const TensorView& v) { return v.tensor == tensor; });
        return it == plan_.views.end() ? nullptr : &*it;
    }

    /// Operands of the graph op that are a part of their buffer, or stand there in another order.
    void addViews(OpId id, sim::RecordOp& op) const {
        const Op* source = graphOp(plan_.op(id));
        if (source == nullptr) return;
        std::vector<TensorId> operands;
        for (const auto* list : {&source->inputs, &source->outputs})
            std::copy_if(list->begin(), list->end(), std::back_inserter(operands),
                         [](TensorId t) { return t.isValid(); });
        for (std::size_t k = 0; k < std::min(operands.size(), op.args.size()); ++k) {
            const TensorView* view = viewOf(operands[k]);
            if (view == nullptr || isWhole(*view)) continue;
            op.args[k].index.constant = view->offset;
            op.args[k].viewStrides = view->strides;
        }
    }

    bool isWhole(const TensorView& view) const {
        const auto& shape = plan_.graph->tensor(view.tensor).shape;
        std::int64_t natural = 1;
        bool isPlain = view.offset == 0 && shape.size() == view.strides.size();
        for (std::size_t d = shape.size(); d-- > 0 && isPlain;) {
            isPlain = shape[d] == 1 || view.strides[d] == natural;
            natural = saturatedMul(natural, shape[d]);
        }
        return isPlain && elementCount(plan_.buffer(view.buffer).shape) == elementCount(shape);
    }

    // ---- kernels and outputs -----------------------------------------------------------------------

    static sim::RecordKernel kernel(const PlanKernel& k) {
        sim::RecordKernel out;
        out.name = k.name;
        for (const OpId op : k.ops)
            out.ops.push_back(op.index);
        for (const BufferId b : k.arguments)
            out.arguments.push_back(b.index);
        out.nonTerminal = k.nonTerminal;
        return out;
    }

    void output(TensorId tensor) {
        if (const TensorView* view = viewOf(tensor))
            out_.outputs.push_back({plan_.graph->tensor(tensor).id, view->buffer.index, view->strides, view->offset});
    }
};

}  // namespace

bool canBeRecorded(const Plan& plan) {
    const bool isFinished = spyreData(plan).loops && spyreData(plan).kernels && spyreData(plan).opSpecs;
    // The graph of an import is made from its plan: comparing them would prove nothing.
    if (plan.solver == "imported") return false;
    if (plan.target != "spyre" || !plan.graph || !isFinished || spyreData(plan).ops.size() != plan.ops.size())
        return false;
    return std::all_of(plan.graph->outputs.begin(), plan.graph->outputs.end(), [&](TensorId tensor) {
        return std::any_of(plan.views.begin(), plan.views.end(),
                           [&](const TensorView& v) { return v.tensor == tensor; });
    });
}

sim::ExecutionRecord executionRecord(const Plan& plan) {
    return Recorder(plan).run();
}

std::shared_ptr<const sim::ExecutionRecord> recordOf(const Plan& plan) {
    if (plan.execution || !canBeRecorded(plan)) return plan.execution;
    return std::make_shared<const sim::ExecutionRecord>(executionRecord(plan));
}

}  // namespace memplan::spyre

// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/compile/imported/imported_builder.h"

#include "engine/base/numeric.h"
#include "engine/pipeline/plan_frame.h"
#include "engine/pipeline/plan_metrics.h"
#include "engine/plan/spyre_data.h"
#include "engine/spyre/bundle/sdsc/work_division.h"
#include "engine/spyre/compile/imported/imported_access.h"
#include "engine/spyre/compile/imported/imported_foreign.h"
#include "engine/spyre/compile/imported/imported_overlaps.h"
#include "engine/spyre/compile/imported/imported_roles.h"
#include "engine/spyre/compile/imported/imported_sizes.h"
#include "engine/spyre/division/core_view.h"

#include <algorithm>
#include <map>
#include <set>

namespace memplan::spyre {
namespace {

using bundle::Kernel;
using bundle::OpSpec;
using bundle::Space;
using bundle::SpecKind;
using bundle::SpecNode;
using bundle::TensorArg;

/// Extents, sizes and addresses of a hostile source are cut here, so that sums of them stay in 64 bits.
constexpr std::int64_t kLargest = std::int64_t{1} << 48;
constexpr std::int64_t kMostCores = 4096;

DType hostType(const std::string& deviceFormat) {
    if (deviceFormat == "IEEE_FP32") return DType::F32;
    if (deviceFormat == "SEN143_FP8") return DType::F8E4M3;
    return deviceFormat == "IEEE_INT32" ? DType::I32 : DType::F16;
}

Bytes deviceBytes(const TensorArg& arg) {
    Bytes bytes = 128;
    for (std::size_t d = 0; d + 1 < arg.deviceSize.size(); ++d)
        bytes = saturatedMul(bytes, std::max<std::int64_t>(arg.deviceSize[d], 0));
    // What cannot be a size of a real tensor stays representable in every sum of the plan.
    return std::min<Bytes>(bytes, kLargest);
}

std::int64_t extentOf(const bundle::IterationEntry& e) {
    return std::clamp<std::int64_t>(e.extent.integer().value_or(1), 0, kLargest);
}

bool isAccessed(const TensorArg& arg, const std::string& symbol) {
    return std::any_of(arg.coordinates.begin(), arg.coordinates.end(),
                       [&](const bundle::Expr& c) { return c.mentions(symbol); });
}

/// Builds ops and buffers of the plan kernel by kernel.
class Importer {
public:
    Importer(const CompileRequest& request, const SpyreMachine& machine)
        : request_(request), source_(dynamic_cast<const bundle::ImportedProgram&>(*request.program)), machine_(machine),
          plan_(std::make_shared<Plan>()) {}

    std::shared_ptr<Plan> run() {
        copyRequest();
        editSpyreData(*plan_).loops.emplace();
        editSpyreData(*plan_).kernels.emplace();
        plan_->problems = source_.problems;
        announceArguments();
        auto host = source_.hostCalls.begin();
        for (std::size_t k = 0; k <= source_.kernels.size(); ++k) {
            const bool isLast = k == source_.kernels.size();
            for (; host != source_.hostCalls.end() && (isLast || host->position <= k); ++host)
                fallback(*host);
            if (!isLast) kernel(source_.kernels[k]);
        }
        settleRoles(*plan_, source_);
        extendLivesOverLoops(*plan_);
        if (isBundle()) cutSizes_ += cutPoolSizes(*plan_);
        markBoundaries(*plan_);
        memory();
        fillOccupancy(*plan_);
        fillImportedTraffic(*plan_);
        fillMetrics(*plan_, {plan_->settings.integer("spyre.cores"), machine_.spanLimitSeed});
        plan_->metrics.upperBoundBytes = plan_->metrics.pinnedBytes;
        for (const Diagnostic& d : overlaps_.list())
            plan_->problems.push_back(d);
        if (cutSizes_ > 0) plan_->problems.push_back(cutSizesNote(cutSizes_));
        return std::move(plan_);
    }

private:
    void copyRequest() {
        putRequest(request_, *plan_);
        plan_->target = "spyre";
        plan_->inputHash = inputHash(request_);
        plan_->solver = "imported";
        editSpyreData(*plan_).opSpecs = std::make_shared<const std::vector<Kernel>>(source_.kernels);
    }

    /// The tensors that the host part names come first, in its order. What no kernel touches has no size.
    void announceArguments() {
        if (isBundle()) return;
        for (const std::string& name : source_.inputs)
            announce(name);
        for (const bundle::Returned& tensor : source_.outputs)
            announce(tensor.name);
    }

    void announce(const std::string& name) {
        const auto [it, isNew] = tensors_.try_emplace(name);
        if (!isNew) return;
        it->second = BufferId::of(plan_->buffers.size());
        plan_->buffers.emplace_back().name = uniqueName(name);
    }

    // ---- kernels and loops -------------------------------------------------------------------------------

    void kernel(const Kernel& k) {
        PlanKernel out;
        out.name = k.name;
        const std::size_t first = plan_->ops.size();
        kernel_ = &k;
        lx_ = bundle::lxTensors(k);
        lxIds_.assign(lx_.size(), BufferId{});
        lxUse_.clear();
        for (std::size_t i = 0; i < lx_.size(); ++i) {
            for (const auto& use : lx_[i].uses)
                lxUse_.emplace(use, i);
        }
        // The pool is one of all kernels; folders alone do not say in which order they run.
        if (isBundle()) {
            poolIds_.clear();
            lxLeft_.clear();
        }
        argument_.clear();
        step_ = 0;
        places_.clear();
        std::vector<int> path;
        std::vector<std::int64_t> counts;
        std::vector<LoopNode> nodes = list(k.specs, k.name, path, counts);
        reportLxOverlaps(*plan_, lx_, lxIds_, places_, overlaps_);
        std::move(nodes.begin(), nodes.end(), std::back_inserter(*editSpyreData(*plan_).loops));
        for (std::size_t i = 0; i < lx_.size(); ++i) {
            if (lxIds_[i].isValid()) lxLeft_[lx_[i].address] = lxIds_[i];
        }
        for (std::size_t i = first; i < plan_->ops.size(); ++i)
            out.ops.push_back(OpId::of(i));
        for (std::size_t a = 0; a < k.arguments.size(); ++a) {
            if (const auto it = argument_.find(static_cast<std::int64_t>(a)); it != argument_.end())
                out.arguments.push_back(it->second);
        }
        out.externalTensors = static_cast<int>(k.arguments.size());
        out.tensorLimit = k.poolSize > 0 ? 5 : 6;
        editSpyreData(*plan_).kernels->push_back(std::move(out));
    }

    std::vector<LoopNode> list(const bundle::SpecTree& tree, const std::string& place, std::vector<int>& path,
                               std::vector<std::int64_t>& counts) {
        std::vector<LoopNode> out;
        for (std::size_t n = 0; n < tree.size(); ++n) {
            const SpecNode& node = tree[n];
            const std::string here = place + "[" + std::to_string(n) + "]";
            LoopNode made;
            if (node.kind == SpecKind::Op) places_.push_back(here);
            if (node.kind != SpecKind::Loop) {
                made.op = op(node, path, counts);
                out.push_back(std::move(made));
                continue;
            }
            path.push_back(path.empty() ? groups_++ : 0);
            counts.push_back(std::clamp<std::int64_t>(node.count.integer().value_or(1), 0, kLargest));
            open_.push_back(&node);
            made.count = counts.back();
            made.path = path;
            made.body = list(node.body, here + ".body", path, counts);
            path.pop_back();
            counts.pop_back();
            open_.pop_back();
            out.push_back(std::move(made));
        }
        return out;
    }

    void fallback(const bundle::HostCall& call) {
        std::string name = call.name;
        for (int n = 2; !hostNames_.insert(name).second; ++n)
            name = call.name + "_" + std::to_string(n);
        addFallback(name, buffersNamed(call.read), buffersNamed(call.written), *plan_);
        if (!call.fill) return;
        announce(call.fill->tensor);
        describeFill(*call.fill, tensors_.at(call.fill->tensor), plan_->ops.back());
    }

    std::vector<BufferId> buffersNamed(const std::vector<std::string>& names) {
        std::vector<BufferId> out;
        for (const std::string& name : names) {
            announce(name);
            out.push_back(tensors_.at(name));
        }
        return out;
    }

    // ---- ops ---------------------------------------------------------------------------------------------

    std::string uniqueName(const std::string& wanted) {
        std::string name = wanted;
        int& next = nextNumber_[wanted];
        for (next = std::max(next, 1); !names_.insert(name).second;)
            name = wanted + "_" + std::to_string(++next);
        return name;
    }

    OpId op(const SpecNode& node, const std::vector<int>& path, const std::vector<std::int64_t>& counts) {
        const OpId id = OpId::of(plan_->ops.size());
        PlanOp out;
        out.loopPath = path;
        out.loopCounts = counts;
        out.groupPath = kernel_->name;
        out.addedBy = "";
        if (node.kind != SpecKind::Op) {
            latestForeign_ = id;
            out.name = uniqueName(describeForeign(node, kernel_->name, id, out, plan_->problems));
            plan_->ops.push_back(std::move(out));
            editSpyreData(*plan_).ops.emplace_back();
            return id;
        }
        const OpSpec& spec = node.op;
        out.type = spec.op;
        out.kind = spec.op == "batchmatmul"       ? "matmul"
                   : spec.isReduction             ? "reduction"
                   : spec.op == "ReStickifyOpHBM" ? "restickify"
                   : bundle::isShuffle(spec)      ? "relayout"
                                                  : "pointwise";
        out.name = uniqueName("op" + std::to_string(id.index) + "_" + spec.op);
        out.cores = spec.cores() <= kMostCores ? spec.cores() : 1;
        iterationSpace(spec, out);
        SpyreOpData data;
        for (const IterationDim& d : out.iterationSpace)
            (d.isReduction ? data.reductionRanges : data.ranges).push_back(d.extent);
        data.tiledSymbols = spec.tiledSymbols;
        data.tiledLoops = tiledLoops(spec, out);
        out.kAdjacent = kAdjacent(out);
        extents_ = fullExtents(out, data);
        for (std::int64_t& extent : extents_)
            extent = std::min(extent, kLargest);
        plan_->ops.push_back(std::move(out));
        editSpyreData(*plan_).ops.push_back(std::move(data));
        for (std::size_t a = 0; a < spec.args.size(); ++a)
            touch(id, spec, a);
        ++step_;
        return id;
    }

    /// Per loop level the loops of the op that it tiles (8.3).
    std::vector<std::vector<int>> tiledLoops(const OpSpec& spec, const PlanOp& op) const {
        Diagnostics reported;  // by the importer
        const bundle::LevelSymbols levels = bundle::levelSymbols(spec, open_, reported);
        std::vector<std::vector<int>> out(op.loopCounts.size());
        for (std::size_t level = 0; level < std::min(out.size(), levels.size()); ++level) {
            for (std::size_t v = 0; v < op.iterationSpace.size(); ++v) {
                const auto& symbols = levels[level];
                const std::string& name = op.iterationSpace[v].name;
                if (std::find(symbols.begin(), symbols.end(), name) != symbols.end())
                    out[level].push_back(static_cast<int>(v));
            }
        }
        return out;
    }

    /// The K slices of a multiply stand on neighbouring cores (13.3).
    bool kAdjacent(const PlanOp& op) const {
        spyre::Splits splits;
        for (const IterationDim& d : op.iterationSpace)
            splits.push_back(d.slices);
        return spyre::kAdjacent(op.kind == "matmul", splits, {request_.settings.boolean("spyre.k_fast")});
    }

    void iterationSpace(const OpSpec& spec, PlanOp& out) const {
        for (const bundle::IterationEntry& e : spec.iterationSpace) {
            IterationDim d;
            d.name = e.symbol;
            d.extent = extentOf(e);
            d.slices = spec.cores() <= kMostCores ? std::max<std::int64_t>(e.split, 1) : 1;
            const auto mentions = [&](const TensorArg& a) {
                return std::any_of(a.coordinates.begin(), a.coordinates.end(),
                                   [&](const bundle::Expr& c) { return c.mentions(e.symbol); });
            };
            const bool inOutput = std::any_of(spec.args.begin(), spec.args.end(),
                                              [&](const TensorArg& a) { return !a.isInput && mentions(a); });
            d.isReduction = spec.isReduction && !inOutput;
            for (const TensorArg& a : spec.args) {
                const bool isStick = !a.coordinates.empty() && a.coordinates.back().mentions(e.symbol);
                if (isStick && !a.deviceSize.empty()) d.elemsPerStick = std::max(d.elemsPerStick, a.deviceSize.back());
            }
            d.adjusted = d.elemsPerStick > 0 ? ceilDiv(d.extent, d.elemsPerStick) : d.extent;
            out.iterationSpace.push_back(std::move(d));
        }
    }

    // ---- buffers -----------------------------------------------------------------------------------------

    void touch(OpId id, const OpSpec& spec, std::size_t a) {
        const TensorArg arg = wholeTensor(spec, spec.args[a], extents_);
        const BufferId buffer = bufferOf(id, spec, a);
        PlanOp& op = plan_->ops[id.at()];
        op.accesses.push_back(importedAccess(op, spec, arg, buffer, extents_));
        auto& list = arg.isInput ? op.inputs : op.outputs;
        if (std::find(list.begin(), list.end(), buffer) == list.end()) list.push_back(buffer);
        PlanBuffer& b = plan_->buffers[buffer.at()];
        // Its writer says how large a tensor in LX is; a reader may show the dimensions in another order.
        const bool isSettled = isOnChip(b.space) && b.producer.isValid();
        if (!isSettled) b.size = std::max(b.size, sizeOf(spec, spec.args[a]));
        if (b.uses.empty() || b.uses.back() != id) b.uses.push_back(id);
        if (!arg.isInput && !b.producer.isValid()) b.producer = id;
        const bool hasMap = arg.strideMap && b.layout && arg.strideMap->size() == b.layout->deviceSize.size();
        if (hasMap && b.layout->strideMap.empty()) b.layout->strideMap = *arg.strideMap;
        // Where one op leaves it open whether the buffer moves, another may say.
        if (b.layout) b.layout->perTileFixed = b.layout->perTileFixed || arg.perTileFixed;
        for (std::size_t d = 0;
             !isSettled && b.layout && d < std::min(arg.deviceSize.size(), b.layout->deviceSize.size()); ++d)
            b.layout->deviceSize[d] = std::max(b.layout->deviceSize[d], arg.deviceSize[d]);
    }

    BufferId bufferOf(OpId id, const OpSpec& spec, std::size_t a) {
        const TensorArg& arg = spec.args[a];
        if (!arg.allocation) return newBuffer("unplaced_" + plan_->ops[id.at()].name, spec, a);
        if (arg.allocation->space == Space::Lx) return lxBuffer(id, spec, a);
        if (arg.allocation->space == Space::Pool) return poolBuffer(id, spec, a);
        return argumentBuffer(spec, a);
    }

    /// A write behind the readers of what was there begins a tensor of its own: the pool hands its bytes out again.
    BufferId poolBuffer(OpId id, const OpSpec& spec, std::size_t a) {
        const TensorArg& arg = spec.args[a];
        const std::int64_t offset = arg.allocation->address;
        if (const BufferId whole = viewed(spec, arg); whole.isValid()) return whole;
        auto [it, isNew] = poolIds_.try_emplace(offset);
        const bool isReused = !isNew && !arg.isInput && readBefore(it->second, id);
        if (isNew || isReused || isAnother(it->second, spec, arg)) {
            it->second = newBuffer("pool_" + std::to_string(offset), spec, a);
            plan_->buffers[it->second.at()].poolOffset = offset;
        }
        return it->second;
    }

    /// What is not implemented shows no tensors: behind it, a tensor of other sizes at the same place is another one.
    bool isAnother(BufferId buffer, const OpSpec& spec, const TensorArg& arg) const {
        const PlanBuffer& b = plan_->buffer(buffer);
        if (isBundle() || !latestForeign_.isValid() || b.uses.empty() || b.uses.back() > latestForeign_) return false;
        return b.layout && b.layout->deviceSize != wholeTensor(spec, arg, extents_).deviceSize;
    }

    /// A bundle has no names: a read of bytes inside a tensor that was written is a view of that tensor.
    BufferId viewed(const OpSpec& spec, const TensorArg& arg) const {
        const std::int64_t offset = arg.allocation->address;
        const auto next = poolIds_.upper_bound(offset);
        if (!isBundle() || !arg.isInput || next == poolIds_.begin()) return {};
        const auto& [begin, id] = *std::prev(next);
        const PlanBuffer& b = plan_->buffer(id);
        const bool isInside = begin < offset && offset + sizeOf(spec, arg) <= begin + b.size;
        return isInside && b.producer.isValid() ? id : BufferId();
    }

    /// A bundle states gaps by dimension labels, which name the wrong dimension of some layouts: the size of a tensor
    /// of the pool is what is touched of it.
    Bytes sizeOf(const OpSpec& spec, const TensorArg& arg) const {
        const bool isGuessed = isBundle() && arg.allocation && arg.allocation->space == Space::Pool;
        return deviceBytes(isGuessed ? touchedTensor(spec, arg, extents_) : wholeTensor(spec, arg, extents_));
    }

    bool readBefore(BufferId buffer, OpId op) const {
        const PlanBuffer& b = plan_->buffer(buffer);
        return !b.uses.empty() && b.uses.back() != op && b.uses.back() != b.producer;
    }

    BufferId argumentBuffer(const OpSpec& spec, std::size_t a) {
        const TensorArg& arg = spec.args[a];
        const auto k = static_cast<std::size_t>(std::max<std::int64_t>(arg.argIndex, 0));
        const bool named = arg.argIndex >= 0 && k < kernel_->arguments.size();
        // Two kernels that name the same tensor share it; names that were made up belong to one kernel.
        const bool shared = source_.source == bundle::ImportSource::Wrapper && named;
        const std::string name = named ? kernel_->arguments[k] : "arg" + std::to_string(arg.argIndex);
        const std::string key = shared ? name : kernel_->name + "/" + name;
        auto [it, isNew] = tensors_.try_emplace(key);
        if (isNew)
            it->second = newBuffer(name, spec, a);
        else if (PlanBuffer& b = plan_->buffers[it->second.at()]; b.size == 0)
            describe(b, spec, a);
        argument_.emplace(arg.argIndex, it->second);
        return it->second;
    }

    BufferId lxBuffer(OpId id, const OpSpec& spec, std::size_t a) {
        const auto use = lxUse_.find({step_, static_cast<int>(a)});
        if (use == lxUse_.end()) return newBuffer("lx_" + plan_->ops[id.at()].name, spec, a);
        const std::size_t i = use->second;
        if (lxIds_[i].isValid()) return lxIds_[i];
        const auto left = lxLeft_.find(lx_[i].address);
        if (lx_[i].isFromBefore && left != lxLeft_.end()) return lxIds_[i] = left->second;
        lxIds_[i] = newBuffer("lx_" + plan_->ops[id.at()].name, spec, a);
        PlanBuffer& b = plan_->buffers[lxIds_[i].at()];
        b.space = MemorySpace::Lx;
        b.address = std::clamp<Address>(lx_[i].address, 0, kLargest);
        b.sizePerCore = std::min<Bytes>(lx_[i].bytes, Bytes{1} << 40);
        b.cores = std::max<std::int64_t>(1, b.sizePerCore > 0 ? deviceBytes(spec.args[a]) / b.sizePerCore : 1);
        if (lx_[i].isCut) {
            b.layout.reset();
            ++cutSizes_;
        }
        if (lx_[i].inPlaceOf >= 0) b.inPlaceOf = lxIds_[static_cast<std::size_t>(lx_[i].inPlaceOf)];
        return lxIds_[i];
    }

    BufferId newBuffer(const std::string& name, const OpSpec& spec, std::size_t a) {
        PlanBuffer b;
        b.name = uniqueName(name);
        describe(b, spec, a);
        plan_->buffers.push_back(std::move(b));
        return BufferId::of(plan_->buffers.size() - 1);
    }

    /// Size, shape and layout as the first op that touches the tensor shows them.
    void describe(PlanBuffer& b, const OpSpec& spec, std::size_t a) const {
        const TensorArg arg = wholeTensor(spec, spec.args[a], extents_);
        b.size = sizeOf(spec, spec.args[a]);
        for (std::size_t v = 0; v < spec.iterationSpace.size(); ++v) {
            const bundle::IterationEntry& e = spec.iterationSpace[v];
            if (isAccessed(arg, e.symbol)) b.shape.push_back(arg.perTileFixed ? extentOf(e) : extents_[v]);
        }
        b.dtype = hostType(arg.deviceDtype);
        BufferLayout layout;
        layout.deviceSize = arg.deviceSize;
        if (arg.strideMap && arg.strideMap->size() == arg.deviceSize.size()) layout.strideMap = *arg.strideMap;
        layout.size = b.shape;
        layout.deviceDtype = arg.deviceDtype;
        layout.perTileFixed = arg.perTileFixed;
        b.layout = std::move(layout);
    }

    // ---- sizes of a bundle -------------------------------------------------------------------------------

    [[nodiscard]] bool isBundle() const { return source_.source == bundle::ImportSource::Bundle; }

    // ---- figures -----------------------------------------------------------------------------------------

    void memory() {
        const Settings& s = request_.settings;
        const auto rule =
            s.textOf("spyre.lx_capacity_rule") == "reserved64k" ? LxCapacityRule::Reserved64k : LxCapacityRule::Seed;
        plan_->memory.capacity = usableLxBytes(machine_, s.number("spyre.lx_reserved_fraction"), rule);
        plan_->memory.physical = machine_.lxBytesPerCore;
        plan_->memory.alignment = machine_.lxAlignment;
        plan_->memory.boundPerStep.assign(plan_->ops.size(), 0);
        if (std::any_of(source_.kernels.begin(), source_.kernels.end(),
                        [](const Kernel& k) { return k.poolSize > 0; })) {
            Bytes size = 0;
            for (const Kernel& k : source_.kernels)
                size = std::max(size, k.poolSize);
            editSpyreData(*plan_).pool = std::pair<Bytes, Bytes>{size, size};
        }
    }

    const CompileRequest& request_;
    const bundle::ImportedProgram& source_;
    const SpyreMachine& machine_;
    std::shared_ptr<Plan> plan_;
    const Kernel* kernel_ = nullptr;
    std::vector<bundle::LxTensor> lx_;
    std::vector<BufferId> lxIds_;
    std::map<std::pair<int, int>, std::size_t> lxUse_;  ///< (step, arg) -> position in lx_
    std::vector<std::string> places_;                   ///< of the ops of the kernel at hand, in the source
    Diagnostics overlaps_;
    std::map<std::int64_t, BufferId> poolIds_;
    OpId latestForeign_;                       ///< the latest entry without tensors
    std::map<std::int64_t, BufferId> lxLeft_;  ///< what the kernels so far left on chip, by address
    std::map<std::int64_t, BufferId> argument_;
    std::map<std::string, BufferId> tensors_;
    std::set<std::string> names_, hostNames_;
    std::map<std::string, int> nextNumber_;
    std::vector<std::int64_t> extents_;  ///< of the loops of the op at hand, over all iterations
    std::vector<const SpecNode*> open_;  ///< loops around the op at hand, outermost first
    int step_ = 0;
    int groups_ = 0;
    int cutSizes_ = 0;  ///< tensors of a bundle that end where the next one begins
};

}  // namespace

std::shared_ptr<Plan> buildImportedPlan(const CompileRequest& request, const SpyreMachine& machine) {
    return Importer(request, machine).run();
}

}  // namespace memplan::spyre

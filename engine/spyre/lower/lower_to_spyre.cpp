// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/lower/lower_to_spyre.h"

#include "engine/base/numeric.h"
#include "engine/spyre/lower/loop_nest.h"
#include "engine/spyre/lower/strided_view.h"
#include "engine/spyre/lower/window_shape.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <unordered_set>

namespace memplan::spyre {
namespace {

class Lowering {
public:
    explicit Lowering(const Graph& graph)
        : graph_(graph), views_(graph.tensors.size()), readers_(graph.tensors.size(), 0),
          loopReaders_(graph.tensors.size(), false) {}

    Program run() {
        countReaders();
        for (const TensorRole role :
             {TensorRole::Input, TensorRole::State, TensorRole::Parameter, TensorRole::Constant}) {
            addSources(role);
        }
        for (std::size_t i = 0; i < graph_.ops.size(); ++i)
            lowerOp(GraphOpId::of(i));
        markOutputs();
        return std::move(program_);
    }

private:
    const Graph& graph_;
    Program program_;
    std::vector<std::optional<StridedView>> views_;  ///< per tensor, once it is written
    std::vector<int> readers_;
    std::vector<bool> loopReaders_;  ///< per tensor: read by an operation that is no view
    std::unordered_set<std::string> opNames_, bufferNames_;

    // ---- sources -----------------------------------------------------------------------------------

    void countReaders() {
        for (const memplan::Op& op : graph_.ops) {
            for (const TensorId in : op.inputs) {
                if (!in.isValid()) continue;
                ++readers_[in.at()];
                if (op.kind != OpKind::View) loopReaders_[in.at()] = true;
            }
        }
        for (const TensorId out : graph_.outputs)
            ++readers_[out.at()];
    }

    static bool isScalarConstant(const Tensor& t) {
        return t.role == TensorRole::Constant && t.value.size() == 1 && elementCount(t.shape) == 1;
    }

    void addSources(TensorRole role) {
        const bool ordered = role == TensorRole::Input;
        if (ordered) {
            for (const TensorId id : graph_.inputs)
                addSource(id);
        }
        for (std::size_t i = 0; i < graph_.tensors.size(); ++i) {
            if (graph_.tensors[i].role == role) addSource(TensorId::of(i));
        }
    }

    void addSource(TensorId id) {
        const Tensor& t = graph_.tensor(id);
        if (views_[id.at()] || (readers_[id.at()] == 0 && t.role != TensorRole::Input)) return;
        if (t.aliasOf.isValid()) return viewOfAlias(id);
        if (isScalarConstant(t)) return addScalarConstant(id);
        const BufferKind kind = t.role == TensorRole::Parameter  ? BufferKind::Parameter
                                : t.role == TensorRole::Constant ? BufferKind::Constant
                                                                 : BufferKind::Input;
        program_.inputs.push_back(addBuffer(id, kind));
    }

    void addScalarConstant(TensorId id) {
        const Tensor& t = graph_.tensor(id);
        const BufferId buffer = addBuffer(id, BufferKind::Computed);
        program_.buffers[buffer.at()].size.clear();
        program_.buffers[buffer.at()].stride.clear();
        Op op;
        op.name = uniqueName(opNames_, t.id);
        op.kind = OpClass::Constant;
        op.fn = "constant";
        op.write.buffer = buffer;
        op.constantValue = t.value.front();
        program_.ops.push_back(std::move(op));
        views_[id.at()]->strides.assign(t.shape.size(), 0);
    }

    BufferId addBuffer(TensorId tensor, BufferKind kind) {
        const Tensor& t = graph_.tensor(tensor);
        Buffer b;
        b.name = uniqueName(bufferNames_, t.id);
        b.graphDType = t.dtype;
        b.dtype = hostTypeFor(t.dtype).value_or(HostType::Int8);
        b.size = t.shape;
        b.stride = rowMajorStrides(t.shape);
        b.kind = kind;
        b.graphTensor = tensor;
        program_.buffers.push_back(std::move(b));
        const BufferId id = BufferId::of(program_.buffers.size() - 1);
        views_[tensor.at()] = StridedView{id, t.shape, rowMajorStrides(t.shape), 0};
        return id;
    }

    static std::string uniqueName(std::unordered_set<std::string>& taken, const std::string& wanted) {
        std::string name = wanted;
        for (int n = 2; !taken.insert(name).second; ++n)
            name = wanted + "_" + std::to_string(n);
        return name;
    }

    // ---- views -------------------------------------------------------------------------------------

    /// A tensor that shares storage with another one that is already there.
    void viewOfAlias(TensorId id) {
        const Tensor& t = graph_.tensor(id);
        const auto& root = views_[t.aliasOf.at()];
        if (!root) {
            program_.inputs.push_back(addBuffer(id, BufferKind::Input));
            return;
        }
        views_[id.at()] = contiguousPart(*root, t);
    }

    StridedView contiguousPart(const StridedView& root, const Tensor& t) {
        const int bits = dtypeBits(t.dtype);
        const std::int64_t skip = bits > 0 ? t.aliasOffset * 8 / bits : 0;
        if (skip == 0) {
            if (auto view = reshaped(root, t.shape)) return *view;
        }
        StridedView base = root.isDense() ? root : materialised(root, t.id + "_contiguous");
        return {base.buffer, t.shape, rowMajorStrides(t.shape), base.offset + skip};
    }

    /// Copies what a view shows into a buffer of its own, so that any reshape of it is plain.
    StridedView materialised(const StridedView& view, const std::string& name) {
        const Buffer& source = program_.buffers[view.buffer.at()];
        Buffer b;
        b.name = uniqueName(bufferNames_, name);
        b.dtype = source.dtype;
        b.graphDType = source.graphDType;
        b.size = view.shape;
        b.stride = rowMajorStrides(view.shape);
        b.addedBy = "lower_to_spyre";
        program_.buffers.push_back(b);
        const BufferId id = BufferId::of(program_.buffers.size() - 1);
        Op op;
        op.name = uniqueName(opNames_, name);
        op.kind = OpClass::Pointwise;
        op.fn = "clone";
        op.addedBy = "lower_to_spyre";
        RawAccess read{view.buffer, view.strides, view.offset, false};
        const std::vector<std::int64_t> coefficients = b.stride;
        const RawAccess write{id, coefficients, 0, false};
        std::vector<IterDim> dims;
        for (std::size_t d = 0; d < view.shape.size(); ++d) {
            dims.push_back({"d" + std::to_string(d), view.shape[d], "", IterKind::Parallel});
        }
        emitLoops(op, {dims, {read}, write});
        program_.ops.push_back(std::move(op));
        return {id, view.shape, rowMajorStrides(view.shape), 0};
    }

    // ---- operations --------------------------------------------------------------------------------

    void lowerOp(GraphOpId id) {
        const memplan::Op& op = graph_.ops[id.at()];
        if (op.kind == OpKind::View) return lowerView(op);
        if (op.kind == OpKind::Copy && lowerCopyAsView(op)) return;
        if (op.kind == OpKind::Conv && lowerPointConv(id)) return;
        if (hasLoopForm(op) && lowerLoops(id)) return;
        lowerExtern(id);
    }

    void lowerView(const memplan::Op& op) {
        for (const TensorId out : op.outputs) {
            const Tensor& t = graph_.tensor(out);
            const TensorId source = t.aliasOf.isValid() ? t.aliasOf : op.inputs.front();
            const StridedView part = contiguousPart(*views_[source.at()], t);
            const Buffer& buffer = program_.buffers[part.buffer.at()];
            // A view that only other views look through needs no form of its own: the last one decides.
            const bool plain = !loopReaders_[out.at()] || readersCanTakeStrides(part, buffer);
            views_[out.at()] = plain ? part : materialised(part, t.id);
            if (!plain) adopt(views_[out.at()]->buffer, out);
        }
    }

    /// The buffer of a materialised view is where the tensor lives from now on.
    void adopt(BufferId buffer, TensorId tensor) { program_.buffers[buffer.at()].graphTensor = tensor; }

    bool isGraphOutput(TensorId tensor) const {
        return std::find(graph_.outputs.begin(), graph_.outputs.end(), tensor) != graph_.outputs.end();
    }

    /// transpose, slice and expand read through strides; padding and parts of a concatenation do not.
    bool lowerCopyAsView(const memplan::Op& op) {
        if (op.outputs.size() != 1 || op.inputs.size() != 1 || !op.hasIter || op.fn == "pad") return false;
        const TensorId out = op.outputs.front();
        const Tensor& t = graph_.tensor(out);
        if (t.aliasOf.isValid() || isGraphOutput(out) || !op.inputs.front().isValid()) return false;
        if (!op.inMaps.front() || !op.outMaps.front() || !writesWhole(op, t)) return false;
        const std::optional<StridedView> view = throughMap(op, t);
        if (!view || !readersCanTakeStrides(*view, program_.buffers[view->buffer.at()])) return false;
        views_[out.at()] = view;
        return true;
    }

    /// The output map is the identity over all of the output.
    static bool writesWhole(const memplan::Op& op, const Tensor& t) {
        const auto& map = *op.outMaps.front();
        for (std::size_t d = 0; d < map.size(); ++d) {
            if (map[d].dataDependent || map[d].constant != 0) return false;
            if (t.shape[d] == 1 && map[d].terms.empty()) continue;
            if (map[d].terms.size() != 1 || map[d].terms.front().coefficient != 1) return false;
            const auto loop = static_cast<std::size_t>(map[d].terms.front().loop);
            if (op.iter[loop].size != t.shape[d]) return false;
        }
        return true;
    }

    std::optional<StridedView> throughMap(const memplan::Op& op, const Tensor& t) {
        const RawAccess read = rawAccess(op, op.inputs.front(), *op.inMaps.front());
        if (read.indirect || read.offset < 0) return std::nullopt;
        StridedView view{read.buffer, t.shape, std::vector<std::int64_t>(t.shape.size(), 0), read.offset};
        const auto& map = *op.outMaps.front();
        for (std::size_t d = 0; d < map.size(); ++d) {
            if (map[d].terms.empty()) continue;
            const std::int64_t stride = read.coefficients[static_cast<std::size_t>(map[d].terms.front().loop)];
            if (stride < 0) return std::nullopt;
            view.strides[d] = stride;
        }
        return view;
    }

    /// Index of a graph operand over the op's loops, through the strides of the operand's view.
    RawAccess rawAccess(const memplan::Op& op, TensorId tensor, const std::vector<IndexExpr>& map) const {
        const StridedView& view = *views_[tensor.at()];
        RawAccess access{view.buffer, std::vector<std::int64_t>(op.iter.size(), 0), view.offset, false};
        for (std::size_t d = 0; d < map.size(); ++d) {
            if (map[d].dataDependent) {
                access.indirect = true;
                continue;
            }
            access.offset += map[d].constant * view.strides[d];
            for (const auto& term : map[d].terms) {
                access.coefficients[static_cast<std::size_t>(term.loop)] += term.coefficient * view.strides[d];
            }
        }
        return access;
    }

    bool hasLoopForm(const memplan::Op& op) const {
        if (!op.hasIter || op.outputs.size() != 1) return false;
        for (const IterDim& d : op.iter) {
            if (d.size == 0) return false;
        }
        if (graph_.tensor(op.outputs.front()).dtype == DType::Str) return false;
        switch (op.kind) {
        case OpKind::Pointwise:
        case OpKind::Reduction:
        case OpKind::MatMul:
        case OpKind::BMM:
            return true;
        case OpKind::Copy:
            return op.fn != "pad";
        case OpKind::Pool:
            return isWholeMapPool(op);
        case OpKind::Constant:
            return op.inputs.empty();
        default:
            return false;
        }
    }

    bool lowerLoops(GraphOpId id) {
        const memplan::Op& source = graph_.ops[id.at()];
        LoopNest nest;
        nest.dims = source.iter;
        for (std::size_t i = 0; i < source.inputs.size(); ++i) {
            if (!source.inputs[i].isValid() || !source.inMaps[i]) continue;
            nest.reads.push_back(rawAccess(source, source.inputs[i], *source.inMaps[i]));
            if (nest.reads.back().indirect) return false;
        }
        if (!source.outMaps.front()) return false;
        Op op = newOp(id);
        op.kind = source.kind == OpKind::Constant ? OpClass::Constant
                  : isReductionKind(source)       ? OpClass::Reduction
                                                  : OpClass::Pointwise;
        op.fn = functionName(source);
        prepareOutput(op, source.outputs.front());
        nest.write = rawAccess(source, source.outputs.front(), *source.outMaps.front());
        if (nest.write.indirect) return false;
        emitLoops(op, nest);
        if (op.kind == OpClass::Constant) op.constantValue = fillValue(source);
        program_.ops.push_back(std::move(op));
        return true;
    }

    static bool isReductionKind(const memplan::Op& op) {
        return op.kind == OpKind::Reduction || op.kind == OpKind::MatMul || op.kind == OpKind::BMM ||
               op.kind == OpKind::Pool;
    }

    static double fillValue(const memplan::Op& op) {
        const AttrValue* value = findAttr(op, "value");
        if (value == nullptr) return 0;
        if (const auto* d = std::get_if<double>(value)) return *d;
        if (const auto* i = std::get_if<std::int64_t>(value)) return static_cast<double>(*i);
        return 0;
    }

    static std::string functionName(const memplan::Op& op) {
        if (op.kind == OpKind::MatMul || op.kind == OpKind::BMM) return "batchmatmul";
        if (op.kind == OpKind::Copy) return "clone";
        return op.fn;
    }

    /// A result that shares storage with an older tensor is written in place, else it gets a buffer.
    void prepareOutput(Op& op, TensorId tensor) {
        const Tensor& t = graph_.tensor(tensor);
        const bool inPlace = t.aliasOf.isValid() && views_[aliasRoot(graph_, tensor).at()].has_value();
        if (!inPlace) {
            addBuffer(tensor, BufferKind::Computed);
            return;
        }
        viewOfAlias(tensor);
        if (op.kind == OpClass::Pointwise) op.kind = OpClass::Mutation;
    }

    /// A convolution with a kernel of 1 and stride 1, no groups, no padding: out[n, oc, p..] sums over ic.
    bool lowerPointConv(GraphOpId id) {
        const memplan::Op& source = graph_.ops[id.at()];
        if (!source.hasIter || source.inputs.size() < 2 || source.fn.starts_with("conv_transpose")) return false;
        if (source.outputs.size() != 1 || !source.inMaps[0] || !source.inMaps[1] || !source.outMaps[0]) return false;
        if (!isPointKernel(source)) return false;
        flattenPointKernel(views_[source.inputs[1].at()]->buffer);
        LoopNest nest;
        nest.dims = source.iter;
        nest.reads.push_back(rawAccess(source, source.inputs[0], *source.inMaps[0]));
        nest.reads.push_back(rawAccess(source, source.inputs[1], *source.inMaps[1]));
        if (nest.reads[0].indirect || nest.reads[0].offset != views_[source.inputs[0].at()]->offset) return false;
        const bool hasBias = source.inputs.size() > 2 && source.inputs[2].isValid() && source.inMaps[2];
        Op op = newOp(id);
        op.kind = OpClass::Reduction;
        op.fn = "batchmatmul";
        const TensorId out = source.outputs.front();
        if (hasBias) {
            emitBiasedConv(std::move(op), std::move(nest), source);
            return true;
        }
        prepareOutput(op, out);
        nest.write = rawAccess(source, out, *source.outMaps.front());
        emitLoops(op, nest);
        program_.ops.push_back(std::move(op));
        return true;
    }

    /// Weights [oc, ic, 1, 1] arrive as [oc, ic]: trailing extents of 1 would make every stick hold one element.
    void flattenPointKernel(BufferId weights) {
        Buffer& buffer = program_.buffers[weights.at()];
        if (buffer.kind != BufferKind::Parameter || buffer.size.size() < 3) return;
        while (buffer.size.size() > 2 && buffer.size.back() == 1) {
            buffer.size.pop_back();
        }
        buffer.stride = rowMajorStrides(buffer.size);
    }

    /// The product goes to a buffer of its own; a pointwise addition of the bias writes the result.
    void emitBiasedConv(Op op, LoopNest nest, const memplan::Op& source) {
        const TensorId out = source.outputs.front();
        Op add = op;
        addBuffer(out, BufferKind::Computed);
        const RawAccess write = rawAccess(source, out, *source.outMaps.front());
        Buffer inner = program_.buffers[views_[out.at()]->buffer.at()];
        inner.name = uniqueName(bufferNames_, inner.name + ".product");
        inner.graphTensor = {};
        program_.buffers.push_back(inner);
        nest.write = write;
        nest.write.buffer = BufferId::of(program_.buffers.size() - 1);
        op.name = uniqueName(opNames_, op.name + ".product");
        emitLoops(op, nest);
        program_.ops.push_back(std::move(op));
        add.kind = OpClass::Pointwise;
        add.fn = "add";
        LoopNest sum;
        sum.dims = source.iter;
        for (IterDim& d : sum.dims) {
            if (d.kind == IterKind::Reduction) d.size = 1;
        }
        sum.reads = {nest.write, rawAccess(source, source.inputs[2], *source.inMaps[2])};
        sum.write = write;
        emitLoops(add, sum);
        program_.ops.push_back(std::move(add));
    }

    // ---- emission ----------------------------------------------------------------------------------

    Op newOp(GraphOpId id) {
        const memplan::Op& source = graph_.ops[id.at()];
        Op op;
        op.name = uniqueName(opNames_, source.id);
        op.fn = source.fn;
        op.sourceOps = {id};
        op.origin = source.origin;
        op.groupPath = groupPath(source.group);
        return op;
    }

    std::string groupPath(GroupId group) const {
        std::string path;
        while (group.isValid()) {
            const Group& g = graph_.groups[group.at()];
            path = path.empty() ? g.id : g.id + "/" + path;
            group = g.parent;
        }
        return path;
    }

    /// Whatever cannot be cut: reads and writes whole buffers.
    void lowerExtern(GraphOpId id) {
        const memplan::Op& source = graph_.ops[id.at()];
        Op op = newOp(id);
        op.kind = OpClass::Extern;
        for (std::size_t i = 0; i < source.inputs.size(); ++i) {
            const TensorId in = source.inputs[i];
            if (!in.isValid()) continue;
            keepPartialView(in);
            Access read{views_[in.at()]->buffer, {}, false};
            const bool known = source.hasIter && i < source.inMaps.size() && source.inMaps[i];
            read.indirect = known && std::any_of(source.inMaps[i]->begin(), source.inMaps[i]->end(),
                                                 [](const IndexExpr& e) { return e.dataDependent; });
            op.reads.push_back(read);
        }
        for (const TensorId out : source.outputs) {
            const bool inPlace =
                graph_.tensor(out).aliasOf.isValid() && views_[aliasRoot(graph_, out).at()].has_value();
            if (inPlace) {
                viewOfAlias(out);
                op.impure = true;
            } else {
                addBuffer(out, BufferKind::Computed);
            }
            keepPartialView(out);
            const BufferId buffer = views_[out.at()]->buffer;
            if (op.write.buffer.isValid())
                op.extraWrites.push_back(buffer);
            else
                op.write.buffer = buffer;
        }
        program_.ops.push_back(std::move(op));
    }

    /// Keeps where a tensor is for those who read the finished program.
    void keepView(TensorId tensor) {
        const StridedView& view = *views_[tensor.at()];
        const auto isKept = [&](const TensorView& v) { return v.tensor == tensor; };
        if (std::none_of(program_.views.begin(), program_.views.end(), isKept))
            program_.views.push_back({tensor, view.buffer, view.strides, view.offset});
    }

    /// An operand that is not all of its buffer in the buffer's order.
    void keepPartialView(TensorId tensor) {
        const StridedView& view = *views_[tensor.at()];
        const auto& size = program_.buffers[view.buffer.at()].size;
        if (!view.isContiguous() || elementCount(view.shape) != elementCount(size)) keepView(tensor);
    }

    void markOutputs() {
        for (const TensorId out : graph_.outputs) {
            if (!views_[out.at()]) continue;
            keepView(out);
            const StridedView& view = *views_[out.at()];
            Buffer& buffer = program_.buffers[view.buffer.at()];
            buffer.isOutput = true;
            buffer.outputIsView = buffer.outputIsView || buffer.graphTensor != out;
            auto& known = program_.outputs;
            if (std::find(known.begin(), known.end(), view.buffer) == known.end()) known.push_back(view.buffer);
        }
    }
};

}  // namespace

Program lowerToSpyre(const Graph& graph) {
    return Lowering(graph).run();
}

}  // namespace memplan::spyre

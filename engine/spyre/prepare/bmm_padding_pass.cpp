// SPDX-License-Identifier: Apache-2.0
// Pass 7: K padding of matrix multiplies (spyre-layouts-and-work-division 6.1).
#include "engine/base/text.h"
#include "engine/spyre/layout/coordinates.h"
#include "engine/spyre/layout/matmul_layouts.h"
#include "engine/spyre/layout/stick_layout.h"
#include "engine/spyre/lower/strided_view.h"
#include "engine/spyre/passes.h"
#include "engine/spyre/prepare/chunking.h"
#include "engine/spyre/program_edit.h"
#include "engine/spyre/state.h"
#include "engine/spyre/texts/decisions.h"

#include <bit>
#include <optional>

namespace memplan::spyre {
namespace {

/// What the padding of one multiply needs to know.
struct PaddingPlan {
    std::size_t y = 0;     ///< position in Op::reads
    std::size_t kDim = 0;  ///< host dimension of y
    std::int64_t k = 0, pad = 0;
    std::vector<int> loopOfDim;  ///< host dimension -> loop, -1 for extent 1
    DimOrder order;              ///< of the padded buffer
};

/// The padded twin of y: K grows to a whole number of sticks, contents are set by four operations.
class KPadding {
public:
    KPadding(Program& program, PassContext& context) : program_(program), context_(context) {}

    /// nullopt when nothing is to be done; a multiply that cannot be understood is reported.
    std::optional<PaddingPlan> plan(std::size_t i) {
        const Op& op = program_.ops[i];
        if (!op.isMatmul() || op.reads.size() != 2) return std::nullopt;
        const LoopMask reduced = indexLoops(op.reads[0].index, op.loops) & ~indexLoops(op.write.index, op.loops);
        if (std::popcount(reduced) != 1) return std::nullopt;
        const int k = std::countr_zero(reduced);
        PaddingPlan plan;
        plan.k = op.loops[static_cast<std::size_t>(k)].extent;
        plan.pad = reductionPadding(plan.k, program_.buffers[op.reads[0].buffer.at()].dtype);
        if (plan.pad == 0) return std::nullopt;
        const std::optional<std::size_t> x = operandWithStick(op, k);
        if (!x) {
            warn(i, "could not identify x/y of the multiply by their sticks");
            return std::nullopt;
        }
        plan.y = 1 - *x;
        if (!mapDims(op, k, plan)) {
            warn(i, "could not identify x/y: " + bufferOf(op.reads[plan.y]).name + " is read through a view");
            return std::nullopt;
        }
        return plan;
    }

    void apply(std::size_t i, const PaddingPlan& plan, NameMaker& names, ProgramEdit& edit) {
        Op& op = program_.ops[i];
        const BufferId source = op.reads[plan.y].buffer;
        Buffer padded = program_.buffers[source.at()];
        padded.size[plan.kDim] = plan.k + plan.pad;
        padded.stride = rowMajorStrides(padded.size);
        padded.layout = buildFoldedLayout(padded, plan.order).value();
        const std::string base = op.name;
        const BufferId target = addBuffer(program_, padded, names.make(base + "_pad_alloc"), kPass);
        const std::vector<std::int64_t> stride = padded.stride;

        edit.add(allocation(target, i));
        const BufferId zero = zeroBuffer(names.make(base + "_pad_zero"), padded.dtype, padded.graphDType);
        edit.add(zeroConstant(zero, i));
        edit.add(fill(names.make(base + "_pad_fill"), {target, zero, plan, i}));
        edit.add(copy(names.make(base + "_pad_copy"), {source, target, i}));
        Access& y = op.reads[plan.y];
        y.buffer = target;
        for (std::size_t d = 0; d < plan.loopOfDim.size(); ++d) {
            if (plan.loopOfDim[d] >= 0) y.index.coefficients[static_cast<std::size_t>(plan.loopOfDim[d])] = stride[d];
        }
    }

    static constexpr std::string_view kPass = "insert_bmm_padding";

private:
    struct FillQuestion {
        BufferId target, zero;
        const PaddingPlan& plan;
        std::size_t parent;
    };
    struct CopyQuestion {
        BufferId source, target;
        std::size_t parent;
    };

    const Buffer& bufferOf(const Access& a) const { return program_.buffers[a.buffer.at()]; }

    std::optional<std::size_t> operandWithStick(const Op& op, int loop) const {
        std::optional<std::size_t> found;
        for (std::size_t a = 0; a < op.reads.size(); ++a) {
            const Buffer& b = bufferOf(op.reads[a]);
            if (!b.layout) return std::nullopt;
            Result<Coordinates> device = deviceCoordinates(*b.layout, op.loops, op.reads[a].index);
            if (!device) return std::nullopt;
            if (device.value().back().onlyLoop() != loop) continue;
            if (found) return std::nullopt;
            found = a;
        }
        return found;
    }

    /// y has to be read whole and plainly: one loop for each dimension of more than one position.
    bool mapDims(const Op& op, int k, PaddingPlan& plan) const {
        const Access& access = op.reads[plan.y];
        const Buffer& y = bufferOf(access);
        const Coordinates host = hostCoordinates(y, op.loops, access.index);
        bool hasK = false;
        for (std::size_t d = 0; d < host.size(); ++d) {
            const std::optional<int> loop = host[d].bareLoop();
            if (!loop && !host[d].isZero()) return false;
            if (loop && op.loops[static_cast<std::size_t>(*loop)].extent != y.size[d]) return false;
            if (!loop && y.size[d] != 1) return false;
            plan.loopOfDim.push_back(loop.value_or(-1));
            if (loop != k) continue;
            hasK = true;
            plan.kDim = d;
        }
        if (!hasK) return false;
        const Coordinates device = coordinates(y.layout->deviceSize, y.layout->strideMap, op.loops, access.index);
        const std::optional<std::size_t> stick = matchingDim(host, device.back());
        for (std::size_t d = 0; d < host.size(); ++d) {
            if (stick != d) plan.order.push_back(static_cast<int>(d));
        }
        if (stick) plan.order.push_back(static_cast<int>(*stick));
        return true;
    }

    Op newOp(std::string name, std::size_t parent) const {
        const Op& p = program_.ops[parent];
        Op op;
        op.name = std::move(name);
        op.cloneOfOp = OpId::of(parent);
        op.origin = p.origin;
        op.groupPath = p.groupPath;
        op.addedBy = kPass;
        return op;
    }

    Op allocation(BufferId target, std::size_t parent) const {
        Op op = newOp(program_.buffers[target.at()].name, parent);
        op.kind = OpClass::Extern;
        op.fn = "empty";
        op.write.buffer = target;
        return op;
    }

    BufferId zeroBuffer(std::string name, HostType dtype, DType graphDType) {
        Buffer b;
        b.dtype = dtype;
        b.graphDType = graphDType;
        b.layout = fallbackLayout(b);
        return addBuffer(program_, b, std::move(name), kPass);
    }

    Op zeroConstant(BufferId zero, std::size_t parent) const {
        Op op = newOp(program_.buffers[zero.at()].name, parent);
        op.kind = OpClass::Constant;
        op.fn = "constant";
        op.constantValue = 0;
        op.write.buffer = zero;
        return op;
    }

    Op fill(std::string name, const FillQuestion& q) const {
        const Buffer& target = program_.buffers[q.target.at()];
        std::vector<std::int64_t> region = target.size;
        region[q.plan.kDim] = q.plan.pad;
        DimLoops nest = loopsOver(region, target.stride);
        Op op = newOp(std::move(name), q.parent);
        op.kind = OpClass::Mutation;
        op.fn = "fill";
        op.reads.push_back({q.zero, {std::vector<std::int64_t>(nest.loops.size(), 0), 0}, false});
        op.write = {q.target, nest.index, false};
        op.write.index.offset = q.plan.k * target.stride[q.plan.kDim];
        op.loops = std::move(nest.loops);
        return op;
    }

    Op copy(std::string name, const CopyQuestion& q) const {
        const Buffer& source = program_.buffers[q.source.at()];
        const Buffer& target = program_.buffers[q.target.at()];
        DimLoops from = loopsOver(source.size, source.stride);
        DimLoops to = loopsOver(source.size, target.stride);
        Op op = newOp(std::move(name), q.parent);
        op.kind = OpClass::Mutation;
        op.fn = "clone";
        op.loops = std::move(from.loops);
        op.reads.push_back({q.source, std::move(from.index), false});
        op.write = {q.target, std::move(to.index), false};
        return op;
    }

    void warn(std::size_t i, const std::string& why) {
        Diagnostic d;
        d.severity = Severity::Warning;
        d.code = "PAD-001";
        d.where = program_.ops[i].name;
        d.message = program_.ops[i].name + ": " + why + "; K is not padded";
        d.ops = {OpId::of(i)};
        context_.report(std::move(d));
    }

    Program& program_;
    PassContext& context_;
};

Decision decision(const Op& op, const std::string& y, const PaddingPlan& plan) {
    Decision d;
    d.kind = DecisionKind::Padding;
    d.chosen = {say::kPaddedK, plan.k + plan.pad};
    d.buffer = op.reads[plan.y].buffer;
    d.alternatives = {{say::kK, static_cast<double>(plan.k)},
                      {say::kPaddedKLength, static_cast<double>(plan.k + plan.pad)}};
    d.why = {say::kKInsideStick, plan.k, y, plan.pad};
    return d;
}

/// A decision about an operation that has no number before the edit is finished.
struct Padded {
    std::string op;
    Decision decision;
};

}  // namespace

Result<PassOutcome> padMultiplies(State& state, PassContext& context) {
    Program& program = state.program;
    KPadding padding(program, context);
    std::vector<std::optional<PaddingPlan>> plans(program.ops.size());
    std::int64_t padded = 0;
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        plans[i] = padding.plan(i);
        padded += plans[i] ? 1 : 0;
    }
    if (padded == 0) return PassOutcome{};
    NameMaker names(program);
    ProgramEdit edit(program);
    std::vector<Padded> decisions;
    for (std::size_t i = 0; i < plans.size(); ++i) {
        if (context.cancelled()) return cancelledError();
        if (plans[i]) {
            const std::string y = program.buffers[program.ops[i].reads[plans[i]->y].buffer.at()].name;
            padding.apply(i, *plans[i], names, edit);
            decisions.push_back({program.ops[i].name, decision(program.ops[i], y, *plans[i])});
        }
        edit.keep(i);
    }
    edit.finish();
    std::size_t at = 0;
    for (std::size_t i = 0; i < program.ops.size() && at < decisions.size(); ++i) {
        if (program.ops[i].name != decisions[at].op) continue;
        decisions[at].decision.op = OpId::of(i);
        ++at;
    }
    for (Padded& p : decisions)
        context.decide(std::move(p.decision));
    return PassOutcome{true, {{"multiplies_padded", padded}, {"ops_added", padded * 4}}};
}

}  // namespace memplan::spyre

// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/layout/matmul_layouts.h"

#include "engine/base/text.h"
#include "engine/spyre/layout/coordinates.h"
#include "engine/spyre/layout/restickify.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace memplan::spyre {
namespace {

std::string loopNames(LoopMask mask, std::span<const LoopVar> loops) {
    std::vector<std::string> names;
    for (std::size_t v = 0; v < loops.size(); ++v) {
        if ((mask >> v & 1) != 0) names.push_back(loops[v].name);
    }
    return "{" + text::join(names, ", ") + "}";
}

/// The one loop of `mask`; LAY-005 otherwise.
Result<int> exactlyOne(LoopMask mask, const LayoutQuestion& q, const char* role) {
    if (std::popcount(mask) == 1) return std::countr_zero(mask);
    return unsupported("LAY-005", q.op->name,
                       q.op->fn + ": expected 1 " + role + " variable, got " + loopNames(mask, q.op->loops));
}

Result<int> reductionLoop(const LayoutQuestion& q, int x) {
    const LoopMask in = indexLoops(*q.reads[static_cast<std::size_t>(x)].index, q.op->loops);
    return exactlyOne(in & ~indexLoops(q.op->write.index, q.op->loops), q, "reduction");
}

/// First device coordinate that moves with `loop` and belongs to one host dimension.
std::optional<CoordinateView> resolvableCoordinate(const Coordinates& device, const Coordinates& host, int loop) {
    for (std::size_t d = 0; d < device.size(); ++d) {
        if ((device[d].loops() >> loop & 1) != 0 && matchingDim(host, device[d])) return device[d];
    }
    return std::nullopt;
}

/// The layout that `read` must have so that `loop` is its stick: the first candidate that has it, else the
/// first that can be restickified to it. LAY-006 when there is neither.
Result<StickLayout> layoutWithStick(const LayoutQuestion& q, int arg, int loop) {
    const LayoutRead& read = q.reads[static_cast<std::size_t>(arg)];
    std::vector<Coordinates> device;
    for (const StickLayout& layout : read.layouts) {
        Result<Coordinates> coords = deviceCoordinates(layout, q.op->loops, *read.index);
        if (!coords) return std::move(coords).error();
        device.push_back(std::move(coords).value());
    }
    for (std::size_t i = 0; i < device.size(); ++i) {
        if ((device[i].back().loops() >> loop & 1) != 0) return read.layouts[i];
    }
    const Coordinates host = hostCoordinates(*read.buffer, q.op->loops, *read.index);
    for (std::size_t i = 0; i < device.size(); ++i) {
        const auto wanted = resolvableCoordinate(device[i], host, loop);
        if (!wanted) continue;
        if (auto target = restickifyTarget({read.buffer, &read.layouts[i], &host, &device[i]}, *wanted)) return *target;
    }
    return unsupported("LAY-006", q.op->name,
                       q.op->fn + ": cannot restickify any input layout of " + read.buffer->name + " to carry " +
                           q.op->loops[static_cast<std::size_t>(loop)].name + " in its stick");
}

Result<StickLayout> build(const LayoutQuestion& q, const DimOrder& order) {
    if (!q.asOriginal) return buildFoldedLayout(*q.output, order);
    return buildStickLayout(q.output->size, q.output->stride, q.output->dtype, order);
}

/// The generated dimension last, the others in natural order: batch.., M, N, or batch.., N, M for an output
/// that is written transposed.
DimOrder matmulOrder(std::size_t rank, std::size_t generatedDim) {
    DimOrder order;
    for (std::size_t d = 0; d < rank; ++d) {
        if (d != generatedDim) order.push_back(static_cast<int>(d));
    }
    order.push_back(static_cast<int>(generatedDim));
    return order;
}

/// One candidate in `order` whose first input must carry the reduction loop in its stick.
Result<OpCandidates> reductionStick(const LayoutQuestion& q, int x, const DimOrder& order) {
    Result<int> loop = reductionLoop(q, x);
    if (!loop) return std::move(loop).error();
    Result<StickLayout> required = layoutWithStick(q, x, loop.value());
    if (!required) return std::move(required).error();
    Result<StickLayout> layout = build(q, order);
    if (!layout) return std::move(layout).error();
    OpCandidates out;
    out.node = CostNode::FixedInOut;
    out.layouts.push_back(std::move(layout).value());
    out.args = {x};
    out.required.push_back(std::move(required).value());
    return out;
}

/// The operands of a multiply and the loops that their sticks must be.
struct MatmulRoles {
    int x = 0, y = 0;
    int reduction = 0, generated = 0;
};

/// LAY-005 unless there is exactly one reduction and one generated loop.
Result<MatmulRoles> rolesOf(const LayoutQuestion& q) {
    std::vector<int> args;
    for (std::size_t i = 0; i < q.reads.size(); ++i) {
        if (!q.reads[i].isScalarConstant) args.push_back(static_cast<int>(i));
    }
    if (args.size() < 2) return unsupported("LAY-005", q.op->name, q.op->fn + ": expected two tensor operands");
    const Result<int> reduction = reductionLoop(q, args[0]);
    if (!reduction) return reduction.error();
    const LoopMask ofX = indexLoops(*q.reads[static_cast<std::size_t>(args[0])].index, q.op->loops);
    const LoopMask ofY = indexLoops(*q.reads[static_cast<std::size_t>(args[1])].index, q.op->loops);
    const LoopMask ofOutput = indexLoops(q.op->write.index, q.op->loops);
    const Result<int> generated = exactlyOne(ofY & ofOutput & ~ofX, q, "generated");
    if (!generated) return generated.error();
    return MatmulRoles{args[0], args[1], reduction.value(), generated.value()};
}

}  // namespace

std::uint64_t indexLoops(const Index& index, std::span<const LoopVar> loops) {
    LoopMask mask = 0;
    for (std::size_t v = 0; v < loops.size() && v < index.coefficients.size(); ++v) {
        if (index.coefficients[v] != 0 && loops[v].extent > 1) mask |= LoopMask{1} << v;
    }
    return mask;
}

std::vector<StuckOperand> stuckOperands(const LayoutQuestion& q) {
    const Result<MatmulRoles> roles = rolesOf(q);
    std::vector<StuckOperand> stuck;
    if (!roles) return stuck;
    for (const auto& [argument, loop] :
         {std::pair(roles.value().x, roles.value().reduction), std::pair(roles.value().y, roles.value().generated)}) {
        const Result<StickLayout> layout = layoutWithStick(q, argument, loop);
        if (!layout && layout.error().primary().code == "LAY-006") stuck.push_back({argument, loop});
    }
    return stuck;
}

Result<OpCandidates> matmulCandidates(const LayoutQuestion& q) {
    const Result<MatmulRoles> roles = rolesOf(q);
    if (!roles) return roles.error();
    const auto [x, y, reduction, generated] = roles.value();
    Result<StickLayout> forX = layoutWithStick(q, x, reduction);
    if (!forX) return std::move(forX).error();
    Result<StickLayout> forY = layoutWithStick(q, y, generated);
    if (!forY) return std::move(forY).error();

    const Coordinates output = hostCoordinates(*q.output, q.op->loops, q.op->write.index);
    std::optional<std::size_t> generatedDim;
    for (std::size_t d = 0; d < output.size() && !generatedDim; ++d) {
        if ((output[d].loops() >> generated & 1) != 0) generatedDim = d;
    }
    if (!generatedDim) {
        return unsupported("LAY-005", q.op->name, q.op->fn + ": expected 1 generated variable in the output");
    }
    Result<StickLayout> layout = build(q, matmulOrder(output.size(), *generatedDim));
    if (!layout) return std::move(layout).error();
    OpCandidates out;
    out.node = CostNode::FixedInOut;
    out.layouts.push_back(std::move(layout).value());
    out.args = {x, y};
    out.required = {std::move(forX).value(), std::move(forY).value()};
    return out;
}

Result<OpCandidates> exx2Candidates(const LayoutQuestion& q, std::vector<int> args) {
    DimOrder order = naturalOrder(q.output->size.size());
    order.push_back(-1);
    Result<OpCandidates> out = reductionStick(q, args.front(), order);
    if (out) out.value().layouts.front().arrangement = Arrangement::Exx2;
    return out;
}

Result<OpCandidates> layerNormCandidates(const LayoutQuestion& q, std::vector<int> args) {
    const Buffer& x = *q.reads[static_cast<std::size_t>(args.front())].buffer;
    if (x.size != q.output->size || x.stride != q.output->stride) {
        return unsupported("LAY-009", q.op->name,
                           "views not supported for spyre.layernormnorm (" + text::shapeText(x.size) + " to " +
                               text::shapeText(q.output->size) + ")");
    }
    return reductionStick(q, args.front(), naturalOrder(q.output->size.size()));
}

Result<OpCandidates> topkCandidates(const LayoutQuestion& q, std::vector<int> args) {
    const LayoutRead& x = q.reads[static_cast<std::size_t>(args.front())];
    Result<int> loop = reductionLoop(q, args.front());
    if (!loop) return std::move(loop).error();
    const Coordinates host = hostCoordinates(*x.buffer, q.op->loops, *x.index);
    const Coordinates output = hostCoordinates(*q.output, q.op->loops, q.op->write.index);
    std::vector<std::optional<std::size_t>> sticks;
    const auto add = [&](std::optional<std::size_t> dim) {
        for (const auto& known : sticks) {
            if (known == dim) return;
        }
        sticks.push_back(dim);
    };
    for (const StickLayout& in : x.layouts) {
        Result<Coordinates> device = deviceCoordinates(in, q.op->loops, *x.index);
        if (!device) return std::move(device).error();
        const CoordinateView stick = device.value().back();
        if ((stick.loops() >> loop.value() & 1) == 0) {
            add(matchingDim(output, stick));
            continue;
        }
        for (std::size_t d = 0; d < host.size(); ++d) {
            if (const auto survivor = matchingDim(output, host[d])) add(survivor);
        }
    }
    // Ascending, the sparse layout last.
    std::sort(sticks.begin(), sticks.end(),
              [](const auto& a, const auto& b) { return a.value_or(SIZE_MAX) < b.value_or(SIZE_MAX); });
    OpCandidates out;
    for (const auto& stick : sticks) {
        DimOrder order;
        for (std::size_t d = 0; d < output.size(); ++d) {
            if (stick != d) order.push_back(static_cast<int>(d));
        }
        order.push_back(stick ? static_cast<int>(*stick) : -1);
        Result<StickLayout> layout = build(q, order);
        if (!layout) return std::move(layout).error();
        out.layouts.push_back(std::move(layout).value());
    }
    if (out.layouts.empty()) {
        return unsupported("LAY-006", q.op->name,
                           q.op->fn + ": cannot restickify any input layout to a surviving dimension");
    }
    out.args = std::move(args);
    return out;
}

}  // namespace memplan::spyre

// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/division/iteration_space.h"

#include "engine/base/numeric.h"

#include <algorithm>

namespace memplan::spyre {
namespace {

/// The largest number of elements per stick wins: the fewest sticks (8).
void adjustSticks(IterationSpace& space) {
    space.stickEps.resize(space.loops.size());
    space.adjusted.resize(space.loops.size());
    for (const DividedTensor& t : space.tensors) {
        const std::optional<int> loop = t.device.back().onlyLoop();
        if (!loop) continue;
        std::int64_t& eps = space.stickEps[static_cast<std::size_t>(*loop)];
        eps = std::max<std::int64_t>(eps, elemsPerStick(t.buffer->layout->dtype));
    }
    for (std::size_t v = 0; v < space.loops.size(); ++v) {
        const std::int64_t extent = space.loops[v].extent;
        space.adjusted[v] = space.stickEps[v] > 0 ? ceilDiv(extent, space.stickEps[v]) : extent;
    }
}

std::int64_t floored(std::int64_t a, std::int64_t b) {
    return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

/// The term at the last position of a core. A loop that is cut into more pieces than it has positions leaves a core
/// less than one: its last position lies before the first, and divisions round down there as everywhere (3).
std::int64_t atLast(const CoordinateTerm& t, std::int64_t positions) {
    if (positions > 0) return t.at(positions - 1);
    const std::int64_t moved = (positions - 1) * t.step;
    const std::int64_t wrapped = t.wrap == 0 ? moved : moved - floored(moved, t.wrap) * t.wrap;
    return floored(wrapped, t.stride);
}

}  // namespace

Result<IterationSpace> iterationSpace(std::span<const LoopVar> loops, std::span<const TensorUse> tensors) {
    IterationSpace space;
    space.loops = loops;
    space.tensors.reserve(tensors.size());
    for (const TensorUse& t : tensors) {
        if (!t.buffer->layout) {
            return makeError("LAY-004", t.buffer->name,
                             "missing device_tensor_layout on graph input " + t.buffer->name);
        }
        Result<Coordinates> device = deviceCoordinates(*t.buffer->layout, loops, *t.index);
        if (!device) return std::move(device).error();
        space.tensors.push_back({t.buffer, std::move(device).value()});
    }
    const Coordinates& output = space.output().device;
    for (std::size_t d = 0; d + 1 < output.size(); ++d)
        space.outputLoops |= output[d].loops();
    adjustSticks(space);
    return space;
}

Result<IterationSpace> iterationSpace(const Program& program, const Op& op) {
    if (!op.isComputed()) {
        return unsupported("WDV-005", op.name, "Unexpected node type: " + op.fn + " has no iteration space");
    }
    SmallVector<TensorUse, 6> tensors;
    for (const Access& a : op.reads)
        tensors.push_back({&program.buffers[a.buffer.at()], &a.index});
    tensors.push_back({&program.buffers[op.write.buffer.at()], &op.write.index});
    return iterationSpace(op.loops, std::span<const TensorUse>(tensors.data(), tensors.size()));
}

Bytes perCoreSpan(const DividedTensor& tensor, std::span<const LoopVar> loops, const Splits& splits) {
    const std::vector<std::int64_t>& size = tensor.buffer->layout->deviceSize;
    const Bytes item = hostItemBytes(*tensor.buffer);
    for (std::size_t d = 0; d + 1 < tensor.device.size(); ++d) {
        const CoordinateView c = tensor.device[d];
        if (c.terms.empty()) continue;
        std::int64_t positions = 1;
        for (const CoordinateTerm& t : c.terms) {
            const auto v = static_cast<std::size_t>(t.loop);
            positions += atLast(t, loops[v].extent / splitOf(splits, v));
        }
        if (positions <= 1) continue;
        Bytes span = saturatedMul(positions, item);
        for (std::size_t inner = d + 1; inner < size.size(); ++inner)
            span = saturatedMul(span, size[inner]);
        return span;
    }
    return item;
}

std::int64_t coresOf(const Splits& splits) {
    std::int64_t cores = 1;
    for (std::size_t v = 0; v < splits.size(); ++v)
        cores *= splitOf(splits, v);
    return cores;
}

Bytes maxSpan(const IterationSpace& space, const Splits& splits) {
    Bytes most = 0;
    for (const DividedTensor& t : space.tensors)
        most = std::max(most, perCoreSpan(t, space.loops, splits));
    return most;
}

Bytes maxSpan(const Program& program, const Op& op, const Splits& splits) {
    if (!op.isComputed()) return 0;
    Result<IterationSpace> space = iterationSpace(program, op);
    if (!space) return 0;
    return maxSpan(space.value(), splits);
}

}  // namespace memplan::spyre

// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/layout/candidates.h"

#include "engine/base/numeric.h"
#include "engine/spyre/layout/coordinates.h"
#include "engine/spyre/layout/matmul_layouts.h"
#include "engine/spyre/layout/restickify.h"

#include <algorithm>

namespace memplan::spyre {
namespace {

using Orders = std::vector<DimOrder>;

Result<StickLayout> build(const LayoutQuestion& q, const DimOrder& order) {
    if (!q.asOriginal) return buildFoldedLayout(*q.output, order);
    return buildStickLayout(q.output->size, q.output->stride, q.output->dtype, order);
}

Result<OpCandidates> single(const LayoutQuestion& q, const DimOrder& order, CostNode node) {
    Result<StickLayout> layout = build(q, order);
    if (!layout) return std::move(layout).error();
    OpCandidates out;
    out.layouts.push_back(std::move(layout).value());
    out.node = node;
    return out;
}

/// Other dimensions that move, other dimensions that stand still, then the stick (-1 = none).
DimOrder rebuildOrder(const Coordinates& output, std::optional<std::size_t> stickDim) {
    DimOrder order;
    for (const bool zero : {false, true}) {
        for (std::size_t d = 0; d < output.size(); ++d) {
            if (stickDim != d && output[d].isZero() == zero) order.push_back(static_cast<int>(d));
        }
    }
    order.push_back(stickDim ? static_cast<int>(*stickDim) : -1);
    return order;
}

/// Natural order with one dimension moved to the end.
DimOrder naturalWithStick(std::size_t rank, std::optional<std::size_t> stickDim) {
    DimOrder order;
    for (std::size_t d = 0; d < rank; ++d) {
        if (stickDim != d) order.push_back(static_cast<int>(d));
    }
    order.push_back(stickDim ? static_cast<int>(*stickDim) : -1);
    return order;
}

bool readsAsWritten(const LayoutRead& read, const LayoutQuestion& q, const Coordinates& output) {
    if (read.buffer->size != q.output->size || !(*read.index == q.op->write.index)) return false;
    if (elemsPerStick(read.buffer->dtype) != elemsPerStick(q.output->dtype)) return false;
    return hostCoordinates(*read.buffer, q.op->loops, *read.index) == output;
}

StickLayout copied(const StickLayout& layout, HostType dtype) {
    return {layout.deviceSize, layout.strideMap, dtype, Arrangement::Standard};
}

/// A non-zero stick expression that some input brings.
struct StickWish {
    Coordinates coords;
    int loop = 0;
};

Result<std::vector<StickWish>> stickWishes(const LayoutQuestion& q, const std::vector<int>& args) {
    std::vector<StickWish> wishes;
    for (const int a : args) {
        const LayoutRead& read = q.reads[static_cast<std::size_t>(a)];
        for (const StickLayout& layout : read.layouts) {
            Result<Coordinates> device = deviceCoordinates(layout, q.op->loops, *read.index);
            if (!device) return std::move(device).error();
            const CoordinateView stick = device.value().back();
            if (stick.isZero()) continue;
            const bool known =
                std::any_of(wishes.begin(), wishes.end(), [&](const StickWish& w) { return w.coords.back() == stick; });
            if (!known) wishes.push_back({device.value(), *stick.onlyLoop()});
        }
    }
    // The loop's position is the numeric suffix of its name.
    std::stable_sort(wishes.begin(), wishes.end(),
                     [](const StickWish& a, const StickWish& b) { return a.loop < b.loop; });
    return wishes;
}

Result<OpCandidates> multiArgPointwise(const LayoutQuestion& q, std::vector<int> args) {
    Result<std::vector<StickWish>> wishes = stickWishes(q, args);
    if (!wishes) return std::move(wishes).error();
    const Coordinates output = hostCoordinates(*q.output, q.op->loops, q.op->write.index);
    const bool sameEverywhere = wishes.value().size() <= 1 && std::all_of(args.begin(), args.end(), [&](int a) {
                                    const LayoutRead& read = q.reads[static_cast<std::size_t>(a)];
                                    return read.layouts.size() == 1 && readsAsWritten(read, q, output);
                                });
    OpCandidates out;
    if (sameEverywhere) {
        const LayoutRead& first = q.reads[static_cast<std::size_t>(args.front())];
        out.layouts.push_back(copied(first.layouts.front(), q.output->dtype));
    } else if (wishes.value().empty()) {
        Result<StickLayout> layout = build(q, rebuildOrder(output, std::nullopt));
        if (!layout) return std::move(layout).error();
        out.layouts.push_back(std::move(layout).value());
    } else {
        for (const StickWish& wish : wishes.value()) {
            Result<StickLayout> layout = build(q, rebuildOrder(output, matchingDim(output, wish.coords.back())));
            if (!layout) return std::move(layout).error();
            out.layouts.push_back(std::move(layout).value());
        }
    }
    out.args = std::move(args);
    return out;
}

/// Of each input layout: the stick stays if its dimension survives, otherwise the result is sparse.
Result<OpCandidates> plainReduction(const LayoutQuestion& q, std::vector<int> args) {
    const LayoutRead& x = q.reads[static_cast<std::size_t>(args.front())];
    const Coordinates output = hostCoordinates(*q.output, q.op->loops, q.op->write.index);
    OpCandidates out;
    for (const StickLayout& in : x.layouts) {
        Result<Coordinates> device = deviceCoordinates(in, q.op->loops, *x.index);
        if (!device) return std::move(device).error();
        const auto stickDim = matchingDim(output, device.value().back());
        Result<StickLayout> layout = build(q, naturalWithStick(output.size(), stickDim));
        if (!layout) return std::move(layout).error();
        out.layouts.push_back(std::move(layout).value());
    }
    out.args = std::move(args);
    return out;
}

Result<OpCandidates> singleArgPointwise(const LayoutQuestion& q, std::vector<int> args) {
    const LayoutRead& x = q.reads[static_cast<std::size_t>(args.front())];
    const Coordinates output = hostCoordinates(*q.output, q.op->loops, q.op->write.index);
    const bool identical = readsAsWritten(x, q, output);
    OpCandidates out;
    for (const StickLayout& in : x.layouts) {
        if (identical) {
            out.layouts.push_back(copied(in, q.output->dtype));
            continue;
        }
        Result<Coordinates> device = deviceCoordinates(in, q.op->loops, *x.index);
        if (!device) return std::move(device).error();
        Result<StickLayout> layout = build(q, rebuildOrder(output, matchingDim(output, device.value().back())));
        if (!layout) return std::move(layout).error();
        out.layouts.push_back(std::move(layout).value());
    }
    out.args = std::move(args);
    return out;
}

/// The original's rule: an input whose last dimension ends inside a stick gives one input stick, however long the
/// dimension is and wherever the input's last dimension stands in the result. False where it leaves the shape alone.
bool cutToOneStick(const Buffer& input, Buffer& result) {
    const std::int64_t eps = elemsPerStick(input.dtype);
    if (input.size.empty() || result.size.empty() || input.size.back() % eps == 0) return false;
    result.size.back() = eps;
    result.stride.back() = 1;
    return true;
}

/// Ours: the loop along the result's last dimension fills whole input sticks, whether the input is read as written,
/// transposed or broadcast. An extent of 1 has no loop; there the input's last dimension decides. False where the
/// sticks are filled anyway.
bool fillInputSticks(const Buffer& input, Buffer& result) {
    if (input.size.empty() || result.size.empty()) return false;
    const std::int64_t eps = elemsPerStick(input.dtype);
    const std::int64_t extent = result.size.back() > 1 ? result.size.back() : input.size.back();
    if (extent % eps == 0) return false;
    result.size.back() = alignUp(result.size.back(), eps);
    result.stride.back() = 1;
    return true;
}

/// Sticks that only fill an input stick hold no element: a stride for them would count elements of the next row
/// (stride_map, spyre-layouts-and-work-division 2.2). The tile index stands before the first dimension and the stick.
void dropStrideOfPadding(const Buffer& result, StickLayout& layout) {
    const std::size_t rank = layout.deviceSize.size();
    const bool isPadding = result.size.back() <= elemsPerStick(result.dtype);
    if (isPadding && rank >= 2) layout.strideMap[rank == 2 ? 0 : rank - 3] = -1;
}

/// Natural order, of whole input sticks.
Result<OpCandidates> castCandidates(const LayoutQuestion& q, std::vector<int> args) {
    const LayoutRead& x = q.reads[static_cast<std::size_t>(args.front())];
    Buffer shape = *q.output;
    const bool unaligned = q.asOriginal ? cutToOneStick(*x.buffer, shape) : fillInputSticks(*x.buffer, shape);
    const DimOrder order = naturalOrder(shape.size.size());
    Result<StickLayout> built =
        q.asOriginal ? buildStickLayout(shape.size, shape.stride, shape.dtype, order) : buildFoldedLayout(shape, order);
    if (!built) return std::move(built).error();
    StickLayout layout = std::move(built).value();
    if (unaligned && !q.asOriginal) dropStrideOfPadding(*q.output, layout);
    if (unaligned && x.buffer->dtype == HostType::Float16 && shape.dtype == HostType::Float32) {
        layout.arrangement = Arrangement::Dl16ToFp32;
    }
    OpCandidates out;
    out.layouts.assign(x.layouts.size(), layout);
    out.args = std::move(args);
    return out;
}

/// Any stick holds a uniform value: one layout for each dimension of at least one stick.
Result<OpCandidates> fillCandidates(const LayoutQuestion& q) {
    OpCandidates out;
    out.node = CostNode::AcceptsAnything;
    const std::size_t rank = q.output->size.size();
    for (std::size_t d = 0; d < rank; ++d) {
        if (q.output->size[d] < elemsPerStick(q.output->dtype)) continue;
        Result<StickLayout> layout = build(q, naturalWithStick(rank, d));
        if (!layout) return std::move(layout).error();
        out.layouts.push_back(std::move(layout).value());
    }
    if (out.layouts.empty()) return single(q, naturalOrder(rank), CostNode::AcceptsAnything);
    return out;
}

Result<OpCandidates> withoutArgs(const LayoutQuestion& q) {
    const bool isFill = q.op->kind == OpClass::Constant ? !q.output->size.empty() : !q.reads.empty();
    if (isFill) return fillCandidates(q);
    return single(q, naturalOrder(q.output->size.size()), CostNode::AcceptsAnything);
}

}  // namespace

Result<OpCandidates> layoutCandidates(const LayoutQuestion& q) {
    const Op& op = *q.op;
    if (op.kind == OpClass::Extern) return fallbackCandidates(*q.output);
    std::vector<int> args;
    for (std::size_t i = 0; i < q.reads.size(); ++i) {
        if (!q.reads[i].isScalarConstant) args.push_back(static_cast<int>(i));
    }
    if (op.kind == OpClass::Constant || args.empty()) return withoutArgs(q);
    if (op.isMatmul()) return matmulCandidates(q);
    if (op.kind == OpClass::Reduction) {
        if (op.fn == "exx2") return exx2Candidates(q, std::move(args));
        if (op.fn == "topkvalue" || op.fn == "topkindex") return topkCandidates(q, std::move(args));
        return plainReduction(q, std::move(args));
    }
    if (op.fn == "layernormnorm") return layerNormCandidates(q, std::move(args));
    if (args.size() > 1) return multiArgPointwise(q, std::move(args));
    if (op.fn == "clone") return single(q, naturalOrder(q.output->size.size()), CostNode::AcceptsAnything);
    if (op.fn == "cast") return castCandidates(q, std::move(args));
    return singleArgPointwise(q, std::move(args));
}

OpCandidates fallbackCandidates(const Buffer& output) {
    OpCandidates out;
    out.layouts.push_back(fallbackLayout(output));
    out.node = CostNode::AcceptsAnything;
    return out;
}

}  // namespace memplan::spyre

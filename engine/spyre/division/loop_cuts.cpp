// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/division/loop_cuts.h"

#include "engine/base/numeric.h"

namespace memplan::spyre {
namespace {

/// Elements of one slice; whole sticks along a stick loop.
std::optional<std::int64_t> sliceElements(std::int64_t extent, const SplitLoop& loop) {
    const std::int64_t unit = loop.stickEps > 0 ? loop.stickEps : 1;
    const std::int64_t units = ceilDiv(extent, unit);
    if (loop.slices < 1 || units % loop.slices != 0) return std::nullopt;
    return units / loop.slices * unit;
}

const CoordinateTerm* termOf(CoordinateView coordinate, std::size_t loop) {
    for (const CoordinateTerm& t : coordinate.terms) {
        if (t.loop == static_cast<int>(loop)) return &t;
    }
    return nullptr;
}

/// All other loops of the coordinate together stay within one step of this one.
bool othersStayInside(CoordinateView coordinate, const CoordinateTerm& own, std::span<const LoopVar> loops) {
    std::int64_t reach = 0;
    for (const CoordinateTerm& t : coordinate.terms) {
        if (t.loop != own.loop) reach += t.step * (loops[static_cast<std::size_t>(t.loop)].extent - 1);
    }
    return reach < own.step;
}

/// Host elements until the coordinate begins again, or until the loop ends.
std::int64_t periodOf(const CoordinateTerm& t, std::int64_t extent) {
    return t.wrap > 0 ? t.wrap : ceilDiv(t.step * extent, t.stride) * t.stride;
}

/// The cut of a dimension whose coordinate runs through `positions` of `stride` elements, by slices of `elements`.
/// nullopt when the parts are not equal; a cut into one part when every slice sees the whole dimension.
std::optional<LoopCut> cutOf(std::int64_t elements, std::int64_t stride, std::int64_t positions) {
    const std::int64_t period = positions * stride;
    if (elements % period == 0) return LoopCut{};
    if (elements >= stride) {
        if (elements % stride != 0 || period % elements != 0) return std::nullopt;
        return LoopCut{0, period / elements, 1, 0, 0};
    }
    if (stride % elements != 0) return std::nullopt;
    return LoopCut{0, positions, stride / elements, 0, 0};
}

}  // namespace

std::optional<LoopCuts> loopCuts(const StickLayout& layout, const Coordinates& device, std::span<const LoopVar> loops,
                                 const Index& index, SplitLoop loop) {
    const std::int64_t extent = loops[loop.loop].extent;
    const auto slice = sliceElements(extent, loop);
    if (!slice || index.offset < 0) return std::nullopt;
    LoopCuts cuts;
    for (std::size_t d = 0; d < device.size(); ++d) {
        const CoordinateTerm* t = termOf(device[d], loop.loop);
        if (t == nullptr) continue;
        const std::int64_t positions = periodOf(*t, extent) / t->stride;
        const auto cut = cutOf(*slice * t->step, t->stride, positions);
        if (!cut) return std::nullopt;
        if (cut->split == 1) continue;
        const bool isStick = d + 1 == device.size();
        if (isStick || !othersStayInside(device[d], *t, loops)) return std::nullopt;
        const bool isWhole = device[d].constant == 0 && positions == layout.deviceSize[d];
        cuts.push_back({static_cast<int>(d), cut->split, cut->every, device[d].constant, isWhole ? 0 : positions});
    }
    if (cuts.empty()) return std::nullopt;
    return cuts;
}

}  // namespace memplan::spyre

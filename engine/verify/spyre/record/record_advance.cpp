// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/record/record_advance.h"

#include "engine/base/numeric.h"
#include "engine/plan/spyre_data.h"
#include "engine/verify/spyre/reading/device_form.h"

#include <algorithm>

namespace memplan::verify {

namespace {

/// Positions that one iteration of a level goes over in a loop that it cuts. Several loops may tile one dimension: the
/// inner ones' tiles are steps of the outer one.
std::int64_t tileOf(const PlanOp& op, const std::vector<std::vector<int>>& levels, std::size_t level, int loop) {
    std::int64_t tile = op.iterationSpace[static_cast<std::size_t>(loop)].extent;
    for (std::size_t inner = level + 1; inner < levels.size(); ++inner) {
        if (std::find(levels[inner].begin(), levels[inner].end(), loop) != levels[inner].end())
            tile = saturatedMul(tile, op.loopCounts[inner]);
    }
    return tile;
}

}  // namespace

std::int64_t itemBytes(const PlanBuffer& buffer) {
    const std::int64_t eps = buffer.layout ? elementsOfStick(buffer.layout->deviceDtype) : 0;
    return eps > 0 ? 128 / eps : 0;
}

std::optional<std::vector<std::int64_t>> advanceOf(const PlanReading& reading, OpId id, const PlanAccess& access) {
    const Plan& plan = reading.plan;
    const PlanOp& op = plan.op(id);
    const PlanBuffer& b = plan.buffer(access.buffer);
    if (op.loopPath.empty() || reading.loops.holdsOneTile(access.buffer)) return std::vector<std::int64_t>();
    if (id.at() >= spyreData(plan).ops.size() || !b.layout) return std::nullopt;
    const auto& levels = spyreData(plan).ops[id.at()].tiledLoops;
    const BufferLayout& layout = *b.layout;
    if (levels.size() != op.loopPath.size() || layout.strideMap.size() != layout.deviceSize.size()) return std::nullopt;
    const bool byHost = plan.settings.text("spyre.stride_model") == "host_stride_map";
    const DigitReader digits(layout.deviceSize, layout.strideMap);
    std::vector<std::int64_t> advance(levels.size(), 0);
    std::vector<std::int64_t> at;
    for (std::size_t level = 0; level < levels.size(); ++level) {
        for (const int v : levels[level]) {
            const auto loop = static_cast<std::size_t>(v);
            if (v < 0 || loop >= access.coefficients.size()) return std::nullopt;
            const std::int64_t tile = tileOf(op, levels, level, v);
            digits.read(saturatedMul(access.coefficients[loop], tile), at);
            std::int64_t unit = 1;
            for (std::size_t d = at.size(); d-- > 0;) {
                const std::int64_t step = byHost ? std::max<std::int64_t>(layout.strideMap[d], 0) : unit;
                advance[level] = saturatedAdd(advance[level], saturatedMul(saturatedMul(at[d], step), itemBytes(b)));
                unit = saturatedMul(unit, layout.deviceSize[d]);
            }
        }
    }
    const bool stands = std::all_of(advance.begin(), advance.end(), [](std::int64_t bytes) { return bytes == 0; });
    return stands ? std::vector<std::int64_t>() : advance;
}

std::optional<std::vector<std::int64_t>> elementAdvanceOf(const PlanReading& reading, OpId id,
                                                          const std::vector<std::int64_t>& coefficients) {
    const PlanOp& op = reading.plan.op(id);
    if (id.at() >= spyreData(reading.plan).ops.size()) return std::nullopt;
    const auto& levels = spyreData(reading.plan).ops[id.at()].tiledLoops;
    if (levels.size() != op.loopPath.size() || levels.size() != op.loopCounts.size()) return std::nullopt;
    std::vector<std::int64_t> advance(levels.size(), 0);
    for (std::size_t level = 0; level < levels.size(); ++level) {
        for (const int v : levels[level]) {
            const auto loop = static_cast<std::size_t>(v);
            if (v < 0 || loop >= coefficients.size() || loop >= op.iterationSpace.size()) return std::nullopt;
            const std::int64_t step = saturatedMul(coefficients[loop], tileOf(op, levels, level, v));
            advance[level] = saturatedAdd(advance[level], step);
        }
    }
    return advance;
}

}  // namespace memplan::verify

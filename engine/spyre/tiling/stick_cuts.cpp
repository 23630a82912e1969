// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/tiling/stick_cuts.h"

#include "engine/base/text.h"
#include "engine/spyre/layout/coordinates.h"
#include "engine/spyre/tiling/form_groups.h"
#include "engine/spyre/tiling/group_forms.h"

namespace memplan::spyre {
namespace {

using Kind = UnevenCut::Kind;

class CutCheck {
public:
    CutCheck(const Program& program, const TileGroup& group) : program_(program), group_(group) {}

    std::optional<UnevenCut> run() {
        for (std::size_t i = 0; i < group_.ops.size(); ++i) {
            const Op& op = program_.ops[group_.ops[i].at()];
            if (!isTileable(op)) continue;
            const std::optional<OutputRanges> ranges = outputRanges(program_, op);
            if (!ranges) continue;
            if (auto found = checkOp(i, op, *ranges)) return found;
        }
        return std::nullopt;
    }

private:
    const Program& program_;
    const TileGroup& group_;

    /// Trips per loop of the op; 0 for a loop that two levels cut.
    std::vector<std::int64_t> tripsOf(std::size_t member, const Op& op, const OutputRanges& ranges) const {
        std::vector<std::int64_t> trips(op.loops.size(), 1);
        for (std::size_t level = 0; level < group_.counts.size(); ++level) {
            if (group_.counts[level] <= 1) continue;
            for (const int d : group_.dims[member][level]) {
                if (d < 0 || static_cast<std::size_t>(d) >= ranges.loopOf.size()) continue;
                const int loop = ranges.loopOf[static_cast<std::size_t>(d)];
                if (loop < 0) continue;
                std::int64_t& t = trips[static_cast<std::size_t>(loop)];
                t = t == 1 ? group_.counts[level] : 0;
            }
        }
        return trips;
    }

    std::optional<UnevenCut> checkOp(std::size_t member, const Op& op, const OutputRanges& ranges) const {
        const OpId id = group_.ops[member];
        const std::vector<std::int64_t> trips = tripsOf(member, op, ranges);
        for (std::size_t v = 0; v < trips.size(); ++v) {
            if (trips[v] == 0) return UnevenCut{Kind::TwoLevels, id, op.write.buffer, op.loops[v].extent, 0};
        }
        for (const Access& read : op.reads) {
            if (auto found = checkAccess(id, read, program_.buffers[read.buffer.at()].layout, trips)) return found;
        }
        return checkAccess(id, op.write, fullLayout(op, ranges, trips), trips);
    }

    /// The layout that room for all tiles gets: that of the tile's stick dimension (3.3, 4.3).
    std::optional<StickLayout> fullLayout(const Op& op, const OutputRanges& ranges,
                                          const std::vector<std::int64_t>& trips) const {
        const Buffer& result = program_.buffers[op.write.buffer.at()];
        if (!result.layout) return std::nullopt;
        std::vector<std::int64_t> tile = ranges.extents;
        for (std::size_t d = 0; d < tile.size(); ++d) {
            if (ranges.loopOf[d] >= 0) tile[d] /= trips[static_cast<std::size_t>(ranges.loopOf[d])];
        }
        const Result<StickLayout> ofTile = layoutOfSize(*result.layout, tile);
        if (!ofTile) return result.layout;
        Result<StickLayout> full = layoutOfSize(ofTile.value(), ranges.extents);
        return full ? std::move(full).value() : *result.layout;
    }

    std::optional<UnevenCut> checkAccess(OpId id, const Access& access, const std::optional<StickLayout>& layout,
                                         const std::vector<std::int64_t>& trips) const {
        if (!layout || access.indirect) return std::nullopt;
        const Op& op = program_.ops[id.at()];
        const int eps = elemsPerStick(layout->dtype);
        const Coordinates device = coordinates(layout->deviceSize, layout->strideMap, op.loops, access.index);
        for (std::size_t d = 0; d < device.size(); ++d) {
            const bool isStick = d + 1 == device.size();
            for (const CoordinateTerm& term : device[d].terms) {
                const auto v = static_cast<std::size_t>(term.loop);
                if (trips[v] <= 1) continue;
                const std::int64_t tile = op.loops[v].extent / trips[v];
                if (isStick && tile * term.step % (eps * term.stride) != 0)
                    return UnevenCut{Kind::PartSticks, id, access.buffer, tile, eps};
                if (!isStick && !isEven(term, tile, op.loops[v].extent))
                    return UnevenCut{Kind::CarriesOver, id, access.buffer, tile, eps};
            }
        }
        return std::nullopt;
    }

    /// The term grows by the same amount from every iteration to the next.
    static bool isEven(const CoordinateTerm& term, std::int64_t tile, std::int64_t extent) {
        const std::int64_t moved = tile * term.step;
        if (moved % term.stride != 0) return false;
        return term.wrap == 0 || extent * term.step <= term.wrap || moved % term.wrap == 0;
    }
};

}  // namespace

std::string UnevenCut::why(const Program& program) const {
    const std::string name = "\"" + program.ops[op.at()].name + "\"";
    const std::string operand = "\"" + program.buffers[buffer.at()].name + "\"";
    switch (kind) {
    case Kind::PartSticks:
        return "a tile of " + operand + ", an operand of " + name + ", has " + text::grouped(tile) +
               " elements along its stick dimension, a stick holds " + text::grouped(elemsPerStick) +
               ": iterations would share sticks";
    case Kind::CarriesOver:
        return "the tiles of " + operand + ", which " + name + " reads reshaped, of " + text::grouped(tile) +
               " elements each do not follow each other at one distance in device memory";
    case Kind::TwoLevels:
        return "two levels of the nest cut the same dimension of " + name + ", of " + text::grouped(tile) +
               " elements: one step in device memory cannot be that of both";
    }
    return {};
}

std::string UnevenCut::fix() const {
    switch (kind) {
    case Kind::PartSticks:
        return "choose a count that leaves a multiple of " + text::grouped(elemsPerStick) +
               ", or cut another dimension";
    case Kind::CarriesOver:
        return "cut another dimension, or leave the operation out";
    case Kind::TwoLevels:
        return "cut it at one level, with the product of the counts";
    }
    return {};
}

bool mayShareSticks(const Settings& settings) {
    return settings.text("spyre.stride_model") == "host_stride_map";
}

std::optional<UnevenCut> unevenCut(const Program& program, const TileGroup& group) {
    return CutCheck(program, group).run();
}

}  // namespace memplan::spyre

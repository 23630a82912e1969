// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/tiling/form_groups.h"

#include "engine/base/text.h"
#include "engine/spyre/layout/coordinates.h"
#include "engine/spyre/layout/stick_layout.h"
#include "engine/spyre/tiling/group_forms.h"
#include "engine/spyre/tiling/groups.h"
#include "engine/spyre/tiling/loop_access.h"

#include <algorithm>
#include <map>

namespace memplan::spyre {
namespace {

bool isRowMajor(const Buffer& b) {
    std::int64_t expected = 1;
    for (std::size_t d = b.size.size(); d-- > 0;) {
        if (b.size[d] != 1 && b.stride[d] != expected) return false;
        expected *= b.size[d];
    }
    return true;
}

int writersOf(const Program& program, BufferId buffer) {
    int writers = 0;
    for (const Op& op : program.ops) {
        writers += op.write.buffer == buffer ? 1 : 0;
        writers += static_cast<int>(std::count(op.extraWrites.begin(), op.extraWrites.end(), buffer));
    }
    return writers;
}

/// Position of the dimension that the op has for a hint id; none where it does not move with it.
std::vector<int> dimsFor(const std::vector<DimHint>& hints, int hintId) {
    std::vector<int> dims;
    for (const DimHint& h : hints) {
        if (h.hintId == hintId && h.dimIndex && !h.isReduction) dims.push_back(*h.dimIndex);
    }
    return dims;
}

/// Looks at the accesses between ops of one group.
class Feasibility {
public:
    Feasibility(const Program& program, const TileGroup& group) : program_(program), group_(group) {
        for (std::size_t i = 0; i < group.ops.size(); ++i) {
            if (isTileable(op(i))) memberOf_[op(i).write.buffer] = i;
        }
    }

    std::optional<GroupRefusal> run() {
        for (std::size_t i = 0; i < group_.ops.size(); ++i) {
            if (op(i).isMatmul()) return std::nullopt;  // refused later, with its own code
            if (!isTileable(op(i))) {
                ranges_.emplace_back();
                continue;
            }
            if (const auto why = shapeProblem(i)) return notTogether(*why);
        }
        for (std::size_t i = 0; i < group_.ops.size(); ++i) {
            if (!isTileable(op(i))) continue;
            for (const Access& read : op(i).reads) {
                const auto producer = memberOf_.find(read.buffer);
                if (producer == memberOf_.end()) continue;
                if (auto why = readProblem(i, read, producer->second)) return why;
            }
        }
        return std::nullopt;
    }

private:
    const Program& program_;
    const TileGroup& group_;
    std::map<BufferId, std::size_t> memberOf_;
    std::vector<OutputRanges> ranges_;

    [[nodiscard]] const Op& op(std::size_t i) const { return program_.ops[group_.ops[i].at()]; }

    [[nodiscard]] GroupRefusal notTogether(const std::string& why) const {
        std::vector<std::string> names;
        for (std::size_t i = 0; i < group_.ops.size(); ++i)
            names.push_back(op(i).name);
        return {"the operations " + text::join(names, ", ") + " cannot share a loop: " + why, ""};
    }

    std::optional<std::string> shapeProblem(std::size_t i) {
        const Op& o = op(i);
        const Buffer& out = program_.buffers[o.write.buffer.at()];
        auto ranges = outputRanges(program_, o);
        if (!ranges || !o.extraWrites.empty() || o.write.indirect) {
            return "\"" + o.name + "\" does not write its result whole, one loop for each dimension";
        }
        if (auto why = deviceProblem(o)) return why;
        if (!isRowMajor(out) || !out.layout) return "the result of \"" + o.name + "\" is not stored row by row";
        if (writersOf(program_, o.write.buffer) != 1)
            return "more than one operation writes the result of \"" + o.name + "\"";
        ranges_.push_back(std::move(*ranges));
        return std::nullopt;
    }

    /// Such an operation becomes a fallback kernel when the work is divided, and no loop can hold that.
    [[nodiscard]] std::optional<std::string> deviceProblem(const Op& o) const {
        for (const Access& read : o.reads) {
            const Buffer& b = program_.buffers[read.buffer.at()];
            if (read.indirect || !b.layout || deviceCoordinates(*b.layout, o.loops, read.index).ok()) continue;
            return "\"" + o.name + "\" reads \"" + b.name + "\" in a way that its device layout does not allow";
        }
        return std::nullopt;
    }

    /// Loops of member i that a level tiles.
    [[nodiscard]] std::vector<int> tiledLoops(std::size_t i, std::size_t level) const {
        std::vector<int> loops;
        for (const int d : group_.dims[i][level]) {
            const bool known = d >= 0 && static_cast<std::size_t>(d) < ranges_[i].loopOf.size();
            if (known && ranges_[i].loopOf[static_cast<std::size_t>(d)] >= 0)
                loops.push_back(ranges_[i].loopOf[static_cast<std::size_t>(d)]);
        }
        return loops;
    }

    /// A tile has to be read by the iteration that made it, whole: dimension and loop tiled at the same levels.
    std::optional<GroupRefusal> readProblem(std::size_t i, const Access& read, std::size_t producer) const {
        const Op& o = op(i);
        const Buffer& tile = program_.buffers[read.buffer.at()];
        const std::string what = "\"" + o.name + "\" reads \"" + tile.name + "\" ";
        const Coordinates host = hostCoordinates(tile, o.loops, read.index);
        for (std::size_t d = 0; d < host.size(); ++d) {
            for (const CoordinateTerm& t : host[d].terms) {
                if (t.wrap != 0 || t.step % t.stride != 0)
                    return notTogether(what + "through a reshape that a tile does not have");
            }
        }
        for (std::size_t level = 0; level < group_.counts.size(); ++level) {
            if (group_.counts[level] == 1) continue;
            const std::vector<int>& dims = group_.dims[producer][level];
            std::vector<int> moving = tiledLoops(i, level);
            std::erase_if(moving, [&](int v) { return read.index.coefficients[static_cast<std::size_t>(v)] == 0; });
            for (const int d : dims) {
                if (d < 0 || static_cast<std::size_t>(d) >= host.size() || tile.size[static_cast<std::size_t>(d)] == 1)
                    continue;
                const std::optional<int> loop = host[static_cast<std::size_t>(d)].bareLoop();
                if (loop && o.loops[static_cast<std::size_t>(*loop)].isReduction) return reducedOver(o, tile, d);
                const auto own = std::find(moving.begin(), moving.end(), loop.value_or(-1));
                if (own == moving.end()) {
                    return notTogether(what + "beyond the tile of one iteration: dimension " + std::to_string(d) +
                                       " is cut in " + std::to_string(group_.counts[level]) +
                                       ", the loop that reads it is not");
                }
                if (o.loops[static_cast<std::size_t>(*loop)].extent != tile.size[static_cast<std::size_t>(d)]) {
                    return notTogether(what + "in part along dimension " + std::to_string(d) +
                                       ", so its iterations are not those that make the tiles");
                }
                moving.erase(own);
            }
            if (!moving.empty()) {
                return notTogether(what + "a part at a time, but every iteration of " +
                                   std::to_string(group_.counts[level]) + " makes it whole");
            }
        }
        return std::nullopt;
    }

    static GroupRefusal reducedOver(const Op& o, const Buffer& tile, int dim) {
        return {"\"" + o.name + "\" reduces over dimension " + std::to_string(dim) + " of \"" + tile.name +
                    "\", which the loop tiles; accumulation over a tiled reduction " + "is not supported",
                "leave \"" + o.name + "\" out of the scope, or tile a dimension that its result keeps"};
    }
};

}  // namespace

bool isTileable(const Op& op) {
    return op.kind == OpClass::Pointwise || op.kind == OpClass::Reduction;
}

std::optional<OutputRanges> outputRanges(const Program& program, const Op& op) {
    if (!op.write.buffer.isValid() || op.write.index.offset != 0) return std::nullopt;
    const Buffer& out = program.buffers[op.write.buffer.at()];
    const Coordinates host = hostCoordinates(out, op.loops, op.write.index);
    OutputRanges ranges;
    for (std::size_t d = 0; d < out.size.size(); ++d) {
        const std::optional<int> loop = host[d].bareLoop();
        const bool whole = loop ? op.loops[static_cast<std::size_t>(*loop)].extent == out.size[d] : out.size[d] == 1;
        if (!whole) return std::nullopt;
        ranges.extents.push_back(out.size[d]);
        ranges.loopOf.push_back(loop.value_or(-1));
    }
    return ranges;
}

std::vector<int> outputLoops(const Program& program, const Op& op) {
    if (!op.write.buffer.isValid()) return {};
    const Buffer& out = program.buffers[op.write.buffer.at()];
    // Slices of a full buffer move over all of it, a tile over one iteration.
    const std::vector<LoopVar> extents = op.tileOfWrite.isValid() ? fullLoops(op) : op.loops;
    const Coordinates host = hostCoordinates(out, extents, op.write.index);
    std::vector<int> loops;
    for (std::size_t d = 0; d < out.size.size(); ++d)
        loops.push_back(host[d].bareLoop().value_or(-1));
    return loops;
}

std::vector<TileGroup> groupsFromHints(const Program& program, std::vector<std::vector<int>>& ignored) {
    HintedOps hinted;
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        const bool known = i < program.dimHints.size() && program.ops[i].isComputed();
        hinted.push_back(known ? &program.dimHints[i] : nullptr);
    }
    HintGroups found = hintsToCoarseTileGroups(hinted, false);
    ignored = std::move(found.ignored);
    std::vector<TileGroup> groups;
    for (const HintGroup& g : found.groups) {
        TileGroup group;
        for (const TileLevel& level : g.levels) {
            group.counts.push_back(level.count);
            group.hintIds.push_back(level.hintId);
        }
        for (const int at : g.ops) {
            if (!isTileable(program.ops[static_cast<std::size_t>(at)])) continue;
            group.ops.push_back(OpId::of(static_cast<std::size_t>(at)));
            std::vector<std::vector<int>> dims;
            for (const int id : group.hintIds)
                dims.push_back(dimsFor(program.dimHints[static_cast<std::size_t>(at)], id));
            group.dims.push_back(std::move(dims));
        }
        groups.push_back(std::move(group));
    }
    return groups;
}

std::optional<GroupRefusal> whyNotLoop(const Program& program, const TileGroup& group) {
    return Feasibility(program, group).run();
}

}  // namespace memplan::spyre

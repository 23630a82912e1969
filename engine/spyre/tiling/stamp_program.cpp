// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/layout/coordinates.h"
#include "engine/spyre/lower/strided_view.h"
#include "engine/spyre/tiling/form_groups.h"
#include "engine/spyre/tiling/group_forms.h"
#include "engine/spyre/tiling/tile_program.h"

#include <algorithm>
#include <map>

namespace memplan::spyre {
namespace {

/// One group: all old shapes are read before the first one changes.
class GroupStamp {
public:
    GroupStamp(Program& program, int number) : program_(program), number_(number) {}

    Result<void> run(std::vector<BrokenStick>& broken) {
        const TileGroup& group = program_.tileGroups[static_cast<std::size_t>(number_)];
        if (Result<void> ok = checkPositions(group); !ok) return ok;
        for (std::size_t i = 0; i < group.ops.size(); ++i) {
            if (!isTileable(program_.ops[group.ops[i].at()])) continue;
            if (Result<void> ok = plan(group, i); !ok) return ok;
        }
        planIndices();
        for (Member& m : members_)
            apply(group, m, broken);
        return {};
    }

private:
    struct Member {
        OpId id;
        OutputRanges old;
        std::vector<std::int64_t> tile;  ///< ranges of one iteration
        StickLayout layout;
        LoopStamp stamp;
        Index write;
        std::vector<std::pair<std::size_t, Index>> reads;  ///< position in Op::reads, index on the tile
    };

    Program& program_;
    int number_;
    std::vector<Member> members_;

    [[nodiscard]] Result<void> checkPositions(const TileGroup& group) const {
        std::vector<std::string> names;
        std::vector<int> positions;
        for (const OpId id : group.ops) {
            names.push_back(id.isValid() ? program_.ops[id.at()].name : std::string());
            positions.push_back(id.index);
        }
        if (const auto fault = checkGroup(number_, names, positions)) return fault->error();
        return {};
    }

    Result<void> plan(const TileGroup& group, std::size_t i) {
        const Op& op = program_.ops[group.ops[i].at()];
        const Buffer& result = program_.buffers[op.write.buffer.at()];
        Member m;
        m.id = group.ops[i];
        m.old = outputRanges(program_, op).value_or(OutputRanges{});
        m.tile = m.old.extents;
        m.stamp.groupId = groupId(number_, group.counts.size());
        m.stamp.counts = group.counts;
        m.stamp.tiledDims = group.dims[i];
        m.stamp.tiledReductionDims.resize(group.counts.size());
        for (std::size_t level = 0; level < group.counts.size(); ++level) {
            const LevelSpec spec{group.counts[level], group.dims[i][level]};
            if (const auto fault = divideRanges(op.name, spec, m.tile)) return fault->error();
            m.stamp.tiledLoops.push_back(loopsOf(m.old, spec.dims));
        }
        Result<StickLayout> layout = layoutOfSize(*result.layout, m.tile);
        if (!layout) return std::move(layout).error();
        m.layout = std::move(layout).value();
        m.write.coefficients.assign(op.loops.size(), 0);
        const std::vector<std::int64_t> stride = rowMajorStrides(m.tile);
        for (std::size_t d = 0; d < m.old.loopOf.size(); ++d) {
            if (m.old.loopOf[d] >= 0) m.write.coefficients[static_cast<std::size_t>(m.old.loopOf[d])] = stride[d];
        }
        members_.push_back(std::move(m));
        return {};
    }

    static std::vector<int> loopsOf(const OutputRanges& ranges, const std::vector<int>& dims) {
        std::vector<int> loops;
        for (const int d : dims) {
            if (d < 0 || static_cast<std::size_t>(d) >= ranges.loopOf.size()) continue;
            const int loop = ranges.loopOf[static_cast<std::size_t>(d)];
            if (loop >= 0) loops.push_back(loop);
        }
        return loops;
    }

    /// Reads of results of the group see the tile's strides.
    void planIndices() {
        std::map<BufferId, const Member*> made;
        for (const Member& m : members_)
            made[program_.ops[m.id.at()].write.buffer] = &m;
        for (Member& m : members_) {
            const Op& op = program_.ops[m.id.at()];
            for (std::size_t r = 0; r < op.reads.size(); ++r) {
                const auto producer = made.find(op.reads[r].buffer);
                if (producer == made.end()) continue;
                const Buffer& whole = program_.buffers[op.reads[r].buffer.at()];
                auto index = rebased(op.reads[r].index, op.loops, whole, rowMajorStrides(producer->second->tile));
                if (index) m.reads.emplace_back(r, std::move(*index));
            }
        }
    }

    void apply(const TileGroup& group, Member& m, std::vector<BrokenStick>& broken) {
        Op& op = program_.ops[m.id.at()];
        Buffer& result = program_.buffers[op.write.buffer.at()];
        noteStick(m, result, broken);
        for (std::size_t level = 0; level < group.counts.size(); ++level) {
            for (const int v : m.stamp.tiledLoops[level])
                op.loops[static_cast<std::size_t>(v)].extent /= group.counts[level];
        }
        op.loop = std::move(m.stamp);
        op.write.index = std::move(m.write);
        for (auto& [r, index] : m.reads)
            op.reads[r].index = std::move(index);
        result.size = m.tile;
        result.stride = rowMajorStrides(m.tile);
        result.layout = std::move(m.layout);
    }

    static void noteStick(const Member& m, const Buffer& result, std::vector<BrokenStick>& broken) {
        const int stick = stickDimension(*result.layout, result.stride);
        if (stick < 0 || result.layout->strideMap.back() < 0) return;
        const auto d = static_cast<std::size_t>(stick);
        const int eps = elemsPerStick(result.dtype);
        if (m.tile[d] == m.old.extents[d] || m.tile[d] % eps == 0) return;
        broken.push_back({m.id, stick, m.tile[d], eps});
    }
};

}  // namespace

std::optional<Index> rebased(const Index& index, const std::vector<LoopVar>& loops, const Buffer& from,
                             const std::vector<std::int64_t>& toStride) {
    const Coordinates host = hostCoordinates(from, loops, index);
    Index out;
    out.coefficients.assign(loops.size(), 0);
    for (std::size_t d = 0; d < host.size(); ++d) {
        out.offset += host[d].constant * toStride[d];
        for (const CoordinateTerm& t : host[d].terms) {
            if (t.wrap != 0 || t.step % t.stride != 0) return std::nullopt;
            out.coefficients[static_cast<std::size_t>(t.loop)] += toStride[d] * (t.step / t.stride);
        }
    }
    return out;
}

Result<std::vector<BrokenStick>> stampGroups(Program& program) {
    std::vector<BrokenStick> broken;
    for (std::size_t g = 0; g < program.tileGroups.size(); ++g) {
        if (program.tileGroups[g].ops.empty()) continue;
        if (Result<void> ok = GroupStamp(program, static_cast<int>(g)).run(broken); !ok) return ok.error();
    }
    return broken;
}

}  // namespace memplan::spyre

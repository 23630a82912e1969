// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/tiling/loop_access.h"

#include "engine/base/numeric.h"

namespace memplan::spyre {

std::vector<LoopVar> fullLoops(const Op& op) {
    std::vector<LoopVar> loops = op.loops;
    for (std::size_t level = 0; level < op.loop.tiledLoops.size(); ++level) {
        for (const int v : op.loop.tiledLoops[level])
            loops[static_cast<std::size_t>(v)].extent *= op.loop.counts[level];
    }
    return loops;
}

bool advancesAt(const Op& op, const Access& access, const Buffer& buffer, std::size_t level) {
    if (level >= op.loop.tiledLoops.size() || buffer.holdsOneTile()) return false;
    for (const int v : op.loop.tiledLoops[level]) {
        const auto at = static_cast<std::size_t>(v);
        if (at < access.index.coefficients.size() && access.index.coefficients[at] != 0) return true;
    }
    return false;
}

bool advances(const Op& op, const Access& access, const Buffer& buffer) {
    for (std::size_t level = 0; level < op.loop.counts.size(); ++level) {
        if (op.loop.counts[level] > 1 && advancesAt(op, access, buffer, level)) return true;
    }
    return false;
}

std::int64_t tripFactor(const Op& op, const Access& access, const Buffer& buffer) {
    std::int64_t factor = 1;
    for (std::size_t level = 0; level < op.loop.counts.size(); ++level) {
        if (!advancesAt(op, access, buffer, level)) factor = saturatedMul(factor, op.loop.counts[level]);
    }
    return factor;
}

LoopExtents::LoopExtents(const Program& program) {
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        std::vector<int> path;
        for (const int element : program.ops[i].loop.groupId) {
            path.push_back(element);
            end_[path] = static_cast<Step>(i) + 1;
        }
    }
}

std::size_t LoopExtents::depthWithout(const Op& reader, const Op* writer) {
    const std::vector<int>& path = reader.loop.groupId;
    std::size_t depth = 0;
    while (depth < path.size() && writer != nullptr && writer->loop.groupId.size() > depth &&
           writer->loop.groupId[depth] == path[depth])
        ++depth;
    return depth;
}

Step LoopExtents::endOfLoopWithout(const Op& reader, const Op* writer) const {
    const std::size_t depth = depthWithout(reader, writer);
    if (depth >= reader.loop.groupId.size()) return 0;
    const auto first = reader.loop.groupId.begin();
    return end_.at({first, first + static_cast<std::ptrdiff_t>(depth) + 1});
}

std::int64_t iterations(const Op& op) {
    std::int64_t count = 1;
    for (const std::int64_t c : op.loop.counts)
        count = saturatedMul(count, c);
    return count;
}

}  // namespace memplan::spyre

// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/scratchpad/traffic.h"

#include "engine/base/numeric.h"
#include "engine/spyre/scratchpad/moves.h"
#include "engine/spyre/tiling/loop_access.h"

#include <algorithm>

namespace memplan::spyre {
namespace {

std::int64_t hostElements(const Buffer& buffer) {
    std::int64_t n = 1;
    for (const std::int64_t extent : buffer.size)
        n *= extent;
    return n;
}

bool readEarlier(const Op& op, std::size_t position) {
    for (std::size_t r = 0; r < position; ++r) {
        if (op.reads[r].buffer == op.reads[position].buffer) return true;
    }
    return false;
}

/// How often the op's reads move the whole buffer through: the most of its accesses, which a core shares.
std::int64_t readTrips(const Program& program, const Op& op, BufferId buffer) {
    std::int64_t most = 1;
    for (const Access& read : op.reads) {
        if (read.buffer == buffer) most = std::max(most, tripFactor(op, read, program.buffers[buffer.at()]));
    }
    return most;
}

std::int64_t writeTrips(const Program& program, const Op& op, BufferId buffer) {
    return op.write.buffer == buffer ? tripFactor(op, op.write, program.buffers[buffer.at()]) : iterations(op);
}

bool hasOutputClone(const Program& program, const ScratchpadState::Entry& entry, BufferId buffer) {
    return std::any_of(entry.uses.begin(), entry.uses.end(), [&](OpId use) {
        const BufferId written = program.ops[use.at()].write.buffer;
        return written.isValid() && program.buffers[written.at()].cloneOf == buffer &&
               program.buffers[written.at()].isOutput;
    });
}

}  // namespace

std::vector<OpTraffic> trafficPerOp(const Program& program, const std::vector<ScratchpadState::Entry>& entries) {
    std::vector<OpTraffic> traffic(program.ops.size());
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        const Op& op = program.ops[i];
        OpTraffic& t = traffic[i];
        for (std::size_t r = 0; r < op.reads.size(); ++r) {
            const BufferId buffer = op.reads[r].buffer;
            if (entries[buffer.at()].address || readEarlier(op, r)) continue;
            const std::int64_t trips = readTrips(program, op, buffer);
            t.read += saturatedMul(entries[buffer.at()].size, trips);
            t.elements += saturatedMul(hostElements(program.buffers[buffer.at()]), trips);
        }
        if (op.isAllocation()) continue;
        std::vector<BufferId> written = op.extraWrites;
        if (op.write.buffer.isValid()) written.push_back(op.write.buffer);
        for (const BufferId buffer : written) {
            if (entries[buffer.at()].address) continue;
            const std::int64_t trips = writeTrips(program, op, buffer);
            t.write += saturatedMul(entries[buffer.at()].size, trips);
            t.elements += saturatedMul(hostElements(program.buffers[buffer.at()]), trips);
        }
    }
    return traffic;
}

std::int64_t accessesPerRun(const Program& program, const ScratchpadState::Entry& entry, BufferId buffer) {
    std::int64_t accesses = 0;
    for (const OpId use : entry.uses) {
        const Op& op = program.ops[use.at()];
        const bool reads =
            std::any_of(op.reads.begin(), op.reads.end(), [&](const Access& a) { return a.buffer == buffer; });
        accesses += reads ? readTrips(program, op, buffer) : writeTrips(program, op, buffer);
    }
    return accesses;
}

std::int64_t accessesSaved(const Program& program, const ScratchpadState::Entry& entry, BufferId buffer) {
    std::int64_t accesses = accessesPerRun(program, entry, buffer);
    // An lx_evict is an access that only residency makes, and it writes to main memory once.
    for (const OpId use : entry.uses)
        accesses -= isEvict(program.ops[use.at()]) ? 2 : 0;
    const bool isClone = program.buffers[buffer.at()].cloneOf.isValid();
    return isClone || hasOutputClone(program, entry, buffer) ? accesses - 2 : accesses;
}

Bytes savedBy(const Program& program, const ScratchpadState::Entry& entry, BufferId buffer) {
    return entry.address ? saturatedMul(entry.size, accessesSaved(program, entry, buffer)) : 0;
}

}  // namespace memplan::spyre

// SPDX-License-Identifier: Apache-2.0
#include "spyre/scratchpad/traffic.h"

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

}  // namespace

std::vector<OpTraffic> trafficPerOp(const Program& program, const std::vector<ScratchpadState::Entry>& entries) {
    std::vector<OpTraffic> traffic(program.ops.size());
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        const Op& op = program.ops[i];
        OpTraffic& t = traffic[i];
        for (std::size_t r = 0; r < op.reads.size(); ++r) {
            const BufferId buffer = op.reads[r].buffer;
            if (entries[buffer.at()].address || readEarlier(op, r)) continue;
            t.read += entries[buffer.at()].size;
            t.elements += hostElements(program.buffers[buffer.at()]);
        }
        std::vector<BufferId> written = op.extraWrites;
        if (op.write.buffer.isValid()) written.push_back(op.write.buffer);
        for (const BufferId buffer : written) {
            if (entries[buffer.at()].address) continue;
            t.write += entries[buffer.at()].size;
            t.elements += hostElements(program.buffers[buffer.at()]);
        }
    }
    return traffic;
}

Bytes savedBy(const Program& program, const ScratchpadState::Entry& entry, BufferId buffer) {
    if (!entry.address) return 0;
    const auto accesses = static_cast<Bytes>(entry.uses.size());
    // A clone adds a read of the input and a write on chip: it saves the readers but one.
    const bool isClone = program.buffers[buffer.at()].cloneOf.isValid();
    return entry.size * (isClone ? accesses - 2 : accesses);
}

}  // namespace memplan::spyre

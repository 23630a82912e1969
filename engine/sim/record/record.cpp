// SPDX-License-Identifier: Apache-2.0
#include "engine/sim/record/record.h"

namespace memplan::sim {

std::string_view recordMemoryName(RecordMemory m) {
    switch (m) {
    case RecordMemory::Lx:
        return "lx";
    case RecordMemory::Hbm:
        return "hbm";
    case RecordMemory::Pool:
        return "pool";
    }
    return "hbm";
}

std::string_view recordRoleName(RecordRole r) {
    switch (r) {
    case RecordRole::Compute:
        return "compute";
    case RecordRole::Move:
        return "move";
    case RecordRole::Fill:
        return "fill";
    case RecordRole::Outside:
        return "outside";
    case RecordRole::Allocate:
        return "allocate";
    }
    return "compute";
}

std::vector<bool> hostOps(const ExecutionRecord& record) {
    std::vector<bool> isHost(record.ops.size(), false);
    for (const RecordKernel& k : record.kernels) {
        if (k.ops.size() != 1) continue;
        const auto op = static_cast<std::size_t>(k.ops.front());
        isHost[op] = k.name == record.ops[op].name;
    }
    return isHost;
}

}  // namespace memplan::sim

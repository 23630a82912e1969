// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/ttnn/address_rules.h"

#include <algorithm>
#include <map>

namespace memplan::verify::ttnn {
namespace {

/// Bytes in use by their first address.
using Used = std::map<Bytes, Bytes>;

/// Highest multiple of the alignment at which so many bytes are free; -1 for none.
Bytes highestGap(const Used& used, Bytes limit, Bytes bytes, Bytes alignment) {
    Bytes top = limit;
    for (auto it = used.rbegin(); it != used.rend(); ++it) {
        const Bytes at = top >= bytes ? (top - bytes) / alignment * alignment : -1;
        if (at >= it->first + it->second) return at;
        top = it->first;
    }
    return top >= bytes ? (top - bytes) / alignment * alignment : -1;
}

}  // namespace

void checkAddresses(const Plan& plan, const Values& values, Report& report) {
    const TtnnData& data = ttnnData(plan);
    const Bytes alignment = std::max<Bytes>(data.device.l1Alignment, 1), limit = plan.memory.capacity;
    std::map<std::int32_t, Bytes> addressOf;  // by storage
    Used used;
    for (std::size_t i = 0; i < data.ops.size(); ++i) {
        const TtnnOp& op = data.ops[i];
        const auto step = static_cast<Step>(i);
        const Bytes live = values.all(step), cb = op.cb;
        const bool frees = op.need > 0 && op.need < live + cb;
        std::erase_if(addressOf, [&](const auto& entry) {
            const bool isGone = values.storageLife(BufferId{entry.first}).end <= step + (frees ? 1 : 0);
            if (isGone) used.erase(entry.second);
            return isGone;
        });
        for (std::size_t b = 0; b < values.size(); ++b) {
            const BufferId id = BufferId::of(b);
            const StepRange life = values.storageLife(id);
            if (life.isEmpty() || life.begin != step) continue;
            const Bytes bytes = values.of(id).layout->shardBytes(), at = highestGap(used, limit, bytes, alignment);
            if (at < 0) return report.op("VER-009", OpId::of(i), "no gap of L1 holds " + plan.buffer(id).name);
            addressOf[id.index] = at;
            used[at] = bytes;
        }
        const Bytes buffers = op.status == "NotImplemented" ? 0 : std::max(cb, op.need - live);
        if (!used.empty() && used.begin()->first < buffers)
            return report.op("VER-009", OpId::of(i),
                             "its buffers take " + text::grouped(buffers) + " B, the lowest tensor in L1 lies at " +
                                 text::grouped(used.begin()->first));
    }
}

}  // namespace memplan::verify::ttnn

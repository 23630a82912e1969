// SPDX-License-Identifier: Apache-2.0
#include "pipeline/imported/imported_sizes.h"

#include <algorithm>
#include <map>
#include <vector>

namespace memplan {

int cutPoolSizes(Plan& plan) {
    std::map<Bytes, std::vector<BufferId>> byOffset;
    for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
        if (const auto& offset = plan.buffers[i].poolOffset) byOffset[*offset].push_back(BufferId::of(i));
    }
    int count = 0;
    for (PlanBuffer& b : plan.buffers) {
        if (!b.poolOffset) continue;
        const auto isLiveWith = [&](BufferId id) {
            const StepRange& life = plan.buffer(id).life;
            return life.begin < b.life.end && b.life.begin < life.end;
        };
        const Bytes end = *b.poolOffset + b.size;
        for (auto it = byOffset.upper_bound(*b.poolOffset); it != byOffset.end() && it->first < end; ++it) {
            if (std::none_of(it->second.begin(), it->second.end(), isLiveWith)) continue;
            b.size = it->first - *b.poolOffset;
            b.layout.reset();
            ++count;
            break;
        }
    }
    return count;
}

Diagnostic cutSizesNote(int count) {
    Diagnostic d;
    d.severity = Severity::Note;
    d.code = "BND-109";
    d.where = "input";
    d.message =
        std::to_string(count) + (count == 1 ? " tensor is taken to end" : " tensors are taken to end") +
        " where the next one begins: a bundle records the extents of operations, rounded up to whole sticks, not "
        "those of tensors";
    d.hint = "open the folder that holds output_code.py, which has the layouts";
    return d;
}

}  // namespace memplan

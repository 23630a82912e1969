// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/compile/imported/imported_sizes.h"

#include "engine/base/numeric.h"
#include "engine/spyre/bundle/next_live.h"

#include <cstdint>
#include <vector>

namespace memplan::spyre {

int cutPoolSizes(Plan& plan) {
    std::vector<PlanBuffer*> pooled;
    std::vector<bundle::PlacedLife> lives;
    for (PlanBuffer& b : plan.buffers) {
        if (!b.poolOffset) continue;
        pooled.push_back(&b);
        lives.push_back({*b.poolOffset, b.life});
    }
    const std::vector<Address> next = bundle::nextLiveAddresses(lives);
    int count = 0;
    for (std::size_t i = 0; i < pooled.size(); ++i) {
        PlanBuffer& b = *pooled[i];
        if (next[i] >= saturatedAdd(*b.poolOffset, b.size)) continue;
        b.size = next[i] - *b.poolOffset;
        b.layout.reset();
        ++count;
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

}  // namespace memplan::spyre

// SPDX-License-Identifier: Apache-2.0
// How good a candidate of the beam is (ttnn-optimizer 12.4).
#pragma once

#include "engine/base/ids.h"

#include <compare>
#include <cstdint>

namespace memplan::ttnn {

/// Compared field by field: in L1, sharded, fewer bytes read from DRAM, no conversion, more cores, fewer bytes of L1.
struct LayoutScore {
    bool isInL1 = false;
    bool isSharded = false;
    Bytes inputDramBytes = 0;
    bool needsReshard = false;
    std::int64_t cores = 0;
    Bytes outputL1 = 0;

    /// The greater one is better.
    friend std::strong_ordering operator<=>(const LayoutScore& a, const LayoutScore& b) {
        if (const auto order = a.isInL1 <=> b.isInL1; order != 0) return order;
        if (const auto order = a.isSharded <=> b.isSharded; order != 0) return order;
        if (const auto order = b.inputDramBytes <=> a.inputDramBytes; order != 0) return order;
        if (const auto order = b.needsReshard <=> a.needsReshard; order != 0) return order;
        if (const auto order = a.cores <=> b.cores; order != 0) return order;
        return b.outputL1 <=> a.outputL1;
    }
    friend bool operator==(const LayoutScore&, const LayoutScore&) = default;
};

}  // namespace memplan::ttnn

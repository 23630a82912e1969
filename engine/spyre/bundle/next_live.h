// SPDX-License-Identifier: Apache-2.0
// Where the next tensor begins that lives at the same time: what gives the end of a tensor whose size an imported
// bundle does not record (spyre-coarse-tiling-and-bundle 17.6).
#pragma once

#include "engine/base/ids.h"

#include <cstdint>
#include <vector>

namespace memplan::bundle {

struct PlacedLife {
    std::int64_t begin = 0;  ///< first byte
    StepRange life;          ///< steps of 0 or more; one without steps meets no other
};

/// For each tensor the least address above its own at which another one begins that lives at one of its steps;
/// INT64_MAX where there is none. In n log n steps.
[[nodiscard]] std::vector<std::int64_t> nextLiveAddresses(const std::vector<PlacedLife>& tensors);

}  // namespace memplan::bundle

// SPDX-License-Identifier: Apache-2.0
// A tensor of the input graph that stands in a part of a buffer, or in another order.
#pragma once

#include "engine/base/ids.h"

#include <cstdint>
#include <vector>

namespace memplan {

/// Where a tensor of the input graph is found in a plan: its element (i, j, ..) is host element
/// offset + i * strides[0] + ... of the buffer.
struct TensorView {
    TensorId tensor;
    BufferId buffer;
    std::vector<std::int64_t> strides;
    std::int64_t offset = 0;
    friend bool operator==(const TensorView&, const TensorView&) = default;
};

}  // namespace memplan

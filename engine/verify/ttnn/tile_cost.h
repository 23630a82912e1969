// SPDX-License-Identifier: Apache-2.0
// Bytes of one slot of a circular buffer (ttnn-optimizer 9.3).
#pragma once

#include "engine/verify/ttnn/op_facts.h"

namespace memplan::verify::ttnn {

/// A tile; of row-major tensors 32 rows of the shard's width, each rounded up to 16 bytes.
[[nodiscard]] inline Bytes tileCost(const Tensor& t) {
    if (t.layout.isTiled()) return tileBytes(t.layout.dtype);
    const Bytes row = t.layout.shard[1] * elementBytes(t.layout.dtype);
    return 32 * ((row + 15) / 16 * 16);
}

}  // namespace memplan::verify::ttnn

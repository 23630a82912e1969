// SPDX-License-Identifier: Apache-2.0
// Layouts recomputed from shapes (ttnn-optimizer 1.2 to 1.4), with nothing of the planner but its plain values.
#pragma once

#include "engine/ttnn/machine/device.h"
#include "engine/ttnn/machine/layout.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace memplan::verify::ttnn {

using memplan::ttnn::Device;
using memplan::ttnn::Layout;
using ShapeSpan = std::span<const std::int64_t>;

/// Why the layout is none that a tensor of this shape can have on this device; empty for a legal one.
[[nodiscard]] std::string layoutFault(const Layout& layout, ShapeSpan shape, const Device& device);

/// Shape of the memref (1.3), whatever the layout states: tiles of a tiled layout, else scalars.
[[nodiscard]] std::array<std::int64_t, 2> shardOf(const Layout& layout, ShapeSpan shape);
/// Rows and columns of tiles; rank 0 and 1 are one row.
[[nodiscard]] std::array<std::int64_t, 2> tilesOf(ShapeSpan shape);
/// Bytes of the whole tensor as it lies in device memory, padding included.
[[nodiscard]] Bytes deviceBytes(const Layout& layout, ShapeSpan shape);
/// Words for messages: "l1 block_sharded 8x8 tile bf16".
[[nodiscard]] std::string layoutWords(const Layout& layout);

}  // namespace memplan::verify::ttnn

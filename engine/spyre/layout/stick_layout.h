// SPDX-License-Identifier: Apache-2.0
// Builds device layouts from host shapes (spyre-layouts-and-work-division 2.2).
#pragma once

#include "engine/base/result.h"
#include "engine/spyre/program.h"

#include <cstdint>
#include <span>
#include <vector>

namespace memplan::spyre {

using DimOrder = std::vector<int>;  ///< permutation of the host dimensions, stick last; a trailing -1 = sparse

[[nodiscard]] DimOrder naturalOrder(std::size_t rank);

/// Layout of a host tensor with the dimensions ordered as `order`. LAY-001 when the order does not fit
/// the shape, LAY-002 when it has more than six entries.
[[nodiscard]] Result<StickLayout> buildStickLayout(std::span<const std::int64_t> size,
                                                   std::span<const std::int64_t> stride, HostType dtype,
                                                   const DimOrder& order);
/// Row-major layout in natural order.
[[nodiscard]] Result<StickLayout> genericLayout(const Buffer& buffer);

/// As buildStickLayout, but an order of more than six entries first loses its dimensions of extent 1, then
/// has neighbouring contiguous dimensions merged. LAY-002 only when that is not enough.
[[nodiscard]] Result<StickLayout> buildFoldedLayout(const Buffer& buffer, const DimOrder& order);
/// Layout for a fallback kernel: generic, folded, or (always possible) one flat dimension.
[[nodiscard]] StickLayout fallbackLayout(const Buffer& buffer);

}  // namespace memplan::spyre

// SPDX-License-Identifier: Apache-2.0
// Which slice of an op each core works on (spyre-coarse-tiling-and-bundle 13.3).
#pragma once

#include <cstdint>
#include <vector>

namespace memplan::bundle {

/// Slice of every dimension on every core: [core][dimension].
using CoreMap = std::vector<std::vector<std::int64_t>>;
/// Dimensions in iteration order, the first fastest; with `kFast` the last one goes in front. `splits` >= 1.
[[nodiscard]] CoreMap coreMap(const std::vector<std::int64_t>& splits, bool kFast);

}  // namespace memplan::bundle

// SPDX-License-Identifier: Apache-2.0
// What operations move between cores and main memory (cost 3, 5). Internal to the cost model and its report.
#pragma once

#include "engine/spyre/cost/features.h"

#include <cstdint>
#include <span>

namespace memplan::spyre::cost {

enum class Edition { A, B };

/// Bytes of a kernel: an external input counts once, with its largest count (3).
struct KernelBytes {
    std::int64_t read = 0, write = 0;
};

[[nodiscard]] KernelBytes kernelBytes(std::span<const OpFeatures> ops, Edition edition);
/// One op's bytes, nothing counted once for several reads.
[[nodiscard]] KernelBytes opBytes(const OpFeatures& op, Edition edition);
/// Sum of the op's arguments in LX, one iteration's working set.
[[nodiscard]] std::int64_t lxBytes(const OpFeatures& op);
/// Bytes that a tiled multiply reads again because its operand does not move with a loop (5).
[[nodiscard]] std::int64_t rereadBytes(const OpFeatures& op);

}  // namespace memplan::spyre::cost

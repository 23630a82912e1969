// SPDX-License-Identifier: Apache-2.0
// The loops of one operation as work division sees them: sticks instead of elements along stick loops
// (spyre-layouts-and-work-division 8, 9).
#pragma once

#include "engine/base/result.h"
#include "engine/spyre/layout/coordinates.h"
#include "engine/spyre/program.h"

#include <span>
#include <vector>

namespace memplan::spyre {

/// One tensor of an op with its coordinates in device memory.
struct DividedTensor {
    const Buffer* buffer = nullptr;  ///< has a layout
    Coordinates device;
};

struct IterationSpace {
    std::span<const LoopVar> loops;         ///< of the op, which must outlive the space
    std::vector<DividedTensor> tensors;     ///< reads in read order, the output last
    std::vector<std::int64_t> adjusted;     ///< per loop: sticks for a stick loop, else the extent
    SmallVector<std::int64_t, 8> stickEps;  ///< per loop: elements per stick, 0 = no stick loop
    LoopMask outputLoops = 0;               ///< loops of the output's coordinates without the stick one

    [[nodiscard]] bool isOutputLoop(std::size_t loop) const { return (outputLoops >> loop & 1) != 0; }
    [[nodiscard]] const DividedTensor& output() const { return tensors.back(); }
};

/// A tensor with the index that an op uses on it.
struct TensorUse {
    const Buffer* buffer = nullptr;
    const Index* index = nullptr;
};

/// The space of an op over `tensors` (reads, then output). LAY-003 when a stick cannot be addressed.
[[nodiscard]] Result<IterationSpace> iterationSpace(std::span<const LoopVar> loops, std::span<const TensorUse> tensors);
/// The space of a computed op of a program. WDV-005 for an op that has no iteration space.
[[nodiscard]] Result<IterationSpace> iterationSpace(const Program& program, const Op& op);

/// Bytes between the first and the last element that one core touches along the outermost dimension that
/// still moves (9). Host item bytes. Entries of `splits` that are 0 or missing count as 1.
[[nodiscard]] Bytes perCoreSpan(const DividedTensor& tensor, std::span<const LoopVar> loops, const Splits& splits);

[[nodiscard]] inline std::int64_t splitOf(const Splits& splits, std::size_t loop) {
    return loop < splits.size() && splits[loop] > 1 ? splits[loop] : 1;
}
[[nodiscard]] std::int64_t coresOf(const Splits& splits);  ///< product of the splits, 1 for none

[[nodiscard]] Bytes maxSpan(const IterationSpace& space, const Splits& splits);  ///< of the space's tensors
/// Largest span of the op's tensors under `splits`; 0 when it has no iteration space.
[[nodiscard]] Bytes maxSpan(const Program& program, const Op& op, const Splits& splits);

}  // namespace memplan::spyre

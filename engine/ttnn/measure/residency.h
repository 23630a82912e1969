// SPDX-License-Identifier: Apache-2.0
// Which tensors are in L1 at which position of a function, from the layouts that it has.
#pragma once

#include "engine/ttnn/machine/chains.h"
#include "engine/ttnn/module/module.h"

#include <vector>

namespace memplan::ttnn {

/// A tensor in L1 from the operation that makes it to its last reader; views of it are the same bytes.
struct L1Tensor {
    ValueId value;
    Bytes bytes = 0;  ///< of one core
    PositionRange positions;
};

struct L1Residency {
    std::vector<L1Tensor> tensors;  ///< by first position
    std::vector<int> tensorOf;      ///< by ValueId: position in `tensors`, -1 outside L1
    std::vector<Bytes> live;        ///< by position: of all tensors

    /// Bytes at that position that belong to neither an operand nor a result of its operation.
    [[nodiscard]] Bytes others(const Function& function, std::size_t position) const;
};

[[nodiscard]] L1Residency residencyOf(const Function& function);

}  // namespace memplan::ttnn

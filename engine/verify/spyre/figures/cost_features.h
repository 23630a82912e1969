// SPDX-License-Identifier: Apache-2.0
// What the price model counts of an operation (spyre-cost-and-co-optimisation 2 to 5), read from the finished plan.
#pragma once

#include "engine/verify/spyre/reading/reading.h"

#include <optional>
#include <string>
#include <vector>

namespace memplan::verify {

struct CostFeatures {
    Bytes moved = 0;   ///< main memory, whole loop, as the edition counts it
    Bytes reread = 0;  ///< of it: inputs that a matrix product reads again in its loops
    bool isMatmul = false;
    bool isReduction = false;  ///< no matrix product
    bool tilesResult = false;  ///< some loop around it cuts its result
    bool isBatched = false;    ///< a matrix product with an operand of rank 3 or more
    bool hasRate = false;      ///< its access pattern has a rate of its own (4)
    bool isMoved = false;      ///< the rate is that of elements that change their place in the sticks
};

/// nullopt where the plan does not state how the operation accesses its buffers. `edition` is "A" or "B".
[[nodiscard]] std::optional<CostFeatures> costFeaturesOf(const PlanReading& reading, OpId op,
                                                         const std::string& edition);

/// Which formula gives the memory time of a kernel (6.2, 7.2), and the category of its stated error (9).
[[nodiscard]] std::string branchOf(const std::vector<CostFeatures>& kernel, const std::string& edition);
[[nodiscard]] std::string categoryOf(const std::vector<CostFeatures>& kernel);

}  // namespace memplan::verify

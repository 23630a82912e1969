// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/global/candidate.h"

namespace memplan::ttnn {

bool isBetter(const Evaluation& a, const Evaluation& b, std::int64_t floor) {
    const bool isFineA = a.isLegal && a.sharded >= floor, isFineB = b.isLegal && b.sharded >= floor;
    if (isFineA != isFineB) return isFineA;
    if (!isFineA && a.isLegal && b.isLegal && a.sharded != b.sharded) return a.sharded > b.sharded;
    return a.isBetterThan(b);
}

}  // namespace memplan::ttnn

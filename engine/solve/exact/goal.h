// SPDX-License-Identifier: Apache-2.0
// What the exact solver maximises.
#pragma once

#include "engine/solve/address_problem.h"

#include <cstdint>

namespace memplan::solve {

/// What is maximised over the buffers placed.
enum class Goal {
    Bytes,    ///< their sizes (`spyre.exact_cost` = bytes)
    Traffic,  ///< main memory bytes that their residency saves (`traffic`)
    Quality,  ///< twice the quality of chapter 7.1
};

/// Value of one placed buffer under `goal`.
[[nodiscard]] std::int64_t valueOf(const Item& item, Goal goal);

}  // namespace memplan::solve

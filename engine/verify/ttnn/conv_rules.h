// SPDX-License-Identifier: Apache-2.0
// Convolutions (ttnn-optimizer 9.4).
#pragma once

#include "engine/verify/ttnn/demand.h"
#include "engine/verify/ttnn/op_facts.h"

namespace memplan::verify::ttnn {

[[nodiscard]] Demand convDemand(const OpFacts& op, bool conservative);
/// Tiles of the product that the convolution is: rows of the output, filters, and the sum over the window.
[[nodiscard]] std::int64_t convTileProducts(const OpFacts& op);

}  // namespace memplan::verify::ttnn

// SPDX-License-Identifier: Apache-2.0
// Messages of the MLIR library as findings with codes (ttnn-optimizer 10.4, codes 5).
#pragma once

#include "engine/base/result.h"
#include "engine/ttnn/mlir/ir.h"
#include "engine/ttnn/mlir/prepass.h"

#include <vector>

namespace memplan::ttnn {

/// At least one problem.
[[nodiscard]] Error errorOf(const std::vector<ir::Problem>& problems, const TextMap& map);

}  // namespace memplan::ttnn

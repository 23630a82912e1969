// SPDX-License-Identifier: Apache-2.0
// Which function of a module is planned (inputs-and-interchange 4.4).
#pragma once

#include "engine/base/result.h"
#include "engine/ttnn/module/module.h"

#include <cstddef>
#include <string_view>

namespace memplan::ttnn {

/// Position of the function of that name; without a name of the only public one with operations, else of the only one
/// that nothing calls. MLIR-001 where there is none, MLIR-007 where there are several and none is named.
[[nodiscard]] Result<std::size_t> mainFunction(const Module& module, std::string_view name);

}  // namespace memplan::ttnn

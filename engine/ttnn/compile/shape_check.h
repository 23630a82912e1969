// SPDX-License-Identifier: Apache-2.0
// Operations whose shapes contradict each other: what is planned for them holds for no device (ttnn-optimizer 9.4, 11).
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/ttnn/module/module.h"

#include <vector>

namespace memplan::ttnn {

/// A warning TT-031 for each operation of TTNN whose result has another shape than its operands and attributes give it.
/// Kinds and attributes whose rule is not known are passed over.
[[nodiscard]] std::vector<Diagnostic> shapeProblems(const Function& function);

}  // namespace memplan::ttnn

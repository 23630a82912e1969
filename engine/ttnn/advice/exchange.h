// SPDX-License-Identifier: Apache-2.0
// Copies of a request for trials: nothing that only the user's own compile is for, operands in the other order.
#pragma once

#include "engine/target/target.h"

#include <string>

namespace memplan::ttnn {

/// Without advice, times, texts, files and a stop.
[[nodiscard]] CompileRequest withoutExtras(CompileRequest request);
/// The first two operands of the operation of the graph with that id change places, in a copy of the source.
void exchangeOperands(const Target& target, const std::string& op, CompileRequest& request);

}  // namespace memplan::ttnn

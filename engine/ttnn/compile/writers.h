// SPDX-License-Identifier: Apache-2.0
// MLIR text of a module or a graph, and the option string of a plan.
#pragma once

#include "engine/target/format_writer.h"

namespace memplan::ttnn {

[[nodiscard]] const FormatWriter& mlirWriter();
[[nodiscard]] const FormatWriter& overridesWriter();

}  // namespace memplan::ttnn

// SPDX-License-Identifier: Apache-2.0
// The file format of this machine: MLIR text.
#pragma once

#include "engine/target/format.h"

#include <span>

namespace memplan::ttnn {

/// MLIR text, whatever dialects it is in. A program of another machine that looks like it is that machine's, which the
/// list of machines sees to by asking it first.
[[nodiscard]] std::span<const TargetFormat> formats();

}  // namespace memplan::ttnn

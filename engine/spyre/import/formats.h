// SPDX-License-Identifier: Apache-2.0
// The formats of Spyre's own files (spyre-coarse-tiling-and-bundle 17).
#pragma once

#include "engine/target/format.h"

#include <span>

namespace memplan::spyre {

/// In the order in which a file is held against them.
[[nodiscard]] std::span<const TargetFormat> formats();

}  // namespace memplan::spyre

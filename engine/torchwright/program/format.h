// SPDX-License-Identifier: Apache-2.0
// The file format of this machine: the JSON graph (torchwright.md 3).
#pragma once

#include "engine/target/format.h"

#include <span>

namespace memplan::torchwright {

[[nodiscard]] std::span<const TargetFormat> formats();

}  // namespace memplan::torchwright

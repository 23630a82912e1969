// SPDX-License-Identifier: Apache-2.0
// Spyre behind the seam (architecture 5.9); targets.cpp registers it.
#pragma once

#include "engine/target/target.h"

namespace memplan::spyre {

[[nodiscard]] const Target& target();

}  // namespace memplan::spyre

// SPDX-License-Identifier: Apache-2.0
// torchwright as a target: graphs compiled into the layers of a transformer (architecture 5.9).
#pragma once

#include "engine/target/target.h"

namespace memplan::torchwright {

[[nodiscard]] const Target& target();

}  // namespace memplan::torchwright

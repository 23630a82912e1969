// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/ids.h"
#include "engine/spyre/program.h"

namespace memplan::spyre {

/// Bytes of one element in host memory, which spans and chunks count (spyre-layouts-and-work-division 6.4, 9): those of
/// the type that the graph gives the tensor, also where Spyre stores it as another one (float64, int16, uint16).
[[nodiscard]] Bytes hostItemBytes(const Buffer& buffer);

}  // namespace memplan::spyre

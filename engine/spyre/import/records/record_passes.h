// SPDX-License-Identifier: Apache-2.0
// Which pass a recorded fact speaks about (spyre-coarse-tiling-and-bundle 17.2 to 17.4; pipeline.md 1).
#pragma once

#include "engine/plan/side_info.h"

#include <string_view>

namespace memplan::spyre {

/// Id of the pass; empty for facts of none.
[[nodiscard]] std::string_view passOfRecord(SideKind kind, std::string_view key);

}  // namespace memplan::spyre

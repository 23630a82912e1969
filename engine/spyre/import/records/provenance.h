// SPDX-License-Identifier: Apache-2.0
// The provenance sidecar of the original compiler, schema 1 (spyre-coarse-tiling-and-bundle 17.2).
#pragma once

#include "engine/base/result.h"
#include "engine/base/run_control.h"
#include "engine/json/limits.h"
#include "engine/plan/side_info.h"

#include <string_view>

namespace memplan::io {

/// Kernels by the compiler's names, with source line, ATen op and history of every op that the sidecar binds.
/// The schema is closed: another version, an unknown key, a reference to nothing or a status that the
/// contents contradict is BND-108 with a JSON pointer.
[[nodiscard]] Result<SideDocument> readProvenance(std::string_view text, const Limits& limits,
                                                  const RunControl& control);

}  // namespace memplan::io

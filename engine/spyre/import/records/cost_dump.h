// SPDX-License-Identifier: Apache-2.0
// The dump of the original cost model (spyre-coarse-tiling-and-bundle 17.4).
#pragma once

#include "engine/base/result.h"
#include "engine/base/run_control.h"
#include "engine/plan/side_info.h"

#include <string_view>

namespace memplan::io {

[[nodiscard]] bool looksLikeCostDump(std::string_view text);

/// Bytes read, written and kept in LX and the loop trips of every op, its tensors with their residency, the
/// prediction, and what a per-kernel report predicts. A later record of a name takes the place of an earlier
/// one (dumps are appended). Errors: BND-108 with line:column for a record that is damaged, for a dump that
/// says it failed and holds nothing else, and for a text without any record; CANCELLED.
[[nodiscard]] Result<SideDocument> readCostDump(std::string_view text, const RunControl& control);

}  // namespace memplan::io

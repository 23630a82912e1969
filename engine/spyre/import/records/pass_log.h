// SPDX-License-Identifier: Apache-2.0
// The pass log of the original compiler (spyre-coarse-tiling-and-bundle 17.3).
#pragma once

#include "engine/base/result.h"
#include "engine/base/run_control.h"
#include "engine/plan/side_info.h"

#include <string_view>

namespace memplan::io {

/// True for a text that holds one of the messages which readPassLog() takes, or begins with lines of a log.
[[nodiscard]] bool looksLikePassLog(std::string_view text);

/// Operations of the last listing (AFTER PRE-SCHEDULING, else BEFORE), with what single messages say of them.
/// Values run to their closing bracket, over line ends too; lines without a known key are kept as text.
/// Errors: BND-108 with line:column where nothing can be read or a value is cut off; CANCELLED.
[[nodiscard]] Result<SideDocument> readPassLog(std::string_view text, const RunControl& control);

}  // namespace memplan::io

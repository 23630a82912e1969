// SPDX-License-Identifier: Apache-2.0
// The system description that a user names (ttnn-optimizer 8.1, `system-desc-path`).
#pragma once

#include "engine/base/result.h"
#include "engine/ttnn/module/module.h"

#include <string_view>

namespace memplan::ttnn {

/// Makes the first chip of a system description the device of the module, in place of its own. The content is either
/// the attribute `#ttcore.system_desc<...>`, alone or inside a module, or the descriptor as JSON (`chip_descs`, plain
/// or under `system_desc`). What it leaves out is that of the built-in device of its architecture. TT-014 for anything
/// else (a binary `.ttsys` too) and for figures that no device has.
[[nodiscard]] Result<void> takeDeviceFile(std::string_view content, Module& module);

}  // namespace memplan::ttnn

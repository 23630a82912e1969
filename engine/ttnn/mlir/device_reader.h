// SPDX-License-Identifier: Apache-2.0
// The device that a module describes (ttnn-optimizer 10.3): its system description and `ttcore.device`.
#pragma once

#include "engine/ttnn/module/module.h"

#include <string_view>

namespace memplan::ttnn {

/// Takes what the text of `#ttcore.system_desc<...>` says of its first chip; what it does not say is that of the
/// built-in device of its architecture.
void takeSystemDescription(std::string_view text, Module& module);
/// Takes the worker grid of `#ttcore.device<...>`.
void takeDeviceAttribute(std::string_view text, Module& module);

}  // namespace memplan::ttnn

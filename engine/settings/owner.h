// SPDX-License-Identifier: Apache-2.0
// Which machine a setting is of.
#pragma once

#include <string_view>

namespace memplan {

/// The machine whose settings a key stands among, also a key that is none of them; empty for those of the program.
[[nodiscard]] std::string_view machineOfSetting(std::string_view key);

}  // namespace memplan

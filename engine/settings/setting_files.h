// SPDX-License-Identifier: Apache-2.0
// Files that settings name: read by who asks for a compile, never in the middle of one.
#pragma once

#include <functional>
#include <map>
#include <string>

namespace memplan {

/// Content by the key of the setting: {"engine.rates", "{...}"}.
using SettingFiles = std::map<std::string, std::string, std::less<>>;

}  // namespace memplan

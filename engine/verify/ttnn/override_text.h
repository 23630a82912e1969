// SPDX-License-Identifier: Apache-2.0
// The option string of a plan (ttnn-optimizer 8.2 to 8.5): what it says was forced, and who wanted that.
#pragma once

#include "engine/verify/report.h"

#include <map>
#include <string>
#include <vector>

namespace memplan::verify::ttnn {

/// Words of each name in "name=a:b,name=c"; the last entry of a name counts (8.2).
using OverrideEntries = std::map<std::string, std::vector<std::string>>;
[[nodiscard]] OverrideEntries overrideEntries(const std::string& list);

/// VER-013 for an entry that neither a setting nor a hint gives, or gives otherwise, and for one that is missing.
void checkOverrideText(const Plan& plan, Report& report);

}  // namespace memplan::verify::ttnn

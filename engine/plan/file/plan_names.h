// SPDX-License-Identifier: Apache-2.0
// Words of the plan file for the enumerations of a plan.
#pragma once

#include "engine/plan/plan.h"

#include <optional>
#include <string_view>

namespace memplan::io {

[[nodiscard]] std::string_view bufferRoleName(BufferRole r);
[[nodiscard]] std::optional<BufferRole> bufferRoleFromName(std::string_view name);
[[nodiscard]] std::optional<MemorySpace> spaceFromName(std::string_view name);
[[nodiscard]] std::optional<Severity> severityFromName(std::string_view name);

}  // namespace memplan::io

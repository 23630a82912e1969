// SPDX-License-Identifier: Apache-2.0
// Checks of one value against its kind. Internal to engine/hints.
#pragma once

#include "engine/hints/kinds.h"
#include "engine/hints/value.h"
#include "engine/hints/world.h"

#include <string>
#include <vector>

namespace memplan::hints {

struct ValueFinding {
    bool wrongType = false;  ///< HNT-002, else HNT-003
    std::string pointer;     ///< into the value, empty = the whole of it
    std::string message, fix;
};

[[nodiscard]] std::vector<ValueFinding> checkValueOf(const KindInfo& kind, const std::vector<Scope>& scopes,
                                                     const Value& value, const World& world);

}  // namespace memplan::hints

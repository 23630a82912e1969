// SPDX-License-Identifier: Apache-2.0
// Words for what a hint's value is in a file.
#pragma once

#include "engine/json/json_value.h"

#include <string_view>

namespace memplan::hints {

using Value = io::JsonValue;
using JsonKind = io::JsonType;

/// "an object", "a whole number", ... for messages.
[[nodiscard]] std::string_view kindText(JsonKind kind);

}  // namespace memplan::hints

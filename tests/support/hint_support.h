// SPDX-License-Identifier: Apache-2.0
// Values of hints as a file would say them.
#pragma once

#include "engine/graph/hint_value.h"

#include <string_view>

namespace memplan::test {

/// Of JSON text, which has to be JSON.
inline HintValue hintValue(std::string_view json) {
    return HintValue::parse(json).value();
}

}  // namespace memplan::test

// SPDX-License-Identifier: Apache-2.0
// The members of the key `metrics` of a plan file; a sweep writes the same as columns (command-line).
#pragma once

#include "engine/plan/plan.h"

#include <string>
#include <utility>
#include <vector>

namespace memplan::io {

/// Key and JSON text of the value, in alphabetical order of the keys, the same keys for every plan.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> planMetricFields(const Plan& plan);

}  // namespace memplan::io

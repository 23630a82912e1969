// SPDX-License-Identifier: Apache-2.0
// Hashes over the parts of a plan, each named by its key in a plan file: what no rule can decide, since it is said only
// once, cannot be changed by hand without a trace either.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace memplan {

/// Key of the part, 16 hexadecimal digits.
using PartHashes = std::vector<std::pair<std::string, std::string>>;

}  // namespace memplan

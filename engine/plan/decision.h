// SPDX-License-Identifier: Apache-2.0
// One choice of a pass.
#pragma once

#include "engine/base/ids.h"

#include <string>
#include <utility>
#include <vector>

namespace memplan {

/// One choice of a pass, for the inspector's trace; text is made from code and numbers.
struct Decision {
    std::string pass;
    OpId op;
    BufferId buffer;
    std::string kind;    ///< candidate, placed, in_place, spilled, split, layout, restickify, clone, ...
    std::string chosen;  ///< short text
    std::vector<std::pair<std::string, double>> alternatives;  ///< with score, at most 32
    std::string why;                                           ///< sentence
};

}  // namespace memplan

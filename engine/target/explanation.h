// SPDX-License-Identifier: Apache-2.0
// What is said of one thing in a plan.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace memplan {

struct Explanation {
    std::string kind;  ///< "buffer", "op", or what a machine calls a part of its own: "chain"
    std::string name;
    std::vector<std::pair<std::string, std::string>> facts;  ///< label and text, in print order
    std::string why;                                         ///< one sentence; empty where nothing decided
    std::vector<std::string> changes;  ///< what would move it on chip, smallest first; empty when it is there
};

}  // namespace memplan

// SPDX-License-Identifier: Apache-2.0
// A change to a compile that may bring a buffer on chip: tried by compiling with it, never guessed.
#pragma once

#include "engine/plan/plan.h"

#include <string>
#include <utility>
#include <vector>

namespace memplan::advice {

/// One change to a compile: settings to set, hints to add or to switch off.
struct Change {
    std::string text;  ///< "solver bestfit", "sum divided like exp: d0 / 32"
    std::vector<std::pair<std::string, std::string>> settings;
    std::vector<Hint> hints;            ///< to append to the list
    std::vector<std::size_t> hintsOff;  ///< positions in the request's list to disable
    friend bool operator==(const Change&, const Change&) = default;
};

}  // namespace memplan::advice

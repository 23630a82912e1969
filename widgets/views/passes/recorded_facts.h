// SPDX-License-Identifier: GPL-3.0-or-later
// What the machine's own compiler recorded of one pass: it logs one listing, whose lines belong to different passes.
#pragma once

#include "engine/plan/side_info.h"

#include <string>
#include <string_view>
#include <vector>

namespace memplan::ui {

struct RecordedFact {
    std::string item;  ///< op, buffer or kernel; empty for the file as a whole
    int source = 0;    ///< position in SideInformation::sources
    SideFact fact;
};

/// What is recorded about one pass of a target's plan, by item, then in the order of the files; at most `most`.
[[nodiscard]] std::vector<RecordedFact> recordedFacts(const SideInformation& side, std::string_view target,
                                                      std::string_view pass, std::size_t most);

}  // namespace memplan::ui

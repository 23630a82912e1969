// SPDX-License-Identifier: GPL-3.0-or-later
// Which of our passes a recorded fact speaks about (spyre-coarse-tiling-and-bundle 17.2 to 17.4; pipeline.md 1): the
// original compiler logs one listing, its lines belong to different passes.
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

/// Id of the pass that decides what the fact records; empty when it is about no single pass.
[[nodiscard]] std::string_view passOfFact(SideKind kind, std::string_view key);
/// What is recorded about one pass, by item, then in the order of the files; at most `most`.
[[nodiscard]] std::vector<RecordedFact> recordedFacts(const SideInformation& side, std::string_view pass,
                                                      std::size_t most);

}  // namespace memplan::ui

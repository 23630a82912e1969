// SPDX-License-Identifier: Apache-2.0
// Words about a finished plan: why a buffer or an op is where it is, the smallest change that would
// make room for it, and the figures of the whole plan (command-line, `explain`). Reads the plan only.
#pragma once

#include "engine/plan/plan.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace memplan {

struct Explanation {
    std::string kind;  ///< "buffer" or "op"
    std::string name;
    std::vector<std::pair<std::string, std::string>> facts;  ///< label and text, in print order
    std::string why;                                         ///< one sentence
    std::vector<std::string> changes;  ///< what would move it on chip, smallest first; empty when it is there
};

/// Everything that bears the name: an op and the buffer of the same name are two entries, the buffer
/// first. Empty when the plan has neither.
[[nodiscard]] std::vector<Explanation> explainName(const Plan& plan, std::string_view name);
/// Names of all buffers and ops, without doubles, for "did you mean".
[[nodiscard]] std::vector<std::string> explainableNames(const Plan& plan);

/// Free room for one buffer over its whole lifetime in the finished plan.
struct RoomFor {
    Bytes needed = 0;
    Bytes largestGap = 0;               ///< largest range that no neighbour touches during its lifetime
    Bytes capacityNeeded = 0;           ///< capacity at which it would fit above its neighbours
    std::vector<BufferId> neighbours;   ///< on chip while it lives, largest first
    std::vector<BufferId> singleMoves;  ///< each alone would make room by leaving, smallest first
};
[[nodiscard]] RoomFor roomFor(const Plan& plan, BufferId id);

struct ReasonCount {
    ReasonCode code = ReasonCode::PlanningOff;
    int buffers = 0;
    Bytes bytes = 0;  ///< device bytes of these buffers
};

struct ProblemCount {
    std::string code;
    Severity severity = Severity::Note;
    int count = 0;
};

struct PlanStatistics {
    std::vector<ReasonCount> offChip;    ///< in order of precedence
    std::vector<ProblemCount> problems;  ///< errors first, then by code
    int onChip = 0;
    Bytes onChipBytes = 0;  ///< device bytes of the buffers on chip
    int open = 0;           ///< buffers of a stopped compile of which nothing is decided
    Bytes openBytes = 0;    ///< device bytes of these
    int inPlace = 0;        ///< buffers that took over a parent's slot
};
[[nodiscard]] PlanStatistics planStatistics(const Plan& plan);

/// Aligned text, lines end with LF.
[[nodiscard]] std::string explanationText(const Explanation& explanation);
[[nodiscard]] std::string statisticsText(const Plan& plan);

}  // namespace memplan

// SPDX-License-Identifier: Apache-2.0
// Counts over a whole plan: what stays off chip and why, what was found.
#pragma once

#include "engine/plan/plan.h"

#include <string>
#include <vector>

namespace memplan {

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

/// Which of the figures that every plan file holds say something: they are 0 where a machine has no such thing.
struct StatedFigures {
    bool mainMemory = false;       ///< its traffic: false for a machine that has figures of its own and none of these
    bool bound = false;            ///< on the pinned bytes
    bool coreUtilisation = false;  ///< false without cores
    bool divisions = false;        ///< mismatches, operations over the span limit: as with mainMemory
};
[[nodiscard]] StatedFigures statedFigures(const PlanMetrics& metrics);

}  // namespace memplan

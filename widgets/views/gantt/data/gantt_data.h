// SPDX-License-Identifier: GPL-3.0-or-later
// The flat data behind the Gantt: placed buffers sorted by start step with the running maximum of
// ends (user-experience A.2), live bytes and free blocks per step, address histogram, refused
// buffers by traffic. Built once per plan, shared with the raster worker; no Qt types.
#pragma once

#include "engine/plan/memory_use.h"
#include "engine/plan/plan.h"
#include "engine/plan/room.h"
#include "widgets/views/gantt/data/gantt_item.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace memplan::ui {

struct OffChipItem {
    BufferId buffer;
    StepRange life;
    Bytes traffic = 0;  ///< main-memory bytes per run that it causes
    int row = 0;        ///< row of the lane, first fit in order of traffic
};

struct StepRun {
    StepRange steps;
    std::string text;
    std::string count;  ///< trip count of a loop, "×8"
    int loop = -1;      ///< an index of loopGroups()
    int level = 0;      ///< loops around this one
};

/// Bytes that two buffers share while both are live, in a damaged bundle or a broken plan.
struct GanttOverlap {
    BufferId first, second;
    StepRange steps;
    Address address = 0;
    Bytes size = 0;
};

struct GanttData {
    PlanPtr plan;
    Step steps = 0;
    Bytes physical = 0;    ///< top of the address axis
    Bytes top = 0;         ///< all addresses in use are below it
    Bytes usable = 0;      ///< limit of the planner
    bool stacked = false;  ///< addresses are stacking order, not decided addresses (7.13)

    std::vector<GanttItem> items;      ///< lifetimes up to a sixteenth of the schedule, by (start, buffer)
    std::vector<Step> maxEnd;          ///< largest end among items 0..i
    std::vector<GanttItem> longItems;  ///< the others, by (start, buffer)

    std::vector<MemoryUse> use;          ///< per step, below the limit
    PeakUse peak;                        ///< over all steps
    std::vector<double> histogram;       ///< share of steps in use, 256 equal address rows up to `top`
    std::vector<OffChipItem> offChip;    ///< by falling traffic
    std::vector<GanttOverlap> overlaps;  ///< as the problems of the plan report them
    std::vector<StepRun> groups;         ///< runs of one annotation
    std::vector<StepRun> loops;          ///< runs of one counted loop

    [[nodiscard]] std::size_t placedCount() const { return items.size() + longItems.size(); }
    [[nodiscard]] const MemoryUse& useAt(Step s) const { return use[static_cast<std::size_t>(s)]; }
};

using GanttDataPtr = std::shared_ptr<const GanttData>;

[[nodiscard]] GanttDataPtr buildGanttData(PlanPtr plan);

/// Half-open index range of `items` that can touch steps [t0, t1); the caller skips end <= t0.
[[nodiscard]] std::pair<std::size_t, std::size_t> visibleItems(const GanttData& data, double t0, double t1);

/// Where a refused buffer would stand: the largest block that is free over its whole lifetime (7.6).
struct GhostPlace {
    Address address = 0;
    Bytes size = 0;
    StepRange life;
    Bytes gap = 0;                   ///< size of that block
    Bytes shortBy = 0;               ///< bytes that do not fit, 0 when it would fit
    bool overLimit = false;          ///< the block ends at the limit, so it would stick out above
    std::vector<BufferId> blockers;  ///< those of the reason, else the neighbours of the block
    std::optional<TightestStep> tightest = {};
};

[[nodiscard]] std::optional<GhostPlace> ghostOf(const GanttData& data, BufferId refused);

}  // namespace memplan::ui

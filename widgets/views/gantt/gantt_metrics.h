// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers beside the Gantt (user-experience 7.9, 7.10, 7.11): over the whole schedule or a range.
#pragma once

#include "widgets/views/gantt/data/gantt_data.h"

#include <array>

namespace memplan::ui {

/// Bytes of buffers, those of all cores and each buffer once, and how many of them are on chip.
struct Resident {
    Bytes onChip = 0, all = 0;
    [[nodiscard]] double share() const { return all > 0 ? static_cast<double>(onChip) / static_cast<double>(all) : 0; }
};
/// Of what lives in a range, or of the whole plan; the status bar and the panel beside the map show it (3.5, 7.9).
[[nodiscard]] Resident residentBytes(const Plan& plan, std::optional<StepRange> range = std::nullopt);

struct GanttMetrics {
    int onChip = 0, total = 0;     ///< buffers that live in the range
    Resident resident;             ///< bytes of all cores
    Bytes traffic = 0;             ///< main-memory bytes per run of the ops in the range
    PeakUse peak;                  ///< of the range: highest address, live bytes, fragmentation
    double meanOccupancy = 0;      ///< mean live bytes / usable
    double fragmentationNow = -1;  ///< at the cursor, -1 without one
    Bytes lowerBound = 0;          ///< on the peak (A.7)
    [[nodiscard]] double gap() const {
        return lowerBound > 0 ? static_cast<double>(peak.top - lowerBound) / static_cast<double>(lowerBound) : 0;
    }
};

[[nodiscard]] GanttMetrics ganttMetrics(const GanttData& data, std::optional<StepRange> range,
                                        std::optional<Step> cursor);

/// One power of two of sizes: buffers by residency (order of enum Residency).
struct SizeBucket {
    int log2 = 0;
    std::array<int, 6> counts{};
    [[nodiscard]] int total() const;
};

/// Buckets from the smallest to the largest size that occurs, empty ones in between kept.
[[nodiscard]] std::vector<SizeBucket> sizeHistogram(const GanttData& data, std::optional<StepRange> range);

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// Another plan drawn over the Gantt (user-experience 13.1, 16.3): its rectangles as outlines where they differ,
// arrows from old to new addresses, a mark on what came on chip or left it.
#pragma once

#include "engine/compare/comparison.h"
#include "widgets/views/gantt/look/gantt_look.h"

#include <QString>

#include <vector>

namespace memplan::ui {

struct GanttOverlay {
    static constexpr std::size_t kMostArrows = 200;

    struct Outline {
        StepRange life;
        Address address = 0;
        Bytes size = 0;
        bool left = false;  ///< the buffer is off chip in the plan on screen
    };
    struct Arrow {
        StepRange life;           ///< in the plan on screen
        double from = 0, to = 0;  ///< addresses of the middles
    };
    enum class Class : std::uint8_t { Unchanged, Arrived, Moved, Reshaped };

    QString otherName;  ///< "Plan 1: greedy, 1 core"
    std::vector<Outline> outlines;
    std::vector<Arrow> arrows;   ///< the widest moves first, at most kMostArrows
    std::vector<Class> classOf;  ///< per buffer of the plan on screen
    bool marks = true;           ///< plus and minus on what came and left
    bool difference = false;     ///< colours by change instead of the view's own
};

using GanttOverlayPtr = std::shared_ptr<const GanttOverlay>;

/// `other` drawn over `shown`; the matching has `other` as A.
[[nodiscard]] GanttOverlay ganttOverlay(const Plan& other, const Plan& shown, const compare::PlanMatch& match);
/// Colours by change, with the legend of the classes that are on screen.
[[nodiscard]] GanttLook differenceLook(const GanttData& data, const GanttOverlay& overlay, const Theme& theme);
/// What the overlay adds to a legend: the dashed outlines.
[[nodiscard]] QString overlayLegend(const GanttOverlay& overlay);

}  // namespace memplan::ui

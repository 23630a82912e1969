// SPDX-License-Identifier: GPL-3.0-or-later
// Why buffers are not on chip, in families (user-experience 7.5), what stands in a memory map where none is (19.1), and
// what is wrong with those that are.
#pragma once

#include "widgets/canvas/state/view_state.h"
#include "widgets/views/gantt/data/gantt_data.h"

namespace memplan::ui {

struct ReasonCount {
    QString family;  ///< "split mismatch"
    int count = 0;
    friend bool operator==(const ReasonCount&, const ReasonCount&) = default;
};

/// Families of the plan's reasons in order of precedence, each with its buffers.
[[nodiscard]] std::vector<ReasonCount> reasonFamilies(const Plan& plan);

/// The sign of a family on a bar of the off-chip lane, and before its name where it is listed: "≠"; a space for none.
[[nodiscard]] QChar reasonGlyph(const QString& family);

/// EmptyText::actionKey of the button that switches the planning of the scratchpad on.
inline constexpr QLatin1String kPlanningOnKey{"placement"};

/// What the map says while nothing of the plan is on chip; nullopt when something is. `canChange`: settings can be
/// changed from here.
[[nodiscard]] std::optional<EmptyText> ganttEmptyText(const GanttData& data, bool canChange);

/// "y by 16 384 B in steps 2 to 3": who else wants bytes of the buffer while both are live; empty when nobody does.
[[nodiscard]] QString overlapText(const GanttData& data, BufferId id);

}  // namespace memplan::ui

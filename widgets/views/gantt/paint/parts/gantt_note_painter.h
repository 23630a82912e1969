// SPDX-License-Identifier: GPL-3.0-or-later
// Flags of the notes: on the rectangles, on the bars of the off-chip lane, on the time axis (user-experience 2.16).
#pragma once

#include "widgets/views/gantt/look/gantt_part.h"

namespace memplan::ui {

class GanttNotePainter final : private GanttPart {
public:
    explicit GanttNotePainter(GanttPicture& picture) : GanttPart(picture) {}

    void notes();

private:
    void itemNotes();
    void laneNotes();
    void rangeNotes();
};

}  // namespace memplan::ui

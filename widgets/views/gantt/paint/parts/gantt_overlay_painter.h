// SPDX-License-Identifier: GPL-3.0-or-later
// What lies over the rectangles: another plan, selection, range and time cursor (design-system 8, picture i).
#pragma once

#include "widgets/views/gantt/look/gantt_part.h"

namespace memplan::ui {

class GanttOverlayPainter final : private GanttPart {
public:
    explicit GanttOverlayPainter(GanttPicture& picture) : GanttPart(picture) {}

    void otherOutlines();
    void moveArrows();
    void changeSigns();
    void selection();
    void range();
    void timeCursor();

private:
    void outlineItem(const QRectF& rect, ItemId id);
};

}  // namespace memplan::ui

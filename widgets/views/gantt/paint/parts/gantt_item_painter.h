// SPDX-License-Identifier: GPL-3.0-or-later
// The rectangles: fills, edges, in-place seams, labels, signs of hints.
#pragma once

#include "widgets/views/gantt/look/gantt_part.h"

namespace memplan::ui {

class GanttItemPainter final : private GanttPart {
public:
    explicit GanttItemPainter(GanttPicture& picture) : GanttPart(picture) {}

    void items();
    void rasterItems();
    void overlapHatches();
    void discs();

private:
    void collect();
    void drawItem(const GanttShown& shown);
    void seams();
    void labels();
    void label(const GanttShown& shown, LabelFit fit);
    void leaders();
    void hintMarks();
    void blockerHatches();
    [[nodiscard]] bool isHatched(BufferId id) const;
};

}  // namespace memplan::ui

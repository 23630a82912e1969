// SPDX-License-Identifier: GPL-3.0-or-later
// What stands around the plot: live bytes above it, loop bands, address histogram (user-experience 7.3).
#pragma once

#include "widgets/views/gantt/look/gantt_part.h"

namespace memplan::ui {

class GanttStripPainter final : private GanttPart {
public:
    explicit GanttStripPainter(GanttPicture& picture) : GanttPart(picture) {}

    void strip();
    void histogram();
    void loopBands();

private:
    void stripCurve();
    void peakMarker();
    void loopMark(const QRectF& r, int loop);
};

}  // namespace memplan::ui

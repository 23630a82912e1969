// SPDX-License-Identifier: GPL-3.0-or-later
// Grid, fold, reserved band, limits and axes of the Gantt (design-system 11.2).
#pragma once

#include "widgets/views/gantt/look/gantt_part.h"

namespace memplan::ui {

class GanttFramePainter final : private GanttPart {
public:
    explicit GanttFramePainter(GanttPicture& picture) : GanttPart(picture) {}

    /// Finds the place of the limit's words, which everything else keeps clear of.
    void placeLimitWords();
    void grid();
    void foldMark();
    void reserved();
    void limits();
    void emptyWords();
    void axes();

private:
    void stickGrid();
    void foldWords(double top, double bottom);
    void limitLine(Bytes at, const QStringList& forms, const QColor& color, bool labelBelow);
    [[nodiscard]] bool limitWordsAreBelow() const;
    [[nodiscard]] QStringList limitForms() const;
    /// Left end of the first label, the plot's right edge where there is none.
    double stepLabels();
    void opLabels();
    void groupLabels();
};

}  // namespace memplan::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// Rectangles that are not there: where a refused buffer would be and what blocks it (user-experience 7.6), and where a
// drag would put one, red over a conflict that it names (7.8, design-system 8.4).
#pragma once

#include "widgets/views/gantt/look/gantt_part.h"

#include <QStringList>

namespace memplan::ui {

/// What a refused buffer needs and what there was, the lines of its callout; the inspector has the same figures.
[[nodiscard]] QStringList ghostLines(const GhostPlace& ghost);

class GanttGhostPainter final : private GanttPart {
public:
    explicit GanttGhostPainter(GanttPicture& picture) : GanttPart(picture) {}

    void ghostPlace();
    void ghostWords();
    void drag();

private:
    [[nodiscard]] QRectF ghostRect() const;
    void ghostName(const QRectF& rect, const QRectF& callout);
    [[nodiscard]] QRectF ghostCallout(const GhostPlace& ghost, const QRectF& rect);
    [[nodiscard]] QRectF clearOfWords(QRectF box, double lowest) const;
    [[nodiscard]] double roofOver(const QRectF& box) const;
    void blockerLeaders(const GhostPlace& ghost);
    void dragCallout(const GanttDrag& drag, const QRectF& rect);

    std::vector<QRectF> leaderWords_;  ///< taken by the names of what blocks the ghost
};

}  // namespace memplan::ui
